// Finds pages of a space, with the host's search engine or the built-in one.

import type * as v from "valibot";
import { loadReader, loadSearch } from "../../../content/late";
import type { readMarkdown } from "../../../content/markdown/read";
import type { Expansion } from "../../../content/revision/computed";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { Identified, View } from "../../../content/revision/view";
import type { Ranked, SearchPage, SectionHit } from "../../../content/search";
import type { ComputedPages } from "../../../parts/search-engine";
import type { Objects } from "../../../store/objects";
import type { Reader } from "../../../store/transaction";
import { inTurns } from "../../../turns/pause";
import type { Work } from "../../../work/jobs";
import {
  computedFrom,
  computedPagesIn,
  expansionFrom,
  type ReadingComputed,
  type ShownRevision,
  shownIn,
} from "../revisions/computed-content";
import type { InContent } from "../revisions/rules";
import { appUrl, pathTo, type Showing } from "../revisions/views";
import { sectionsOf, withIndex } from "./indexes";
import { storedIndexes } from "./records";
import type { FoundPage } from "./schema";

/** What finding needs. */
export interface Finding extends InContent {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly peek: ReadingComputed["peek"];
  readonly work: Work;
  readonly urls: Showing["urls"];
}

/** Which of the matching pages to return. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** Matching pages: their number, the score of the best one, and those that are returned. */
export interface FoundPages {
  readonly total: number;
  readonly best: number;
  readonly pages: v.InferInput<typeof FoundPage>[];
}

export async function findPages(context: Finding, query: string, window: Window): Promise<FoundPages> {
  const { engine } = context.work.parts.search;
  const { view, atHand } = shownIn(context, context.revision);
  const found = engine
    ? await askEngine({ ...context, objects: atHand }, query, window)
    : await askIndex(context, atHand, query, window);
  const shown = await view.pagesById(found.hits.map(({ id }) => id));
  const pages: v.InferInput<typeof FoundPage>[] = [];
  for (const page of shown) if (page) pages.push(await pageView(context, view, page, found.sectionsIn));
  return { total: found.total, best: found.hits[0]?.score ?? 0, pages };
}

/** What suggesting pages needs. */
export type Suggesting = ReadingComputed & {
  readonly revision: ShownRevision;
};

/** The best matches among the pages of a space that `sees` allows, after some texts are left out. */
export async function suggestPages(
  context: Suggesting,
  query: string,
  limit: number,
  sees: (id: string) => boolean,
): Promise<readonly Ranked[]> {
  const { tx, objects, work, revision, organization } = context;
  const { engine, indexes } = work.parts.search;
  const { space } = revision;
  if (engine) {
    const found = await engine.search({ organization: organization.id, space }, query, { offset: 0, limit });
    return found.hits.filter(({ id }) => sees(id));
  }
  const { computed, hidden } = await computedIn(context);
  const mayName = (id: string) => !hidden.has(id) && sees(id);
  const stored = await storedIndexes.get(tx, space);
  return withIndex(indexes, objects, stored, revision, (it) => it.candidates(query, limit, mayName), computed);
}

type SectionsIn = (page: Identified<PageEntry>) => Promise<readonly SectionHit[]>;

async function askIndex(context: Finding, shown: Objects, query: string, { offset, limit }: Window) {
  const { tx, objects, work, revision } = context;
  const stored = await storedIndexes.get(tx, revision.space);
  const { computed, hidden } = await computedIn(context);
  const sees = hidden.size === 0 ? undefined : (id: string) => !hidden.has(id);
  const found = await withIndex(
    work.parts.search.indexes,
    objects,
    stored,
    revision,
    (index) => index.search(query, limit, offset, sees),
    computed,
  );
  const sectionsIn: SectionsIn = async ({ body }) => found.sectionsIn(await sectionsOf(shown, body));
  return { total: found.total, hits: found.hits, sectionsIn };
}

/** All computed pages of a space, for its index, and those that the caller may not see. */
async function computedIn(context: Suggesting): Promise<{ computed?: ComputedPages; hidden: ReadonlySet<string> }> {
  const { objects, revision } = context;
  const hidden = new Set<string>();
  const workOut = async (page: Identified<PageEntry>) => {
    const computed = await computedFrom(context, revision.space, page);
    if (!computed) return [];
    const { name, expansion } = await expansionFrom(objects, page, computed);
    if (!computed.isSeenBy(context)) for (const id of expansion.ids) hidden.add(id);
    return [{ name: `${page.id} ${name}`, expansion }];
  };
  const found = (await Promise.all((await computedPagesIn(objects, revision)).map(workOut))).flat();
  if (found.length === 0) return { hidden };
  const { readMarkdown: read } = await loadReader();
  const computed: ComputedPages = {
    name: found.map(({ name }) => name).join(" "),
    ids: found.flatMap(({ expansion }) => expansion.ids),
    *pages() {
      for (const { expansion } of found) yield* searchPagesOf(expansion, read);
    },
  };
  return { computed, hidden };
}

/** Computed pages as they are put into an index. */
function* searchPagesOf({ entries, texts, ids }: Expansion, read: typeof readMarkdown): Generator<SearchPage> {
  for (const id of ids) {
    const { title, description, body } = entries.get(keys.page(id)) as PageEntry;
    // A text that is late is not asked for: a search would ask for all of them.
    const { sections } = read(texts.get(body ?? "")?.() ?? "");
    yield { id, title, ...(description === undefined ? {} : { description }), sections };
  }
}

/** Another engine returns pages; the positions of the words are found here. */
async function askEngine({ work, objects, organization, space }: Finding, query: string, window: Window) {
  const { engine } = work.parts.search;
  const { createIndex } = await loadSearch();
  const found = await engine!.search({ organization: organization.id, space: space.id }, query, window);
  const sectionsIn: SectionsIn = async ({ id, title, body }) => {
    const sections = await sectionsOf(objects, body);
    const index = createIndex();
    await inTurns(index.putInSteps({ id, title, sections }));
    return index.search(query, 1).sectionsIn(sections);
  };
  return { ...found, sectionsIn };
}

async function pageView(
  context: Finding,
  view: View,
  page: Identified<PageEntry>,
  sectionsIn: SectionsIn,
): Promise<v.InferInput<typeof FoundPage>> {
  const { id, title } = page;
  const path = await pathTo(view, id);
  const app = appUrl(context, path);
  const sections = (await sectionsIn(page)).map(({ anchor, title: heading, excerpt }) => {
    const behind = anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`;
    return {
      id: anchor ?? id,
      title: heading ?? title,
      path: anchor === undefined ? path : `${path}#${anchor}`,
      body: excerpt,
      urls: { app: app + behind },
    };
  });
  return { id, title, path, sections, urls: { app } };
}
