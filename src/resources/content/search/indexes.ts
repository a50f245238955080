/**
 * Caches one search index per space and updates it to the revision that is searched.
 *
 * An index is updated from the revision it was built for by the pages that differ, and by the computed pages that differ. When
 * enough text was indexed since the last snapshot, a new one is saved, so that the next process starts from it.
 */

import { isAdaptive } from "../../../content/evaluate/conditions";
import { loadMarkdownReader, loadSearch } from "../../../content/lazy";
import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { RankingScope, SearchIndex, SearchPage, SearchSection, TextVariation } from "../../../content/search";
import type { JobContext } from "../../../jobs/jobs";
import type { IndexedComputedPages, SpaceIndex } from "../../../ports/search-engine";
import { addStagedObject, type Objects, stageObject } from "../../../storage/objects";
import { Corrupt } from "../../../storage/storage";
import type { Reader } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { yieldOnce } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { nodes } from "../../library/tree/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import {
  type ComputedPageList,
  listComputedPages,
  loadComputedSource,
  loadExpansion,
  type RevisionRoot,
} from "../revisions/computed-content";
import type { ComputedSourceContent, SourceContext } from "../revisions/computed-sources";
import { createNodeSource, openRevision, type RevisionRecord, revisions } from "../revisions/records";
import { includeSyntax } from "../revisions/texts";
import { type StoredIndex, storedIndexes } from "./records";

/** Pages of one index that are ranked. */
export interface IndexPart {
  /** Calls `run` with the index, and with the filter of the pages that are ranked. */
  readonly use: <T>(run: (index: SearchIndex, isIn: RankingScope["includes"]) => T) => Promise<T>;
}

export interface IndexContext {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly jobContext: JobContext;
  readonly partition: string;
}

interface IndexTarget extends Pick<RevisionRecord, "space" | "root"> {
  readonly computed: ComputedPages;
}

/** A snapshot is saved when at least this much text was indexed since the last one... */
const SNAPSHOT_MIN_CHARACTERS = 100_000;
/** ...and at least this much for each page, so that large indexes are saved less often. */
const SNAPSHOT_MIN_CHARACTERS_PER_PAGE = 100;
/** The most computed pages that a snapshot lists by id. */
const MAX_LISTED_COMPUTED_PAGES = 100;
/** Pages whose texts are in memory at once. */
const PAGES_IN_MEMORY = 100;

/** Runs `query` on the index of a space, updated to `target`. */
export async function querySpaceIndex<T>(
  context: IndexContext,
  target: IndexTarget,
  query: (index: SearchIndex) => T,
  { forceSnapshot = false } = {},
): Promise<T> {
  const { tx, objects, jobContext, partition } = context;
  const { space, root, computed } = target;
  const { entries, mutex } = jobContext.ports.search.indexCache;
  const { result, snapshot } = await mutex(space, async () => {
    let entry =
      entries.get<SpaceIndex>(space) ?? (await loadIndexSnapshot(context, await storedIndexes.get(tx, space)));
    if (entry.contentRoot !== root || entry.computedPages.name !== computed.name) {
      // If the update fails halfway, the index has no valid state: it is dropped before.
      entries.delete(space);
      entry = await updateIndex(objects, entry, target);
    }
    let shouldSnapshot = forceSnapshot;
    if (!shouldSnapshot && hasEnoughUnsavedText(entry)) {
      // The snapshot of a change request would soon be replaced, so only that of the active revision is saved.
      const node = await nodes.get(tx, space);
      shouldSnapshot = node?.type === "space" && (await revisions.get(tx, space, node.revision))?.root === root;
    }
    const snapshot: IndexSnapshot | undefined = shouldSnapshot
      ? {
          root: entry.contentRoot,
          index: await runSteps(entry.index.serializeInSteps()),
          computed: serializeIndexedPages(entry.computedPages),
          computedPageIds: computed.computedPageIds,
          restrictedPageCount: entry.restrictedPageCount,
        }
      : undefined;
    const current = snapshot ? { ...entry, unsavedCharacters: 0 } : entry;
    entries.set(space, current, { bytes: current.index.bytes });
    // A query of a large index takes a while of its own.
    await yieldToEventLoop();
    return { result: query(entry.index), snapshot };
  });
  if (snapshot) {
    await yieldToEventLoop();
    // Saving is an optimization: a failure is reported to the host, and the caller still gets the result.
    try {
      const { store } = jobContext;
      const index = await stageObject(store, partition, snapshot.index);
      const computedPages = snapshot.computed && (await stageObject(store, partition, snapshot.computed));
      await store.write(partition, async (tx) => {
        // The space may be gone.
        if (!(await nodes.get(tx, space))) return;
        await addStagedObject(tx, index);
        if (computedPages) await addStagedObject(tx, computedPages);
        const { computedPageIds, restrictedPageCount } = snapshot;
        const stated = computedPageIds.length <= MAX_LISTED_COMPUTED_PAGES ? computedPageIds : undefined;
        await storedIndexes.put(tx, {
          ...{ space, root: snapshot.root, object: index.hash },
          ...omitUndefined({ computed: computedPages?.hash, stated, kept: restrictedPageCount }),
        });
      });
    } catch (error) {
      jobContext.onError(error);
    }
  }
  return result;
}

