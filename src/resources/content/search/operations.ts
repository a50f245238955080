// Search in a space and in an organization, over the content that the caller may see. A page of results begins at a rank.
// It ends at its limit, or earlier where it is full: see `AnswerBudget`.

import type * as v from "valibot";
import { defineOperation } from "../../../operation/operation";
import { organization } from "../../people/organizations/rules";
import { content } from "../revisions/rules";
import { cacheSearchResponse } from "./cache-search-response";
import { AnswerBudget, presentRankedPages, rankPages } from "./find-pages";
import { loadSpaces } from "./load-many-spaces";
import { FoundPage, FoundSpace, query } from "./schema";

export const searchSpace = defineOperation("GET /spaces/:spaceId/search", {
  summary: "Search the pages of a space",
  target: content,
  right: "view",
  query,
  list: FoundPage,
  cache: false,
  async handle(context) {
    const { pageRequest, query, space, revision } = context;
    const { after = 0, limit } = pageRequest;
    const offset = Number(after);
    const question = [space.id, revision.id, query.query, offset, limit];
    const { items, last, count } = await cacheSearchResponse(context, question, async () => {
      const ranked = await rankPages(context, query.query, { offset, limit });
      const found = await presentRankedPages(context, ranked, { budget: new AnswerBudget() });
      const isFull = found.looked < ranked.hits.length;
      const next = offset + (isFull ? found.looked : limit);
      const last = next < found.total ? String(next) : undefined;
      return { items: found.pages, last, count: found.total, isLasting: found.isLasting };
    });
    return { items: [...items], lastPosition: last, count };
  },
});

/** The pages of each space that an organization's search returns. */
const PAGES_PER_SPACE = 10;

export const searchOrganization = defineOperation("GET /orgs/:organizationId/search", {
  summary: "Search the spaces of an organization that you may see",
  description: `Shows the spaces whose pages answer, the best first, each with its ${PAGES_PER_SPACE} best pages.`,
  target: organization,
  right: "view",
  query,
  list: FoundSpace,
  cache: false,
  async handle(context) {
    const { pageRequest, query } = context;
    const { after = 0, limit } = pageRequest;
    const offset = Number(after);
    const question = [context.organization.id, context.actor.user.id, query.query, offset, limit];
    const { items, last, count } = await cacheSearchResponse(context, question, async () => {
      const { rankSpaces } = await loadSpaces();
      const { spaces, isLasting } = await rankSpaces(context, query.query, PAGES_PER_SPACE);
      const items: v.InferInput<typeof FoundSpace>[] = [];
      const budget = new AnswerBudget();
      let rank = offset;
      for (let place = 0; rank < Math.min(offset + limit, spaces.length); rank++) {
        const { space, enter, found } = spaces[rank]!;
        const content = await enter();
        if (!content) continue;
        const { pages } = await presentRankedPages(content, found, { place });
        const item = { id: space.id, title: space.title, pages };
        if (!budget.take(item)) break;
        place += pages.length;
        items.push(item);
      }
      const last = rank < spaces.length ? String(rank) : undefined;
      return { items, last, count: spaces.length, isLasting };
    });
    return { items: [...items], lastPosition: last, count };
  },
});
