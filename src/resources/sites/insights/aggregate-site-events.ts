// The operation that aggregates the counts of events. Its implementation is loaded when it is first needed.

import { defineOperation } from "../../../operation/operation";
import { loadLazily } from "../../../utils/lazy";
import { countedSite } from "./counted-targets";
import { MIN_QUERY_COUNT, OTHER } from "./counts";
import { EventsAggregate, EventsAggregateRequest } from "./event-schema";

const loadAggregation = loadLazily(() => import("./aggregate-events"));

export const aggregateSiteEvents = defineOperation(
  "POST /orgs/:organizationId/sites/:siteId/insights/events/aggregate",
  {
    summary: "Count what visitors of a site did",
    description: [
      "For those who may edit the site. `select` names the types of events, and each is a column. `groupBy` names",
      "the rows: a unit of time, one other group, or both. Rows are in the order of time, and those with the most",
      "events come first. A page and its site-space are counted together, and a rating together with them; every other",
      "group is counted for the whole site. So `filters` can name `siteSpace` and `page` with rows of",
      "site-spaces, pages or ratings, or without any; every other filter goes only with the group of its own name, or",
      `without any. A value that is left out of a row was not said; \`${OTHER}\` stands for all that came after the`,
      `most values that a day or a month keeps. A text that was searched for fewer than ${MIN_QUERY_COUNT} times in a`,
      "row's time is counted in the row without a text.",
    ].join(" "),
    target: countedSite,
    right: "edit",
    body: EventsAggregateRequest,
    returns: EventsAggregate,
    isReadOnly: true,
    async handle({ tx, site, body, now }) {
      const { aggregateEvents } = await loadAggregation();
      return aggregateEvents(tx, site.id, body, now);
    },
  },
);
