/**
 * Ranks the spaces of an organization whose pages match a query, as far as the caller may read them.
 *
 * The pages of small spaces are in one index, the pool, of which only the pages of readable spaces are searched. Large
 * spaces, and those with computed pages, have their own indexes.
 */

import type * as v from "valibot";
import { createError } from "../../../errors";
import type { PageRequest } from "../../../operation/pagination";
import type { Reader } from "../../../storage/transaction";
import { groupBy } from "../../../utils/group-by";
import { listReadableSpaces } from "../../library/spaces/readable-spaces";
import type { SpaceRecord } from "../../library/tree/records";
import { getNodeRole } from "../../library/tree/rules";
import { getVisibleNodes, readVisiblePaths } from "../../library/tree/visible-nodes";
import { findOrganizationPartition } from "../../people/organizations/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { revisions } from "../revisions/records";
import type { ContentContext } from "../revisions/rules";
import {
  AnswerBudget,
  presentRankedPages,
  type RankedPages,
  rankPages,
  type SpaceSearchContext,
  toRankedPages,
} from "./find-pages";
import type { IndexPart } from "./indexes";
import { openReadablePart, pooledIds } from "./pools";
import { cacheSearchResponse, openSpacePart, rankTogether } from "./ranking";
import type { FoundSpace } from "./schema";

type OrganizationSearchContext = OrganizationContext &
  Omit<SpaceSearchContext, keyof ContentContext> & {
    readonly tx: Reader;
    readonly actor: { readonly user: { readonly id: string } };
  };

/** Returns a page of the results of a search in an organization. It begins at a rank, and ends at its limit or where it is full. */
export async function searchSpaces(
  context: OrganizationSearchContext & {
    readonly pageRequest: PageRequest;
    readonly query: { readonly query: string };
  },
  pagesEach: number,
) {
  const { query } = context;
  const { after = 0, limit } = context.pageRequest;
  const offset = Number(after);
  const question = [context.organization.id, context.actor.user.id, query.query, offset, limit];
  const { items, last, count } = await cacheSearchResponse(context, question, async () => {
    const { spaces, isLasting } = await rankSpaces(context, query.query, pagesEach);
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
}

/** A space with matching pages. */
interface RankedSpace {
  readonly space: SpaceRecord;
  readonly found: RankedPages;
  /** Reads its content as the caller sees it. Returns undefined if they may not see it. */
  readonly enter: () => Promise<SpaceSearchContext | undefined>;
}

/** The spaces with matching pages. */
interface SpaceRanking {
  readonly spaces: readonly RankedSpace[];
  /** True if the ranking stays the same until something is written. */
  readonly isLasting: boolean;
}

/** Ranks the spaces with matching pages, the best first, each with some of its best pages. */
export async function rankSpaces(
  context: OrganizationSearchContext,
  query: string,
  pagesEach: number,
): Promise<SpaceRanking> {
  const { tx, actor, jobContext, organization } = context;
  const readContext = { tx, organization, ports: jobContext.ports };
  const listSpaces = () => listReadableSpaces(readContext, actor.user.id);
  const enterSpace = async (space: SpaceRecord): Promise<SpaceSearchContext | undefined> => {
    const { viewer } = await getVisibleNodes(readContext, actor.user.id);
    const [path] = await readVisiblePaths(readContext.tx, viewer, [space]);
    const role = path && getNodeRole(viewer, path);
    if (!path || !role) return undefined;
    const revision = await revisions.get(tx, space.id, space.revision);
    if (!revision) throw createError("storage_damaged");
    return { ...context, path, role, space, revision, isDeleted: false };
  };
  let ranking: SpaceRanking;
  if (jobContext.ports.search.engine) {
    const spaces: RankedSpace[] = [];
    for (const space of await listSpaces()) {
      const content = await enterSpace(space);
      const pages = content && (await rankPages(content, query, { offset: 0, limit: pagesEach }));
      if (pages && pages.total > 0) spaces.push({ space, found: pages, enter: () => enterSpace(space) });
    }
    ranking = { spaces, isLasting: false };
  } else ranking = await rankByIndexes(context, listSpaces, enterSpace, query, pagesEach);
  const getBestScore = ({ found }: RankedSpace) => found.hits[0]?.score ?? 0;
  const spaces = [...ranking.spaces].sort(
    (a, b) => getBestScore(b) - getBestScore(a) || (a.space.id < b.space.id ? -1 : 1),
  );
  return { spaces, isLasting: ranking.isLasting };
}

async function rankByIndexes(
  context: OrganizationSearchContext,
  listSpaces: () => Promise<readonly SpaceRecord[]>,
  enterSpace: (space: SpaceRecord) => Promise<SpaceSearchContext | undefined>,
  query: string,
  pagesEach: number,
): Promise<SpaceRanking> {
  const partition = findOrganizationPartition(context.organization.id)!;
  const { inside, apart, use } = await openReadablePart({ ...context, partition }, context.actor.user.id, listSpaces);
  const parts: (IndexPart & { readonly space?: SpaceRecord })[] = inside.size > 0 ? [{ use }] : [];
  let isLasting = true;
  for (const space of apart) {
    const content = await enterSpace(space);
    if (!content) continue;
    const { use, hasComputed } = await openSpacePart(content);
    if (hasComputed) isLasting = false;
    parts.push({ use, space });
  }
  const found: RankedSpace[] = [];
  const take = (space: SpaceRecord, pages: RankedPages) => {
    const best = [...pages.hits].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, pagesEach);
    if (pages.total > 0) found.push({ space, found: { ...pages, hits: best }, enter: () => enterSpace(space) });
  };
  for (const findings of await rankTogether(parts, query, ({ space }) => (space ? pagesEach : "all"))) {
    const { space } = findings.part;
    const pages = toRankedPages(findings, isLasting);
    if (space) {
      take(space, pages);
      continue;
    }
    for (const [id, spaceHits] of groupBy(findings.hits, (hit) => pooledIds.getSpace(hit.id))) {
      const hits = spaceHits.map((hit) => ({ ...hit, id: pooledIds.getPage(hit.id) }));
      take(inside.get(id)!, { ...pages, total: hits.length, hits });
    }
  }
  return { spaces: found, isLasting };
}