/** Checks whether enough text was indexed since the last snapshot to save another one. */
export function hasEnoughUnsavedText({
  index,
  unsavedCharacters,
}: Pick<SpaceIndex, "index" | "unsavedCharacters">): boolean {
  return unsavedCharacters >= Math.max(SNAPSHOT_MIN_CHARACTERS, index.size * SNAPSHOT_MIN_CHARACTERS_PER_PAGE);
}

interface IndexSnapshot {
  readonly root: RevisionRecord["root"];
  readonly index: Uint8Array;
  readonly computed: Uint8Array | undefined;
  readonly computedPageIds: readonly string[];
  readonly restrictedPageCount: number | undefined;
}

/** Loads a snapshot. Returns an empty index if there is none that can be read. */
async function loadIndexSnapshot(
  { objects, jobContext }: IndexContext,
  stored: StoredIndex | undefined,
): Promise<SpaceIndex> {
  const { createSearchIndex, deserializeIndexInSteps } = await loadSearch();
  const snapshot =
    stored &&
    (await readUnlessCorrupt(jobContext, async () => {
      const index = await runSteps(deserializeIndexInSteps(await objects.bytes(stored.object)));
      return index && { index, computedPages: await readIndexedPages(objects, stored.computed) };
    }));
  if (!snapshot)
    return {
      index: createSearchIndex(),
      contentRoot: null,
      computedPages: NO_INDEXED_PAGES,
      restrictedPageCount: 0,
      unsavedCharacters: 0,
    };
  return { ...snapshot, contentRoot: stored.root, restrictedPageCount: stored.kept, unsavedCharacters: 0 };
}

/** Reads a snapshot. Returns undefined if it is corrupt or lost, and reports that to the host; it is then built again. */
export async function readUnlessCorrupt<T>({ onError }: JobContext, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Corrupt)) throw error;
    onError(error);
    return undefined;
  }
}

/** Updates an index to `target`, by the pages that differ from its own state. */
async function updateIndex(objects: Objects, entry: SpaceIndex, target: IndexTarget): Promise<SpaceIndex> {
  const { index } = entry;
  let { restrictedPageCount, unsavedCharacters } = entry;
  const put = async (page: SearchPage, characters: number) => {
    await runSteps(index.putInSteps(page));
    unsavedCharacters += characters;
  };

  let changed: [id: string, page: PageEntry][] = [];
  const flush = async () => {
    for (const { page, characters } of await readSearchPages(objects, changed)) await put(page, characters);
    changed = [];
  };
  const source = createNodeSource(objects);
  for await (const change of diffMaps(source, entry.contentRoot, target.root, { under: keys.pages })) {
    const id = change.key.slice(keys.pages.length);
    const [before, after] = [change.before, change.after] as (PageEntry | undefined)[];
    if (restrictedPageCount !== undefined) restrictedPageCount += countNewlyRestricted(before, after);
    if (!after) index.remove(id);
    else if (!hasSameSearchText(before, after)) changed.push([id, after]);
    if (changed.length >= PAGES_IN_MEMORY) await flush();
  }
  await flush();

  const remove = async (id: string) => void index.remove(id);
  const computedPages = await updateComputedPages(entry.computedPages, target.computed, { put, remove });
  await runSteps(index.prepareInSteps());
  return { index, contentRoot: target.root, computedPages, restrictedPageCount, unsavedCharacters };
}

/** Returns 1 if a change restricts a page to some readers, -1 if it opens the page to all, otherwise 0. */
export function countNewlyRestricted(before: PageEntry | undefined, after: PageEntry | undefined): number {
  return (
    Number(after !== undefined && !isUnrestricted(after)) - Number(before !== undefined && !isUnrestricted(before))
  );
}

