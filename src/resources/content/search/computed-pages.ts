// The computed pages of a space for its search: all of them, those that the caller may not see, and those that differ from
// the pages that an index, or the host's engine, already has.

import { loadMarkdownReader } from "../../../content/lazy";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { SearchPage } from "../../../content/search";
import type { IndexedComputedPages } from "../../../ports/search-engine";
import type { Objects } from "../../../storage/objects";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { yieldOnce } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import type { OrganizationContext } from "../../people/organizations/rules";
import {
  type ComputedPageList,
  listComputedPages,
  loadComputedSource,
  loadExpansion,
  type RevisionRoot,
} from "../revisions/computed-content";
import type { ComputedSourceContent, SourceContext } from "../revisions/computed-sources";
import { openRevision } from "../revisions/records";
import { storedIndexes } from "./records";
import { detectVariations } from "./variations";

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

/** A computed page with its text. */
interface SearchableComputedPage extends Omit<SearchPage, "sections"> {
  readonly text: string;
}

/** No computed pages. */
export const NO_PAGES: ComputedPages = { name: "", ids: [], computedPageIds: [], origins: new Map(), pages: () => [] };
export const NO_INDEXED_PAGES: IndexedComputedPages = { name: "", digests: new Map() };

/** The context in which computed pages are read. */
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

/** Reads a stored list of indexed pages. */
export async function readIndexedPages(objects: Objects, object: string | undefined): Promise<IndexedComputedPages> {
  if (object === undefined) return NO_INDEXED_PAGES;
  const { name, pages } = JSON.parse(await objects.text(object));
  return { name, digests: new Map(Object.entries(pages as Readonly<Record<string, string>>)) };
}
