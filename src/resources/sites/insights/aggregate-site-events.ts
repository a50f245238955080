// Questions about counts. What answers them is loaded when somebody asks first.

import { defineOperation } from "../../../operation/operation";
import { loadLazily } from "../../../utils/lazy";
import { countedSite } from "./counted-site";
import { MIN_QUERY, OTHER } from "./counts";
import { EventsAnswer, EventsQuestion } from "./event-schema";

const loadAnswering = loadLazily(() => import("./answer-question"));

export const aggregateSiteEvents = defineOperation(
  "POST /orgs/:organizationId/sites/:siteId/insights/events/aggregate",
  {
    summary: "Count what visitors of a site did",
    description: `For those who may edit the site. \`select\` names the types of events, and each is a column. \`groupBy\` names the rows: a unit of time, one other group, or both. Rows are in the order of time, and those with the most events come first. A page and its site-space are counted together, and a rating together with them; every other group is counted for the whole site. So \`filters\` can name \`siteSpace\` and \`page\` with rows of site-spaces, pages or ratings, or without any; every other filter goes only with the group of its own name, or without any. A value that is left out of a row was not said; \`${OTHER}\` stands for all that came after the most values that a day or a month keeps. A text that was searched for fewer than ${MIN_QUERY} times in a row's time is counted in the row without a text.`,
    target: countedSite,
    right: "edit",
    body: EventsQuestion,
    returns: EventsAnswer,
    isReadOnly: true,
    async handle({ tx, site, body, now }) {
      const { answerQuestion } = await loadAnswering();
      return answerQuestion(tx, site.id, body, now);
    },
  },
);
