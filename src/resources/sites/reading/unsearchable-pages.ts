// Decides which pages of a space a visitor cannot find by search: those that are not visible, those excluded from search, and
// hidden pages with everything below them. The fields that decide it are collected once per space, cached beside the search
// indexes, and updated by the pages that differ. If the stored snapshot of an index tells that everyone finds all pages, the
// cache starts from that.

import type { Claims } from "../../../content/claims";
import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry, type VariableValue } from "../../../content/revision/entries";
import type { JobContext } from "../../../jobs/jobs";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { createNodeSource, listAllPages, openRevision, type RevisionRecord } from "../../content/revisions/records";
import { isUnrestricted } from "../../content/search/indexes";
import { storedIndexes } from "../../content/search/records";
import { createPageVisibilityCheck, getVisibilityFields, type VisibilityFields } from "./visible-pages";

/** The fields of a page that decide whether a search finds it. */
interface SearchabilityFields extends VisibilityFields, Pick<PageEntry, "hidden" | "noIndex"> {}

/** The cached fields of all pages of a space at one revision. */
interface SearchabilityOfPages {
  readonly root: RevisionRecord["root"];
  /** Undefined if every visitor finds every page. */
  readonly pages?: ReadonlyMap<string, SearchabilityFields>;
  readonly variables: Readonly<Record<string, VariableValue>>;
  readonly bytes: number;
}

/** The cached ids of the pages that a visitor with certain claims does not find at one revision of a space. */
interface UnsearchablePages {
  readonly root: RevisionRecord["root"];
  readonly pages: ReadonlySet<string>;
  readonly bytes: number;
}

const NO_PAGES: ReadonlySet<string> = new Set();
/** Approximate memory of a page in these caches. */
const BYTES_PER_PAGE = 200;
/** If more pages differ than this, reading all of them is faster: differing pages are read one by one. */
const MAX_DIFFERENT_PAGES = 1000;

/**
 * Returns the stored pages of a space that a visitor with these claims does not find. Computed pages are found where the
 * pages are that they come from.
 */
export async function getUnsearchablePages(
  { tx, objects, jobContext }: { readonly tx: Reader; readonly objects: Objects; readonly jobContext: JobContext },
  { space, root }: Pick<RevisionRecord, "space" | "root">,
  claims: Claims,
): Promise<ReadonlySet<string>> {
  const { derivedData } = jobContext.ports.search.indexCache;
  const name = `searchable ${space}`;
  let last = derivedData.get(name) as SearchabilityOfPages | undefined;
  if (!last) {
    // The stored snapshot of an index tells whether everyone finds all pages that it was built from.
    const snapshot = await storedIndexes.get(tx.unchecked, space);
    if (snapshot?.kept === 0) last = { root: snapshot.root, variables: {}, bytes: BYTES_PER_PAGE };
  }
  let current = last?.root === root ? last : undefined;
  // The objects of the other revision may have been deleted by now. Then all pages are read.
  if (!current && last) current = await updateSearchability(objects, root, last).catch(() => undefined);
  if (!current) {
    const all = await listAllPages(openRevision(objects, { root }));
    const fields = all.every(isUnrestricted)
      ? undefined
      : new Map(all.map((page) => [page.id, getSearchabilityFields(page)]));
    current = await createSearchability(objects, root, fields);
  }
  derivedData.set(name, current);
  const { pages, variables } = current;
  if (!pages) return NO_PAGES;

  const hiddenName = `hidden ${space} ${sha256Hex(JSON.stringify(claims))}`;
  const known = derivedData.get(hiddenName) as UnsearchablePages | undefined;
  if (known?.root === root) return known.pages;
  const hidden = new Set<string>();
  const isVisible = createPageVisibilityCheck(pages, variables, claims);
  for (const id of pages.keys()) {
    // A visible page is in no cycle.
    const ancestry: SearchabilityFields[] = [];
    if (isVisible(id)) for (let page = pages.get(id); page; page = pages.get(page.parent ?? "")) ancestry.push(page);
    if (!isVisible(id) || isExcludedFromSearch(ancestry)) hidden.add(id);
    await yieldToEventLoop();
  }
  const entry: UnsearchablePages = { root, pages: hidden, bytes: BYTES_PER_PAGE * (1 + hidden.size) };
  derivedData.set(hiddenName, entry);
  return hidden;
}

/** Returns whether the first page of `ancestry` is excluded from search: by itself, or because it or a parent is hidden. */
export function isExcludedFromSearch(ancestry: readonly Pick<PageEntry, "hidden" | "noIndex">[]): boolean {
  return ancestry[0]?.noIndex === true || ancestry.some(({ hidden }) => hidden === true);
}

/**
 * Applies the pages that differ. Returns undefined if all pages have to be read, because very many differ, or because some
 * visitors no longer find every page.
 */
async function updateSearchability(
  objects: Objects,
  root: RevisionRecord["root"],
  last: SearchabilityOfPages,
): Promise<SearchabilityOfPages | undefined> {
  const pages = last.pages && new Map(last.pages);
  let different = 0;
  for await (const { key, after } of diffMaps(createNodeSource(objects), last.root, root, { under: keys.pages })) {
    if (++different > MAX_DIFFERENT_PAGES) return undefined;
    const page = after as PageEntry | undefined;
    if (!pages && page && !isUnrestricted(page)) return undefined;
    if (page) pages?.set(key.slice(keys.pages.length), getSearchabilityFields(page));
    else pages?.delete(key.slice(keys.pages.length));
  }
  return createSearchability(objects, root, pages);
}

async function createSearchability(
  objects: Objects,
  root: RevisionRecord["root"],
  pages: ReadonlyMap<string, SearchabilityFields> | undefined,
): Promise<SearchabilityOfPages> {
  if (!pages) return { root, variables: {}, bytes: BYTES_PER_PAGE };
  const variables = await openRevision(objects, { root }).getVariables();
  return { root, pages, variables, bytes: BYTES_PER_PAGE * (1 + pages.size) };
}

function getSearchabilityFields(page: PageEntry): SearchabilityFields {
  const { hidden, noIndex } = page;
  return {
    ...getVisibilityFields(page),
    ...omitUndefined({ hidden: hidden ? hidden : undefined, noIndex: noIndex ? noIndex : undefined }),
  };
}
