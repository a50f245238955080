// The index of a space follows its content. It is updated from one state to another by the pages that differ. A process
// keeps recently used indexes. A copy is stored when much was read for one, so that no process reads it again.

import { loadMarkdownReader, loadSearch } from "../../../content/lazy";
import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { SearchIndex, SearchPage, SearchSection } from "../../../content/search";
import type { JobContext } from "../../../jobs/jobs";
import type { SpaceIndex } from "../../../ports/search-engine";
import { addStagedObject, type Objects, stageObject } from "../../../storage/objects";
import { Corrupt } from "../../../storage/storage";
import type { Reader } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { nodes } from "../../library/tree/records";
import { createNodeSource, type RevisionRecord, revisions } from "../revisions/records";
import { bringComputed, type ComputedPages, NONE_KNOWN, readKnown, writtenKnown } from "./computed-pages";
import { type StoredIndex, storedIndexes } from "./records";
import { variationsOf } from "./variations";

/** What using an index needs. */
export interface Indexing {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly jobContext: JobContext;
  readonly partition: string;
}

/** The content that an index is used for. */
interface Searched extends Pick<RevisionRecord, "space" | "root"> {
  readonly computed: ComputedPages;
}

/** Uses the index of a space at a revision. `isWorthStoring`: a copy is stored in any case. */
export async function withIndex<T>(
  indexing: Indexing,
  { space, root, computed }: Searched,
  use: (index: SearchIndex) => T,
  isWorthStoring = false,
): Promise<T> {
  const { tx, objects, jobContext } = indexing;
  const { spaceIndexes: lately, mutex: turns } = jobContext.ports.search.indexCache;
  const { result, copy } = await turns(space, async () => {
    const known = lately.get(space) ?? (await loaded(indexing, await storedIndexes.get(tx, space)));
    let at = known;
    if (known.contentRoot !== root || known.computedPages.name !== computed.name) {
      // An index that was updated only partly has no valid state.
      lately.delete(space);
      at = await brought(objects, known, { space, root, computed });
    }
    const isStored = isWorthStoring || (isMuch(at) && (await isActive(tx, space, root)));
    const copy = isStored ? await copyOf(at, computed.stated) : undefined;
    lately.set(space, copy ? { ...at, unsavedCharacters: 0 } : at);
    return { result: use(at.index), copy };
  });
  if (copy) {
    await yieldToEventLoop();
    await storeCopy(indexing, space, copy).catch(jobContext.onError);
  }
  return result;
}

/** What makes a copy worth its storing: so many characters that were read, and more of them in a large index. */
const MUCH = 100_000;
const MUCH_FOR_A_PAGE = 100;

export function isMuch({
  index,
  unsavedCharacters: unsaved,
}: Pick<SpaceIndex, "index" | "unsavedCharacters">): boolean {
  return unsaved >= Math.max(MUCH, index.size * MUCH_FOR_A_PAGE);
}

/** Whether a space shows this content. A copy of a change request would soon be replaced. */
async function isActive(tx: Reader, space: string, root: RevisionRecord["root"]): Promise<boolean> {
  const node = await nodes.get(tx, space);
  return node?.type === "space" && (await revisions.get(tx, space, node.revision))?.root === root;
}

/** An index as it is stored. */
interface Copy {
  readonly root: RevisionRecord["root"];
  readonly index: Uint8Array;
  readonly computed: Uint8Array | undefined;
  readonly stated: readonly string[];
  readonly kept: number | undefined;
}

/** The most pages that a copy names as computed. */
const MOST_STATED = 100;

async function copyOf(
  { index, contentRoot: root, computedPages: computed, restrictedPageCount: kept }: SpaceIndex,
  stated: readonly string[],
): Promise<Copy> {
  return { root, index: await runSteps(index.serializeInSteps()), computed: writtenKnown(computed), stated, kept };
}

/** Stores a copy in the place of the last one, unless the space is gone. */
async function storeCopy({ jobContext, partition }: Indexing, space: string, copy: Copy): Promise<void> {
  const { store } = jobContext;
  const index = await stageObject(store, partition, copy.index);
  const computed = copy.computed && (await stageObject(store, partition, copy.computed));
  await store.write(partition, async (tx) => {
    if (!(await nodes.get(tx, space))) return;
    await addStagedObject(tx, index);
    if (computed) await addStagedObject(tx, computed);
    const { root, stated, kept } = copy;
    await storedIndexes.put(tx, {
      ...{ space, root, object: index.hash },
      ...omitUndefined({ computed: computed?.hash, stated: stated.length <= MOST_STATED ? stated : undefined, kept }),
    });
  });
}

async function loaded({ objects, jobContext }: Indexing, stored: StoredIndex | undefined): Promise<SpaceIndex> {
  const { createSearchIndex, deserializeIndexInSteps } = await loadSearch();
  const copy =
    stored &&
    (await unlessDamaged(jobContext, async () => {
      const index = await runSteps(deserializeIndexInSteps(await objects.bytes(stored.object)));
      return index && { index, computedPages: await readKnown(objects, stored.computed) };
    }));
  if (!copy)
    return {
      index: createSearchIndex(),
      contentRoot: null,
      computedPages: NONE_KNOWN,
      restrictedPageCount: 0,
      unsavedCharacters: 0,
    };
  return { ...copy, contentRoot: stored.root, restrictedPageCount: stored.kept, unsavedCharacters: 0 };
}

