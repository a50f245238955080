// The spaces of an organization whose pages answer a query, as far as the caller may read them. The pages of small spaces are
// in one index, the pool, of which only those of readable spaces are looked at. Large spaces, and those with computed pages,
// have indexes of their own.

import { failure } from "../../../errors";
import type { Reader } from "../../../store/transaction";
import { type ReadableSpace, readableSpaces } from "../../library/spaces/readable-spaces";
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
  /** Its content, as the caller sees it. */
  readonly enter: () => Promise<Finding>;
}

/** The spaces that answer, the best first, each with so many of its best pages. */
export async function rankSpaces(context: Looking, query: string, pagesEach: number): Promise<RankedSpace[]> {
  const { tx, actor, work, organization } = context;
  const all = () => readableSpaces({ tx, organization, parts: work.parts }, actor.user.id);
  const contentOf = async ({ space, path, role }: ReadableSpace): Promise<Finding> => {
    const revision = await revisions.get(tx, space.id, space.revision);
    if (!revision) throw failure("storage_damaged");
    return { ...context, path, role, space, revision, isDeleted: false };
  };
  const found: RankedSpace[] = [];
  const take = (readable: ReadableSpace, pages: RankedPages) => {
    if (pages.total === 0) return;
    found.push({ space: readable.space, found: pages, enter: () => contentOf(readable) });
  };
  let apart: readonly ReadableSpace[];
  if (work.parts.search.engine) apart = await all();
  else {
    const at = { ...context, partition: partitionOf(organization.id)!, user: actor.user.id, all };
    const pooled = await searchPool(at, query, pagesEach);
    for (const { readable, pages } of pooled.found) take(readable, pages);
    apart = pooled.apart;
  }
  for (const readable of apart)
    take(readable, await rankPages(await contentOf(readable), query, { offset: 0, limit: pagesEach }));
  const best = (it: RankedSpace) => it.found.hits[0]?.score ?? 0;
  return found.sort((a, b) => best(b) - best(a) || (a.space.id < b.space.id ? -1 : 1));
}
