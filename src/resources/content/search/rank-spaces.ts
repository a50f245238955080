// The spaces of an organization whose pages answer a query, as far as the caller may read them. The pages of small spaces are
// in one index, the pool, of which only those of readable spaces are looked at. Large spaces, and those with computed pages,
// have indexes of their own.

import { failure } from "../../../errors";
import type { Reader } from "../../../store/transaction";
import { entrance, readableSpaces } from "../../library/spaces/readable-spaces";
import type { SpaceRecord } from "../../library/tree/records";
import { partitionOf } from "../../people/organizations/records";
import type { InOrganization } from "../../people/organizations/rules";
import { revisions } from "../revisions/records";
import type { InContent } from "../revisions/rules";
import { type Finding, type RankedPages, rankPages } from "./find-pages";
import { searchPool } from "./pools";

type Looking = InOrganization &
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

/** The spaces that answer, the best first, each with so many of its best pages. */
export async function rankSpaces(context: Looking, query: string, pagesEach: number): Promise<RankedSpace[]> {
  const { tx, actor, work, organization } = context;
  const looking = { tx, organization, parts: work.parts };
  const all = () => readableSpaces(looking, actor.user.id);
  const contentOf = async (space: SpaceRecord): Promise<Finding | undefined> => {
    const entered = await entrance(looking, actor.user.id, space);
    if (!entered) return undefined;
    const revision = await revisions.get(tx, space.id, space.revision);
    if (!revision) throw failure("storage_damaged");
    return { ...context, ...entered, space, revision, isDeleted: false };
  };
  const found: RankedSpace[] = [];
  const take = (space: SpaceRecord, pages: RankedPages) => {
    if (pages.total > 0) found.push({ space, found: pages, enter: () => contentOf(space) });
  };
  let apart: readonly SpaceRecord[];
  if (work.parts.search.engine) apart = await all();
  else {
    const at = { ...context, partition: partitionOf(organization.id)!, user: actor.user.id, all };
    const pooled = await searchPool(at, query, pagesEach);
    for (const { space, pages } of pooled.found) take(space, pages);
    apart = pooled.apart;
  }
  for (const space of apart) {
    const content = await contentOf(space);
    if (content) take(space, await rankPages(content, query, { offset: 0, limit: pagesEach }));
  }
  const best = (it: RankedSpace) => it.found.hits[0]?.score ?? 0;
  return found.sort((a, b) => best(b) - best(a) || (a.space.id < b.space.id ? -1 : 1));
}
