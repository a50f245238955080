// Answers questions about a published site with the host's model, from the content that the visitor sees.

import * as v from "valibot";
import { defineOperation } from "../../../operation/operation";
import type { Passage } from "../../../ports/answer-model";
import { loadLazily } from "../../../utils/lazy";
import { askDefaults, askModel, detachContext, MAX_PASSAGES, questionEntries } from "../../content/search/ask";
import { getPageUrls } from "../addresses/site-urls";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure } from "../structure/structure";
import { SearchScope } from "./published-schema";
import { getScopeSpaces } from "./search-site";

const loadFindPages = loadLazily(() => import("../../content/search/find-pages"));
const loadFindSitePages = loadLazily(() => import("./find-site-pages"));

const SiteQuestion = v.strictObject({
  ...questionEntries,
  scope: v.optional(SearchScope),
});

export const askSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/ask", {
  summary: "Ask a question about a site",
  ...askDefaults,
  target: publishedSite,
  allowsVisitors: true,
  query: visitorQuery,
  body: SiteQuestion,
  async handle(context) {
    const { body, actor, jobContext, organization, site } = context;
    const searchContext = detachContext(context);
    const structure = await readStructure(searchContext.tx, site, jobContext.ports);
    // A scope is refused before the answer begins.
    const { listSearchedSpaces } = await loadFindSitePages();
    const spaces = await listSearchedSpaces(searchContext, structure, getScopeSpaces(body.scope ?? { mode: "all" }));
    return askModel(jobContext, {
      question: body.question,
      language: body.language,
      about: { organization: organization.id, site: site.id },
      user: actor.user.id === "" ? undefined : actor.user.id,
      // As in a search, only the text that the visitor reads decides.
      async findPassages(query) {
        const { formatPassageText } = await loadFindPages();
        const { findPagesOnSite } = await loadFindSitePages();
        const found = await findPagesOnSite(searchContext, structure, query, spaces, MAX_PASSAGES);
        const passages: Passage[] = [];
        for (const { siteSpace, page, path, ...hit } of found) {
          const sections = await hit.readSections();
          const { published } = getPageUrls(searchContext, structure, siteSpace, path);
          const text = formatPassageText(sections, await hit.findSections(sections));
          passages.push({ page: page.id, space: siteSpace.space, title: page.title, path, url: published, text });
        }
        return passages;
      },
    });
  },
});