/** Checks whether every reader finds a page and the pages below it. */
export function isUnrestricted({ condition, hidden, noIndex }: PageEntry): boolean {
  return condition === undefined && !hidden && !noIndex;
}

/** Checks whether two states of a page have the same words for the search. */
export function hasSameSearchText(before: PageEntry | undefined, after: PageEntry): boolean {
  return before?.title === after.title && before.description === after.description && before.body === after.body;
}

/** Reads the texts of pages. Returns the pages as an index takes them, and the lengths of their texts. */
export async function readSearchPages(
  objects: Objects,
  pages: readonly (readonly [id: string, page: PageEntry])[],
): Promise<{ readonly page: SearchPage; readonly characters: number }[]> {
  const bodies = pages.flatMap(([, { body }]) => (body === undefined ? [] : [body]));
  const texts = new Map((await objects.texts(bodies)).map((text, i) => [bodies[i]!, text]));
  const { readSectionsInSteps: sectionsInSteps } = await loadMarkdownReader();
  const found: { page: SearchPage; characters: number }[] = [];
  for (const [id, { title, description, body }] of pages) {
    const text = body === undefined ? "" : texts.get(body)!;
    const sections = await runSteps(sectionsInSteps(text));
    // Excerpts are taken from these.
    if (body !== undefined) cacheSections(objects, body, text, sections);
    const variesBy = detectVariations(title, description, text);
    const page = { id, title, ...omitUndefined({ description }), sections, ...variesBy };
    found.push({ page, characters: text.length });
  }
  return found;
}

/** The sections of a text, and the ways in which it varies. */
export interface CachedSections extends Pick<SearchPage, "variesBy"> {
  readonly sections: readonly SearchSection[];
}

function cacheSections({ cache }: Objects, body: string, text: string, sections: readonly SearchSection[]): void {
  const value: CachedSections = { sections, ...detectVariations("", undefined, text) };
  cache.set(`sections ${body}`, value, { bytes: 2 * text.length });
}

/** Returns the sections of a text that this process has read recently. */
export function findCachedSections({ cache }: Objects, body: string): CachedSections | undefined {
  return cache.get(`sections ${body}`);
}

export async function readSections(objects: Objects, body: string | undefined): Promise<readonly SearchSection[]> {
  if (body === undefined) return [];
  const cached = findCachedSections(objects, body);
  if (cached) return cached.sections;
  const text = await objects.text(body);
  const { readSectionsInSteps: sectionsInSteps } = await loadMarkdownReader();
  const sections = await runSteps(sectionsInSteps(text));
  cacheSections(objects, body, text, sections);
  return sections;
}

// Computed pages: all of a space, those that the caller may not see, and those that differ from the pages that an index, or the
// host's engine, already has.

/** The computed pages of a space, for one state of their sources. */
export interface ComputedPages {
  /** The same name means the same pages. */
  readonly name: string;
  readonly ids: readonly string[];
  /** The ids of the pages of the space that they come from. */
  readonly computedPageIds: readonly string[];
  /** By the id of a computed page: the page of the space that it comes from. */
  readonly origins: ReadonlyMap<string, string>;
  readonly pages: () => Iterable<SearchableComputedPage>;
}

interface SearchableComputedPage extends Omit<SearchPage, "sections"> {
  readonly text: string;
}

export const NO_PAGES: ComputedPages = { name: "", ids: [], computedPageIds: [], origins: new Map(), pages: () => [] };
export const NO_INDEXED_PAGES: IndexedComputedPages = { name: "", digests: new Map() };

export interface ComputedSearchContext extends SourceContext, Pick<OrganizationContext, "me"> {
  readonly revision: RevisionRoot;
}

