// Search in a space and in an organization, over what the caller may see. Results are ranked, so a page of results
// begins at a rank. It ends where it is full, whatever its limit: see `AnswerBudget`.

import type * as v from "valibot";
import { defineOperation } from "../../../operation/operation";
import type { PageRequest } from "../../../operation/pagination";
import { organization } from "../../people/organizations/rules";
import { content } from "../revisions/rules";
import { AnswerBudget, foundPages, rankPages } from "./find-pages";
import { rememberAnswer } from "./remember-answer";
import { FoundPage, FoundSpace, query } from "./schema";
import { loadSpaces } from "./spaces-late";

export const searchSpace = defineOperation("GET /spaces/:spaceId/search", {
  summary: "Search the pages of a space",
  target: content,
  right: "view",
  query,
  list: FoundPage,
  cache: false,
  async handle(context) {
    const { pageRequest, query, space, revision } = context;
    const offset = rankOf(pageRequest);
    const { limit } = pageRequest;
    const question = [space.id, revision.id, query.query, offset, limit];
    const { items, last, count } = await rememberAnswer(context, question, async () => {
      const ranked = await rankPages(context, query.query, { offset, limit });
      const found = await foundPages(context, ranked, { budget: new AnswerBudget() });
      const isFull = found.looked < ranked.hits.length;
      const last = nextRank(offset + (isFull ? found.looked : limit), found.total);
      return { items: found.pages, last, count: found.total, isLasting: found.isLasting };
    });
    return { items: [...items], lastPosition: last, count };
  },
});

/** The pages of each space that an organization's search returns. */
const PAGES_A_SPACE = 10;

export const searchOrganization = defineOperation("GET /orgs/:organizationId/search", {
  summary: "Search the spaces of an organization that you may see",
  description: `Shows the spaces whose pages answer, the best first, each with its ${PAGES_A_SPACE} best pages.`,
  target: organization,
  right: "view",
  query,
  list: FoundSpace,
  cache: false,
  async handle(context) {
    const { pageRequest, query } = context;
    const offset = rankOf(pageRequest);
    const { limit } = pageRequest;
    const question = [context.organization.id, context.actor.user.id, query.query, offset, limit];
    const { items, last, count } = await rememberAnswer(context, question, async () => {
      const { rankSpaces } = await loadSpaces();
      const { spaces, isLasting } = await rankSpaces(context, query.query, PAGES_A_SPACE);
      const items: v.InferInput<typeof FoundSpace>[] = [];
      const budget = new AnswerBudget();
      let rank = offset;
      for (let place = 0; rank < Math.min(offset + limit, spaces.length); rank++) {
        const { space, enter, found } = spaces[rank]!;
        const content = await enter();
        if (!content) continue;
        const { pages } = await foundPages(content, found, { place });
        const item = { id: space.id, title: space.title, pages };
        if (!budget.take(item)) break;
        place += pages.length;
        items.push(item);
      }
      return { items, last: nextRank(rank, spaces.length), count: spaces.length, isLasting };
    });
    return { items: [...items], lastPosition: last, count };
  },
});

function rankOf({ after }: PageRequest): number {
  return after === undefined ? 0 : Number(after);
}

function nextRank(rank: number, total: number): string | undefined {
  return rank < total ? String(rank) : undefined;
}
