// The computed pages of a space, for its search: all of them, those that the caller may not see, and those that differ from
// what an index, or the host's engine, already has.

import { loadMarkdownReader } from "../../../content/lazy";
import type { Expansion } from "../../../content/revision/computed";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { SearchPage } from "../../../content/search";
import type { IndexedComputedPages } from "../../../ports/search-engine";
import type { Objects } from "../../../storage/objects";
import { runSteps } from "../../../utils/concurrency/event-loop";
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
import { variationsOf } from "./variations";

/** The computed pages of a space, for one state of their sources. */
export interface ComputedPages {
  /** The same name means the same pages. */
  readonly name: string;
  readonly ids: readonly string[];
  /** The ids of the pages of the space that they come from. */
  readonly stated: readonly string[];
  /** By the id of a computed page: the page of the space that it comes from. */
  readonly origins: ReadonlyMap<string, string>;
  readonly pages: () => Iterable<ComputedText>;
}

/** A computed page with its text. */
interface ComputedText extends Omit<SearchPage, "sections"> {
  readonly text: string;
}

/** No computed pages. */
export const NO_PAGES: ComputedPages = { name: "", ids: [], stated: [], origins: new Map(), pages: () => [] };
export const NONE_KNOWN: IndexedComputedPages = { name: "", digests: new Map() };

/** Where computed pages are looked for. */
export interface LookingForComputed extends SourceContext, Pick<OrganizationContext, "me"> {
  readonly revision: RevisionRoot;
}

/** All computed pages of a space, and which of their sources `isSeen` denies. */
export async function computedIn(
  context: LookingForComputed,
  isSeen: (source: ComputedSourceContent) => boolean,
): Promise<{ readonly computed: ComputedPages; readonly hidden: ReadonlySet<string> }> {
  const { objects, revision, jobContext } = context;
  const hidden = new Set<string>();
  const workOut = async (page: WithId<PageEntry>) => {
    const source = await loadComputedSource(context, revision.space, page);
    if (!source) return [];
    const { name, expansion } = await loadExpansion(objects, page, source);
    if (!isSeen(source)) for (const id of expansion.pageIds) hidden.add(id);
    return [{ name: `${page.id} ${name}`, origin: page.id, expansion }];
  };
  const stated = await listComputedPages(objects, revision, () => statedByCopy(context));
  if (stated.length === 0) return { computed: NO_PAGES, hidden };
  const found = (await Promise.all(stated.map(workOut))).flat();
  const computed: ComputedPages = {
    // Another release may write the same operation in other words.
    name: [jobContext.ports.search.release, ...found.map(({ name }) => name)].join(" "),
    ids: found.flatMap(({ expansion }) => expansion.pageIds),
    stated: stated.map(({ id }) => id),
    origins: new Map(found.flatMap(({ origin, expansion }) => expansion.pageIds.map((id) => [id, origin] as const))),
    *pages() {
      for (const { expansion } of found) yield* textsOf(expansion);
    },
  };
  return { computed, hidden };
}

/** The computed pages of the content that the stored copy of the index was made from. In a large space it takes long to look
 * for them. */
async function statedByCopy({ tx, objects, revision }: LookingForComputed): Promise<ComputedPageList | undefined> {
  const copy = await storedIndexes.get(tx, revision.space);
  if (!copy?.stated) return undefined;
  const pages = await openRevision(objects, copy).getPages(copy.stated);
  return { root: copy.root, pages: pages.filter((page) => page !== undefined) };
}

function* textsOf({ entries, texts, pageIds: ids }: Expansion): Generator<ComputedText> {
  for (const id of ids) {
    const { title, description, body } = entries.get(keys.page(id)) as PageEntry;
    // A text that is late is not asked for: a search would ask for all of them.
    const text = texts.get(body ?? "")?.() ?? "";
    yield { id, title, ...omitUndefined({ description }), text };
  }
}

/** Who is told what differs. */
interface Told {
  readonly put: (page: SearchPage, characters: number) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** Tells which computed pages differ from the known ones, and gives those that are known then. */
export async function bringComputed(
  known: IndexedComputedPages,
  computed: ComputedPages,
  { put, remove }: Told,
): Promise<IndexedComputedPages> {
  if (known.name === computed.name) return known;
  const { sectionsInSteps } = await loadMarkdownReader();
  const pages = new Map<string, string>();
  function* differing({ text, ...page }: ComputedText) {
    const digest = sha256Hex(JSON.stringify([page.title, page.description, text])).slice(0, 16);
    yield;
    pages.set(page.id, digest);
    if (known.digests.get(page.id) === digest) return undefined;
    const variesBy = variationsOf(page.title, page.description, text);
    return { ...page, sections: yield* sectionsInSteps(text), ...variesBy };
  }
  for (const page of computed.pages()) {
    const found = await runSteps(differing(page));
    if (found) await put(found, page.text.length);
  }
  for (const id of known.digests.keys()) if (!pages.has(id)) await remove(id);
  return { name: computed.name, digests: pages };
}

/** Known pages as bytes, to be stored; undefined: there are none. */
export function writtenKnown({ name, digests: pages }: IndexedComputedPages): Uint8Array | undefined {
  if (name === "") return undefined;
  return new TextEncoder().encode(JSON.stringify({ name, pages: Object.fromEntries(pages) }));
}

/** Known pages that were stored. */
export async function readKnown(objects: Objects, object: string | undefined): Promise<IndexedComputedPages> {
  if (object === undefined) return NONE_KNOWN;
  const { name, pages } = JSON.parse(await objects.text(object));
  return { name, digests: new Map(Object.entries(pages as Readonly<Record<string, string>>)) };
}
