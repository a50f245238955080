// Finds pages of a space, with the host's search engine or the built-in one.

import type * as v from "valibot";
import { loadSearch } from "../../../content/late";
import type { PageEntry } from "../../../content/revision/entries";
import type { Identified, View } from "../../../content/revision/view";
import type { Ranked, SectionHit } from "../../../content/search";
import type { Objects } from "../../../store/objects";
import type { Reader } from "../../../store/transaction";
import { inTurns } from "../../../turns/pause";
import type { Work } from "../../../work/jobs";
import { partitionOf } from "../../people/organizations/records";
import { type ReadingComputed, type ShownRevision, shownIn } from "../revisions/computed-content";
import type { InContent } from "../revisions/rules";
import { appUrl, pathTo, type Showing } from "../revisions/views";
import { computedIn } from "./computed-pages";
import { type Indexing, sectionsOf, withIndex } from "./indexes";
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

/** Matching pages by rank, and how the sections of one are found. */
export interface RankedPages {
  readonly total: number;
  readonly hits: readonly Ranked[];
  readonly sectionsIn: (page: Identified<PageEntry>) => Promise<readonly SectionHit[]>;
}

export async function findPages(context: Finding, query: string, window: Window): Promise<FoundPages> {
  return foundPages(context, await rankPages(context, query, window));
}

/** The matching pages of a space, without a look at their texts. */
export function rankPages(context: Finding, query: string, window: Window): Promise<RankedPages> {
  const { atHand } = shownIn(context, context.revision);
  return context.work.parts.search.engine
    ? askEngine(context, atHand, query, window)
    : askIndex(context, atHand, query, window);
}

/** Ranked pages as they are shown. */
export async function foundPages(context: Finding, found: RankedPages): Promise<FoundPages> {
  const { view } = shownIn(context, context.revision);
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
  const { work, revision, organization } = context;
  const { engine } = work.parts.search;
  const { space, root } = revision;
  if (engine) {
    const found = await engine.search({ organization: organization.id, space }, query, { offset: 0, limit });
    return found.hits.filter(({ id }) => sees(id));
  }
  const { computed, hidden } = await computedFor(context);
  const mayName = (id: string) => !hidden.has(id) && sees(id);
  return withIndex(indexingIn(context), { space, root, computed }, (it) => it.candidates(query, limit, mayName));
}

function indexingIn({ tx, objects, work, organization }: Suggesting): Indexing {
  return { tx, objects, work, partition: partitionOf(organization.id)! };
}

/** All computed pages, and those that the caller may not see. */
function computedFor(context: Suggesting) {
  return computedIn(context, (source) => source.isSeenBy(context));
}

type SectionsIn = RankedPages["sectionsIn"];

async function askIndex(context: Finding, shown: Objects, query: string, { offset, limit }: Window) {
  const { space, root } = context.revision;
  const { computed, hidden } = await computedFor(context);
  const sees = hidden.size === 0 ? undefined : (id: string) => !hidden.has(id);
  const found = await withIndex(indexingIn(context), { space, root, computed }, (index) =>
    index.search(query, limit, offset, sees),
  );
  const sectionsIn: SectionsIn = async ({ body }) => inTurns(found.sectionsInSteps(await sectionsOf(shown, body)));
  return { total: found.total, hits: found.hits, sectionsIn };
}

/** Another engine returns pages; the positions of the words are found here. */
async function askEngine(context: Finding, atHand: Objects, query: string, window: Window) {
  const { createIndex } = await loadSearch();
  const found = await seenOfEngine(context, query, window);
  const sectionsIn: SectionsIn = async ({ id, title, body }) => {
    const sections = await sectionsOf(atHand, body);
    const index = createIndex();
    await inTurns(index.putInSteps({ id, title, sections }));
    return inTurns(index.search(query, 1).sectionsInSteps(sections));
  };
  return { ...found, sectionsIn };
}

/** The most matches of an engine that are looked through for those that the caller may see. */
const MAX_LOOKED_THROUGH = 1000;

/** What an engine finds. Its number of matches must not tell of computed pages that the caller may not see. */
async function seenOfEngine(context: Finding, query: string, window: Window) {
  const { work, organization, space } = context;
  const ask = (window: Window) =>
    work.parts.search.engine!.search({ organization: organization.id, space: space.id }, query, window);
  const { hidden } = await computedFor(context);
  if (hidden.size === 0) return ask(window);
  const { hits } = await ask({ offset: 0, limit: MAX_LOOKED_THROUGH });
  const seen = hits.filter(({ id }) => !hidden.has(id));
  return { total: seen.length, hits: seen.slice(window.offset, window.offset + window.limit) };
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