/** Reads all computed pages of a space. `hidden` has the ids of those from sources that `isVisible` denies. */
export async function readComputedPages(
  context: ComputedSearchContext,
  isVisible: (source: ComputedSourceContent) => boolean,
): Promise<{ readonly computed: ComputedPages; readonly hidden: ReadonlySet<string> }> {
  const { tx, objects, revision, jobContext } = context;
  const hidden = new Set<string>();
  const expand = async (page: WithId<PageEntry>) => {
    const source = await loadComputedSource(context, revision.space, page);
    if (!source) return [];
    const { name, expansion } = await loadExpansion(objects, page, source);
    if (!isVisible(source)) for (const id of expansion.pageIds) hidden.add(id);
    return [{ name: `${page.id} ${name}`, origin: page.id, expansion }];
  };
  // In a large space it takes long to look for them, so the snapshot of the index lists those of its content.
  const readFromSnapshot = async (): Promise<ComputedPageList | undefined> => {
    const snapshot = await storedIndexes.get(tx, revision.space);
    if (!snapshot?.stated) return undefined;
    const pages = await openRevision(objects, snapshot).getPages(snapshot.stated);
    return { root: snapshot.root, pages: pages.filter((page) => page !== undefined) };
  };
  const stated = await listComputedPages(objects, revision, readFromSnapshot);
  if (stated.length === 0) return { computed: NO_PAGES, hidden };
  const found = (await Promise.all(stated.map(expand))).flat();
  const computed: ComputedPages = {
    // Another release may write the same operation in other words.
    name: [jobContext.ports.search.release, ...found.map(({ name }) => name)].join(" "),
    ids: found.flatMap(({ expansion }) => expansion.pageIds),
    computedPageIds: stated.map(({ id }) => id),
    origins: new Map(found.flatMap(({ origin, expansion }) => expansion.pageIds.map((id) => [id, origin] as const))),
    *pages() {
      for (const { expansion } of found) {
        const { entries, texts, pageIds } = expansion;
        for (const id of pageIds) {
          const { title, description, body } = entries.get(keys.page(id)) as PageEntry;
          // A lazy text that is not loaded is left out: a search would load all of them.
          const text = texts.get(body ?? "")?.() ?? "";
          yield { id, title, ...omitUndefined({ description }), text };
        }
      }
    },
  };
  return { computed, hidden };
}

/** The index, or the engine, that is updated. */
interface PageSink {
  readonly put: (page: SearchPage, characters: number) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** Puts the computed pages that differ from the indexed ones, and removes those that are gone. Returns the indexed pages. */
export async function updateComputedPages(
  indexed: IndexedComputedPages,
  computed: ComputedPages,
  { put, remove }: PageSink,
): Promise<IndexedComputedPages> {
  if (indexed.name === computed.name) return indexed;
  const { readSectionsInSteps } = await loadMarkdownReader();
  const pages = new Map<string, string>();
  for (const { text, ...page } of computed.pages()) {
    const digest = sha256Hex(JSON.stringify([page.title, page.description, text])).slice(0, 16);
    await runSteps(yieldOnce());
    pages.set(page.id, digest);
    if (indexed.digests.get(page.id) === digest) continue;
    const variesBy = detectVariations(page.title, page.description, text);
    const sections = await runSteps(readSectionsInSteps(text));
    await put({ ...page, sections, ...variesBy }, text.length);
  }
  for (const id of indexed.digests.keys()) if (!pages.has(id)) await remove(id);
  return { name: computed.name, digests: pages };
}

/** Serializes the list of indexed pages. Returns undefined if there are none. */
export function serializeIndexedPages({ name, digests: pages }: IndexedComputedPages): Uint8Array | undefined {
  if (name === "") return undefined;
  return new TextEncoder().encode(JSON.stringify({ name, pages: Object.fromEntries(pages) }));
}

export async function readIndexedPages(objects: Objects, object: string | undefined): Promise<IndexedComputedPages> {
  if (object === undefined) return NO_INDEXED_PAGES;
  const { name, pages } = JSON.parse(await objects.text(object));
  return { name, digests: new Map(Object.entries(pages as Readonly<Record<string, string>>)) };
}

// Pages whose text differs between readers. The search of a visitor reads these as the visitor does.

/** Detects the ways in which the words of a page vary. */
export function detectVariations(
  title: string,
  description: string | undefined,
  text: string,
): Pick<SearchPage, "variesBy"> {
  const variesBy: TextVariation[] = [];
  if ([title, description, text].some((words) => words !== undefined && isAdaptive(words))) variesBy.push("reader");
  if (includeSyntax.test(text)) variesBy.push("book");
  return variesBy.length === 0 ? {} : { variesBy };
}

/** Lists the pages of an index whose text varies. `isInBook` checks for pages of an mdBook; undefined: there are none. */
export function listVaryingPages(
  index: SearchIndex,
  isInBook: ((id: string) => boolean) | undefined,
): ReadonlySet<string> {
  const varying = new Set(index.listVaryingIds("reader"));
  // Nearly every page with code is in this list.
  if (isInBook) for (const id of index.listVaryingIds("book")) if (isInBook(id)) varying.add(id);
  return varying;
}
