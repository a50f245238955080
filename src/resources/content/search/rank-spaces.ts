// The spaces of an organization whose pages answer a query, as far as the caller may read them. The pages of small spaces are
// in one index, the pool, of which only those of readable spaces are looked at. Large spaces, and those with computed pages,
// have indexes of their own.

import type { RankedPage } from "../../../content/search";
import { createError } from "../../../errors";
import type { Reader } from "../../../storage/transaction";
import { findReadablePath, listReadableSpaces } from "../../library/spaces/readable-spaces";
import type { SpaceRecord } from "../../library/tree/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { revisions } from "../revisions/records";
import type { InContent } from "../revisions/rules";
import { type Finding, type RankedPages, rankedPages, rankPages, spacePart } from "./find-pages";
import { readablePart } from "./pools";
import { type IndexPart, rankTogether } from "./rank-together";
import { pageOf, spaceOf } from "./stored-pools";

type Looking = OrganizationContext &
  Omit<Finding, keyof InContent> & {
    readonly tx: Reader;
    readonly actor: { readonly user: { readonly id: string } };
  };

/** A space with pages that answer. */
export interface RankedSpace {
  readonly space: SpaceRecord;
  readonly found: RankedPages;
  /** Its content, as the caller sees it; undefined when they may not see it. */
  readonly enter: () => Promise<Finding | undefined>;
}

/** The spaces that answer. */
export interface SpaceRanking {
  readonly spaces: readonly RankedSpace[];
  /** Whether the ranking stays the same until something is written. */
  readonly isLasting: boolean;
}

/** The spaces that answer, the best first, each with so many of its best pages. */
export async function rankSpaces(context: Looking, query: string, pagesEach: number): Promise<SpaceRanking> {
  const { tx, actor, jobContext, organization } = context;
  const looking = { tx, organization, ports: jobContext.ports };
  const all = () => listReadableSpaces(looking, actor.user.id);
  const contentOf = async (space: SpaceRecord): Promise<Finding | undefined> => {
    const entered = await findReadablePath(looking, actor.user.id, space);
    if (!entered) return undefined;
    const revision = await revisions.get(tx, space.id, space.revision);
    if (!revision) throw createError("storage_damaged");
    return { ...context, ...entered, space, revision, isDeleted: false };
  };
  const { spaces, isLasting } = jobContext.ports.search.engine
    ? await rankByEngine(await all(), contentOf, query, pagesEach)
    : await rankByIndexes(context, all, contentOf, query, pagesEach);
  const best = (it: RankedSpace) => it.found.hits[0]?.score ?? 0;
  const sorted = [...spaces].sort((a, b) => best(b) - best(a) || (a.space.id < b.space.id ? -1 : 1));
  return { spaces: sorted, isLasting };
}

type ContentOf = (space: SpaceRecord) => Promise<Finding | undefined>;

async function rankByEngine(
  spaces: readonly SpaceRecord[],
  contentOf: ContentOf,
  query: string,
  pagesEach: number,
): Promise<SpaceRanking> {
  const found: RankedSpace[] = [];
  for (const space of spaces) {
    const content = await contentOf(space);
    const pages = content && (await rankPages(content, query, { offset: 0, limit: pagesEach }));
    if (pages && pages.total > 0) found.push({ space, found: pages, enter: () => contentOf(space) });
  }
  return { spaces: found, isLasting: false };
}

/** Ranks the pages of all spaces as those of one index. */
async function rankByIndexes(
  context: Looking,
  all: () => Promise<readonly SpaceRecord[]>,
  contentOf: ContentOf,
  query: string,
  pagesEach: number,
): Promise<SpaceRanking> {
  const at = {
    ...context,
    partition: findOrganizationPartition(context.organization.id)!,
    user: context.actor.user.id,
    all,
  };
  const { part, apart } = await readablePart(at);
  const parts: (IndexPart & { readonly space?: SpaceRecord })[] = part ? [part] : [];
  let isLasting = true;
  for (const space of apart) {
    const content = await contentOf(space);
    if (!content) continue;
    const { use, hasComputed } = await spacePart(content);
    if (hasComputed) isLasting = false;
    parts.push({ use, space });
  }
  const found: RankedSpace[] = [];
  const take = (space: SpaceRecord, pages: RankedPages) => {
    if (pages.total > 0) found.push({ space, found: pages, enter: () => contentOf(space) });
  };
  for (const findings of await rankTogether(parts, query, ({ space }) => (space ? pagesEach : "all"))) {
    const { space } = findings.part;
    const pages = rankedPages(findings, isLasting);
    if (space) take(space, { ...pages, hits: bestOf(findings.hits, pagesEach) });
    else
      for (const [id, hits] of bySpace(findings.hits))
        take(part!.spaces.get(id)!, { ...pages, total: hits.length, hits: bestOf(hits, pagesEach) });
  }
  return { spaces: found, isLasting };
}

/** Pages of a pool by their space, each with its own id. */
function bySpace(hits: readonly RankedPage[]): ReadonlyMap<string, RankedPage[]> {
  const spaces = new Map<string, RankedPage[]>();
  for (const { id: name, score } of hits) {
    const page = { id: pageOf(name), score };
    const others = spaces.get(spaceOf(name));
    if (others) others.push(page);
    else spaces.set(spaceOf(name), [page]);
  }
  return spaces;
}

function bestOf(hits: readonly RankedPage[], most: number): readonly RankedPage[] {
  return [...hits].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, most);
}
