// Search in a space and in an organization, over what the caller may see. Results are ranked, so a page of results
// begins at a rank.

import type * as v from "valibot";
import { defineOperation, type PageRequest } from "../../../operation/operation";
import { organization } from "../../people/organizations/rules";
import { content } from "../revisions/rules";
import { findPages, foundPages } from "./find-pages";
import { FoundPage, FoundSpace, query } from "./schema";
import { loadSpaces } from "./spaces-late";

export const searchSpace = defineOperation("GET /spaces/:spaceId/search", {
  summary: "Search the pages of a space",
  on: content,
  right: "view",
  query,
  list: FoundPage,
  kept: false,
  async handle(context) {
    const { listPart, query } = context;
    const offset = rankOf(listPart);
    const { total, pages } = await findPages(context, query.query, { offset, limit: listPart.limit });
    return { items: pages, last: nextRank(offset + listPart.limit, total), count: total };
  },
});

/** The pages of each space that an organization's search returns. */
const PAGES_A_SPACE = 10;

export const searchOrganization = defineOperation("GET /orgs/:organizationId/search", {
  summary: "Search the spaces of an organization that you may see",
  description: `Shows the spaces whose pages answer, the best first, each with its ${PAGES_A_SPACE} best pages.`,
  on: organization,
  right: "view",
  query,
  list: FoundSpace,
  kept: false,
  async handle(context) {
    const { listPart, query } = context;
    const { rankSpaces } = await loadSpaces();
    const ranked = await rankSpaces(context, query.query, PAGES_A_SPACE);
    const offset = rankOf(listPart);
    const items: v.InferInput<typeof FoundSpace>[] = [];
    let place = 0;
    for (const { space, enter, found } of ranked.slice(offset, offset + listPart.limit)) {
      const content = await enter();
      if (!content) continue;
      const { pages } = await foundPages(content, found, place);
      place += pages.length;
      items.push({ id: space.id, title: space.title, pages });
    }
    return { items, last: nextRank(offset + listPart.limit, ranked.length), count: ranked.length };
  },
});

function rankOf({ after }: PageRequest): number {
  return after === undefined ? 0 : Number(after);
}

function nextRank(rank: number, total: number): string | undefined {
  return rank < total ? String(rank) : undefined;
}
