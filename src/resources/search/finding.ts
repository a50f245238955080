// Finding pages of a space, with whichever engine there is.

import type * as v from "valibot";
import type { PageEntry } from "../../content/revision/entries";
import type { Identified, View } from "../../content/revision/view";
import { createIndex, type SectionHit } from "../../content/search";
import type { Parts } from "../../parts";
import type { Objects } from "../../store/objects";
import type { Reader } from "../../store/transaction";
import { viewIn } from "../revisions/records";
import type { InContent } from "../revisions/rules";
import { appUrl, pathTo, type Showing } from "../revisions/views";
import { sectionsOf, withIndex } from "./indexes";
import { storedIndexes } from "./records";
import type { FoundPage } from "./schema";

/** What finding takes. */
export interface Finding extends InContent {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly parts: Parts;
  readonly urls: Showing["urls"];
}

/** Which of the pages that answer to show. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** Pages that answer: how many there are, how well the best one does, and those that are shown. */
export interface FoundPages {
  readonly total: number;
  readonly best: number;
  readonly pages: v.InferInput<typeof FoundPage>[];
}

export async function findPages(context: Finding, query: string, window: Window): Promise<FoundPages> {
  const { engine } = context.parts.search;
  const view = viewIn(context.objects, context.revision);
  const found = engine ? await askEngine(context, query, window) : await askIndex(context, query, window);
  const shown = await view.pagesById(found.hits.map(({ id }) => id));
  const pages: v.InferInput<typeof FoundPage>[] = [];
  for (const page of shown) if (page) pages.push(await pageView(context, view, page, found.sectionsIn));
  return { total: found.total, best: found.hits[0]?.score ?? 0, pages };
}

type SectionsIn = (page: Identified<PageEntry>) => Promise<readonly SectionHit[]>;

async function askIndex({ tx, objects, parts, revision }: Finding, query: string, { offset, limit }: Window) {
  const stored = await storedIndexes.get(tx, revision.space);
  const found = await withIndex(parts.search.indexes, objects, stored, revision, (index) =>
    index.search(query, limit, offset),
  );
  const sectionsIn: SectionsIn = async ({ body }) => found.sectionsIn(await sectionsOf(objects, body));
  return { total: found.total, hits: found.hits, sectionsIn };
}

/** Another engine names pages; where in a page the words stand is found out here. */
async function askEngine({ parts, objects, organization, space }: Finding, query: string, window: Window) {
  const found = await parts.search.engine!.search({ organization: organization.id, space: space.id }, query, window);
  const sectionsIn: SectionsIn = async ({ id, title, body }) => {
    const sections = await sectionsOf(objects, body);
    const index = createIndex();
    index.put({ id, title, sections });
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
