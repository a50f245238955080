/**
 * Ranks the spaces of an organization whose pages match a query, as far as the caller may read them.
 *
 * The pages of small spaces are in one index, the pool, of which only the pages of readable spaces are searched. Large
 * spaces, and those with computed pages, have their own indexes.
 */

import type { RankedPage } from "../../../content/search";
import { createError } from "../../../errors";
import type { Reader } from "../../../storage/transaction";
import { findReadablePath, listReadableSpaces } from "../../library/spaces/readable-spaces";
import type { SpaceRecord } from "../../library/tree/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { revisions } from "../revisions/records";
import type { ContentContext } from "../revisions/rules";
import { openSpacePart, type RankedPages, rankPages, type SpaceSearchContext, toRankedPages } from "./find-pages";
import { openReadablePart } from "./pools";
import { type IndexPart, rankTogether } from "./rank-together";
import { pooledIds } from "./stored-pools";

type OrganizationSearchContext = OrganizationContext &
  Omit<SpaceSearchContext, keyof ContentContext> & {
    readonly tx: Reader;
    readonly actor: { readonly user: { readonly id: string } };
  };

/** A space with matching pages. */
export interface RankedSpace {
  readonly space: SpaceRecord;
  readonly found: RankedPages;
  /** Reads its content as the caller sees it. Returns undefined if they may not see it. */
  readonly enter: () => Promise<SpaceSearchContext | undefined>;
}

/** The spaces with matching pages. */
export interface SpaceRanking {
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
    const found = await findReadablePath(readContext, actor.user.id, space);
    if (!found) return undefined;
    const revision = await revisions.get(tx, space.id, space.revision);
    if (!revision) throw createError("storage_damaged");
    return { ...context, ...found, space, revision, isDeleted: false };
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

/** Ranks the pages of all spaces as those of one index. */
async function rankByIndexes(
  context: OrganizationSearchContext,
  listSpaces: () => Promise<readonly SpaceRecord[]>,
  enterSpace: (space: SpaceRecord) => Promise<SpaceSearchContext | undefined>,
  query: string,
  pagesEach: number,
): Promise<SpaceRanking> {
  const { part, apart } = await openReadablePart({
    ...context,
    partition: findOrganizationPartition(context.organization.id)!,
    user: context.actor.user.id,
    listReadableSpaces: listSpaces,
  });
  const parts: (IndexPart & { readonly space?: SpaceRecord })[] = part ? [part] : [];
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
    // The hits of the pool are grouped by their space.
    const hitsBySpace = new Map<string, RankedPage[]>();
    for (const { id, score } of findings.hits) {
      const hit = { id: pooledIds.getPage(id), score };
      const others = hitsBySpace.get(pooledIds.getSpace(id));
      if (others) others.push(hit);
      else hitsBySpace.set(pooledIds.getSpace(id), [hit]);
    }
    for (const [id, hits] of hitsBySpace) take(part!.spaces.get(id)!, { ...pages, total: hits.length, hits });
  }
  return { spaces: found, isLasting };
}
