// The index of a space follows its content. It is updated from one state to another by the pages that differ. A process
// keeps recently used indexes. A copy is stored now and then for new processes.

import { loadReader, loadSearch } from "../../../content/late";
import { diff } from "../../../content/map";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { SearchIndex, SearchPage, Section } from "../../../content/search";
import type { ComputedPages, IndexAt, Indexes } from "../../../parts/search-engine";
import type { Objects } from "../../../store/objects";
import { type InTurns, inTurns, takingTurns } from "../../../turns/pause";
import { nodesOf, type RevisionRecord } from "../revisions/records";
import type { StoredIndex } from "./records";

/** No computed pages. */
const NONE: ComputedPages = { name: "", ids: [], pages: () => [] };

/** Uses the index of a space at a revision. */
export async function withIndex<T>(
  { lately, turns }: Indexes,
  objects: Objects,
  stored: StoredIndex | undefined,
  { space, root }: Pick<RevisionRecord, "space" | "root">,
  use: (index: SearchIndex) => T,
  computed: ComputedPages = NONE,
): Promise<T> {
  return turns(space, async () => {
    const known = lately.get(space) ?? (await loaded(objects, stored));
    // An index that was updated only partly has no valid state.
    const isSame = known.root === root && known.computed.name === computed.name;
    if (!isSame) lately.delete(space);
    await bring(known.index, objects, known.root, root);
    if (known.computed.name !== computed.name) {
      for (const id of known.computed.ids) known.index.remove(id);
      const carryOut = takingTurns();
      for (const page of computed.pages()) await carryOut(known.index.putInSteps(page));
    }
    lately.set(space, { index: known.index, root, computed: { name: computed.name, ids: computed.ids } });
    return use(known.index);
  });
}

async function loaded(objects: Objects, stored: StoredIndex | undefined): Promise<IndexAt> {
  const { createIndex, loadIndex } = await loadSearch();
  const bytes = stored && (await objects.bytes(stored.object));
  const index = bytes && loadIndex(bytes);
  return index ? { index, root: stored.root, computed: NONE } : { index: createIndex(), root: null, computed: NONE };
}

/** Pages whose texts are in memory at once. */
const PAGES_IN_MEMORY = 100;

/** Updates an index from one state of the content to another. */
async function bring(
  index: SearchIndex,
  objects: Objects,
  from: RevisionRecord["root"],
  to: RevisionRecord["root"],
): Promise<void> {
  let changed: [id: string, page: PageEntry][] = [];
  const carryOut = takingTurns();
  const flush = async () => {
    for (const page of await searchPages(objects, changed, carryOut)) await carryOut(index.putInSteps(page));
    changed = [];
  };
  for await (const { key, before, after } of diff(nodesOf(objects), from, to, { under: keys.pages })) {
    const id = key.slice(keys.pages.length);
    const page = after as PageEntry | undefined;
    if (!page) index.remove(id);
    else if (!isFoundAlike(before as PageEntry | undefined, page)) changed.push([id, page]);
    if (changed.length >= PAGES_IN_MEMORY) await flush();
  }
  await flush();
}

/** Whether two states of a page have the same words for the search. */
export function isFoundAlike(before: PageEntry | undefined, after: PageEntry): boolean {
  return before?.title === after.title && before.description === after.description && before.body === after.body;
}

/** Pages as entries of an index. */
export async function searchPages(
  objects: Objects,
  pages: readonly (readonly [id: string, page: PageEntry])[],
  carryOut: InTurns = takingTurns(),
): Promise<SearchPage[]> {
  const bodies = pages.flatMap(([, { body }]) => (body === undefined ? [] : [body]));
  const texts = new Map((await objects.texts(bodies)).map((text, i) => [bodies[i]!, text]));
  const { readInSteps } = await loadReader();
  const found: SearchPage[] = [];
  for (const [id, { title, description, body }] of pages) {
    const sections = body === undefined ? [] : (await carryOut(readInSteps(texts.get(body)!))).sections;
    found.push({ id, title, ...(description === undefined ? {} : { description }), sections });
  }
  return found;
}

/** The sections of a page, for excerpts. */
export async function sectionsOf(objects: Objects, body: string | undefined): Promise<readonly Section[]> {
  if (body === undefined) return [];
  const name = `sections ${body}`;
  const known = objects.cache.get(name)?.value as readonly Section[] | undefined;
  if (known) return known;
  const text = await objects.text(body);
  const { readInSteps } = await loadReader();
  const { sections } = await inTurns(readInSteps(text));
  objects.cache.set(name, { value: sections, bytes: 2 * text.length });
  return sections;
}
