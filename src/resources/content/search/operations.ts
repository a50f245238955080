// Search in a space and in an organization, over what the caller may see. Results are ranked, so a page of results
// begins at a rank.

import { type ListPart, operation } from "../../../operation/operation";
import type { SpaceRecord } from "../../library/tree/records";
import { organization } from "../../people/organizations/rules";
import { content } from "../revisions/rules";
import { type FoundPages, findPages } from "./find-pages";
import { FoundPage, FoundSpace, query } from "./schema";
import { spacesSeen } from "./spaces-seen";

export const searchSpace = operation("GET /spaces/:spaceId/search", {
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

export const searchOrganization = operation("GET /orgs/:organizationId/search", {
  summary: "Search the spaces of an organization that you may see",
  description: `Shows the spaces whose pages answer, the best first, each with its ${PAGES_A_SPACE} best pages.`,
  on: organization,
  right: "view",
  query,
  list: FoundSpace,
  kept: false,
  async handle(context) {
    const { listPart, query } = context;
    const found: (FoundPages & { readonly space: SpaceRecord })[] = [];
    for await (const inside of spacesSeen(context)) {
      const pages = await findPages(inside, query.query, { offset: 0, limit: PAGES_A_SPACE });
      if (pages.total > 0) found.push({ ...pages, space: inside.space });
    }
    const ranked = found.toSorted((a, b) => b.best - a.best || (a.space.id < b.space.id ? -1 : 1));
    const offset = rankOf(listPart);
    return {
      items: ranked
        .slice(offset, offset + listPart.limit)
        .map(({ space, pages }) => ({ id: space.id, title: space.title, pages })),
      last: nextRank(offset + listPart.limit, ranked.length),
      count: ranked.length,
    };
  },
});

function rankOf({ after }: ListPart): number {
  return after === undefined ? 0 : Number(after);
}

function nextRank(rank: number, total: number): string | undefined {
  return rank < total ? String(rank) : undefined;
}
