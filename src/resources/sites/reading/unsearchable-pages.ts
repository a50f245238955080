// Which pages of a space a visitor may find by search: the visible ones, except those that are excluded from search and
// hidden pages with everything below them. The deciding fields are collected once for a space. They are kept in memory beside
// the indexes, and follow the content by the pages that differ. Where the stored copy of an index says that everybody finds all
// pages, they begin with that.

import type { Claims } from "../../../content/claims";
import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry, type VariableValue } from "../../../content/revision/entries";
import type { JobContext } from "../../../jobs/jobs";
import type { Objects } from "../../../storage/objects";
import { hashFingerprint } from "../../../storage/secrets";
import type { Reader } from "../../../storage/transaction";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { createNodeSource, listAllPages, openRevision, type RevisionRecord } from "../../content/revisions/records";
import { isForAll } from "../../content/search/indexes";
import { type StoredIndex, storedIndexes } from "../../content/search/records";
import { createPageVisibilityCheck, getVisibilityFields, type VisibilityFields } from "./visible-pages";

/** What decides about a page. */
interface SearchabilityFields extends VisibilityFields, Pick<PageEntry, "hidden" | "noIndex"> {}

/** What decides about the pages of a space, at one state of its content. */
interface Gathered {
  readonly root: RevisionRecord["root"];
  /** Undefined: every page may be found. */
  readonly pages?: ReadonlyMap<string, SearchabilityFields>;
  readonly variables: Readonly<Record<string, VariableValue>>;
  readonly bytes: number;
}

/** The pages of a space that a visitor with these claims does not find, at one state of its content. */
interface Hidden {
  readonly root: RevisionRecord["root"];
  readonly pages: ReadonlySet<string>;
  readonly bytes: number;
}

/** The stored pages that a visitor with these claims does not find. Those that are computed are found where the pages are that
 * they come from. */
export async function getUnsearchablePages(
  { tx, objects, jobContext }: { readonly tx: Reader; readonly objects: Objects; readonly jobContext: JobContext },
  { space, root }: Pick<RevisionRecord, "space" | "root">,
  claims: Claims,
): Promise<ReadonlySet<string>> {
  const { derivedData: gathered } = jobContext.ports.search.indexCache;
  const name = `searchable ${space}`;
  const last =
    (gathered.get(name) as Gathered | undefined) ?? gatheredByCopy(await storedIndexes.get(tx.unchecked, space));
  const now = last?.root === root ? last : await gatheredAt(objects, root, last);
  gathered.set(name, now);
  const { pages, variables } = now;
  if (!pages) return NO_PAGES;
  const hiddenName = `hidden ${space} ${hashFingerprint(JSON.stringify(claims))}`;
  const known = gathered.get(hiddenName) as Hidden | undefined;
  if (known?.root === root) return known.pages;
  const hidden = new Set<string>();
  const isSeen = createPageVisibilityCheck(pages, variables, claims);
  for (const id of pages.keys()) {
    if (!isSeen(id) || isExcludedFromSearch(wayIn(pages, id))) hidden.add(id);
    await yieldToEventLoop();
  }
  const found: Hidden = { root, pages: hidden, bytes: BYTES_A_PAGE * (1 + hidden.size) };
  gathered.set(hiddenName, found);
  return hidden;
}

const NO_PAGES: ReadonlySet<string> = new Set();

/** What the stored copy of an index says: whether everybody finds all pages that it was made from. */
function gatheredByCopy(copy: StoredIndex | undefined): Gathered | undefined {
  return copy?.kept === 0 ? { root: copy.root, variables: {}, bytes: BYTES_A_PAGE } : undefined;
}

async function gatheredAt(
  objects: Objects,
  root: RevisionRecord["root"],
  last: Gathered | undefined,
): Promise<Gathered> {
  // What the last state was made of may be gone by now; then all pages are read.
  const since = last && (await gatheredSince(objects, root, last).catch(() => undefined));
  if (since) return since;
  const pages = await listAllPages(openRevision(objects, { root }));
  return gatheredOf(
    objects,
    root,
    !pages.every(isForAll) && new Map(pages.map((page) => [page.id, decidingSearch(page)])),
  );
}

/** From so many pages that differ on, reading all of them takes less: they are read one after the other. */
const MOST_DIFFERENT = 1000;

/** The next state, by the pages that differ; undefined: all pages are to be read, because not every one may be found now, or very
 * many differ. */
async function gatheredSince(
  objects: Objects,
  root: RevisionRecord["root"],
  last: Gathered,
): Promise<Gathered | undefined> {
  const pages = last.pages && new Map(last.pages);
  let different = 0;
  for await (const { key, after } of diffMaps(createNodeSource(objects), last.root, root, { under: keys.pages })) {
    if (++different > MOST_DIFFERENT) return undefined;
    const page = after as PageEntry | undefined;
    if (!pages && page && !isForAll(page)) return undefined;
    if (page) pages?.set(key.slice(keys.pages.length), decidingSearch(page));
    else pages?.delete(key.slice(keys.pages.length));
  }
  return gatheredOf(objects, root, pages);
}

/** The approximate memory of a page. */
const BYTES_A_PAGE = 200;

async function gatheredOf(
  objects: Objects,
  root: RevisionRecord["root"],
  pages: ReadonlyMap<string, SearchabilityFields> | false | undefined,
): Promise<Gathered> {
  if (!pages) return { root, variables: {}, bytes: BYTES_A_PAGE };
  const variables = await openRevision(objects, { root }).getVariables();
  return { root, pages, variables, bytes: BYTES_A_PAGE * (1 + pages.size) };
}

function decidingSearch(page: PageEntry): SearchabilityFields {
  const { hidden, noIndex } = page;
  return {
    ...getVisibilityFields(page),
    ...omitUndefined({ hidden: hidden ? hidden : undefined, noIndex: noIndex ? noIndex : undefined }),
  };
}

/** Whether the first page of `way` is excluded from search: by itself, or because it or a page above it is hidden. */
export function isExcludedFromSearch(way: readonly Pick<PageEntry, "hidden" | "noIndex">[]): boolean {
  return way[0]?.noIndex === true || way.some(({ hidden }) => hidden === true);
}

/** A visible page and those above it. A visible page is in no cycle. */
function wayIn(pages: ReadonlyMap<string, SearchabilityFields>, id: string): SearchabilityFields[] {
  const way: SearchabilityFields[] = [];
  for (let page = pages.get(id); page; page = pages.get(page.parent ?? "")) way.push(page);
  return way;
}