/** A copy that is damaged or lost is as good as none: it is made anew from what it was made from. The host is told. */
export async function unlessDamaged<T>({ onError }: JobContext, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Corrupt)) throw error;
    onError(error);
    return undefined;
  }
}

/** An index at another state. */
async function brought(objects: Objects, known: SpaceIndex, to: Searched): Promise<SpaceIndex> {
  const { index } = known;
  let { unsavedCharacters: unsaved } = known;
  const put = async (page: SearchPage, characters: number) => {
    await runSteps(index.putInSteps(page));
    unsaved += characters;
  };
  const more = await bring(objects, known, to.root, put);
  const kept = known.restrictedPageCount === undefined ? undefined : known.restrictedPageCount + more;
  const remove = async (id: string) => void index.remove(id);
  const computed = await bringComputed(known.computedPages, to.computed, { put, remove });
  await runSteps(index.prepareInSteps());
  return {
    index,
    contentRoot: to.root,
    computedPages: computed,
    restrictedPageCount: kept,
    unsavedCharacters: unsaved,
  };
}

/** Pages whose texts are in memory at once. */
const PAGES_IN_MEMORY = 100;

/** Updates an index from one state of the stored pages to another. Gives how many more of them not everybody finds. */
async function bring(
  objects: Objects,
  { index, contentRoot: root }: SpaceIndex,
  to: RevisionRecord["root"],
  put: (page: SearchPage, characters: number) => Promise<void>,
): Promise<number> {
  let more = 0;
  let changed: [id: string, page: PageEntry][] = [];
  const flush = async () => {
    for (const { page, characters } of await searchPages(objects, changed)) await put(page, characters);
    changed = [];
  };
  for await (const { key, before, after } of diffMaps(createNodeSource(objects), root, to, { under: keys.pages })) {
    const id = key.slice(keys.pages.length);
    const [last, page] = [before, after] as (PageEntry | undefined)[];
    more += moreKept(last, page);
    if (!page) index.remove(id);
    else if (!isFoundAlike(last, page)) changed.push([id, page]);
    if (changed.length >= PAGES_IN_MEMORY) await flush();
  }
  await flush();
  return more;
}

/** How many more pages not everybody finds after a page has changed. */
export function moreKept(before: PageEntry | undefined, after: PageEntry | undefined): number {
  return Number(after !== undefined && !isForAll(after)) - Number(before !== undefined && !isForAll(before));
}

/** Whether everybody finds a page, and it keeps nobody from others. */
export function isForAll({ condition, hidden, noIndex }: PageEntry): boolean {
  return condition === undefined && !hidden && !noIndex;
}

/** Whether two states of a page have the same words for the search. */
export function isFoundAlike(before: PageEntry | undefined, after: PageEntry): boolean {
  return before?.title === after.title && before.description === after.description && before.body === after.body;
}

/** Pages as entries of an index, and how long their texts are. */
export async function searchPages(
  objects: Objects,
  pages: readonly (readonly [id: string, page: PageEntry])[],
): Promise<{ readonly page: SearchPage; readonly characters: number }[]> {
  const bodies = pages.flatMap(([, { body }]) => (body === undefined ? [] : [body]));
  const texts = new Map((await objects.texts(bodies)).map((text, i) => [bodies[i]!, text]));
  const { sectionsInSteps } = await loadMarkdownReader();
  const found: { page: SearchPage; characters: number }[] = [];
  for (const [id, { title, description, body }] of pages) {
    const text = body === undefined ? "" : texts.get(body)!;
    const sections = await runSteps(sectionsInSteps(text));
    // Excerpts are made from these.
    if (body !== undefined) cacheSections(objects, body, text, sections);
    const variesBy = variationsOf(title, description, text);
    const page = { id, title, ...omitUndefined({ description }), sections, ...variesBy };
    found.push({ page, characters: text.length });
  }
  return found;
}

/** The sections of a text, and what the text may depend on. */
export interface CachedSections extends Pick<SearchPage, "variesBy"> {
  readonly sections: readonly SearchSection[];
}

function cacheSections({ cache }: Objects, body: string, text: string, sections: readonly SearchSection[]): void {
  const value: CachedSections = { sections, ...variationsOf("", undefined, text) };
  cache.set(`sections ${body}`, { value, bytes: 2 * text.length });
}

/** Returns the sections of a text that this process has read recently. */
export function findCachedSections({ cache }: Objects, body: string): CachedSections | undefined {
  return cache.get(`sections ${body}`)?.value as CachedSections | undefined;
}

/** The sections of a page, for excerpts. */
export async function sectionsOf(objects: Objects, body: string | undefined): Promise<readonly SearchSection[]> {
  if (body === undefined) return [];
  const known = findCachedSections(objects, body);
  if (known) return known.sections;
  const text = await objects.text(body);
  const { sectionsInSteps } = await loadMarkdownReader();
  const sections = await runSteps(sectionsInSteps(text));
  cacheSections(objects, body, text, sections);
  return sections;
}
