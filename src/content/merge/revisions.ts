// Two revisions that come from one, merged. The cost is what either side changed, not what they have in common.
//
//  Pages
//   1  The fields of a page are merged one by one, those of its layout and its variables as well.
//   2  Both changed a field, differently: conflict `field`, ours stays.
//   3  Texts are merged block by block (texts.ts); each place that both changed is a conflict `text`, ours stays.
//   4  What the merged text states of its page and what its fields came to are made to agree.
//   5  Two pages that take one slug under a parent: theirs gets a number behind it. No conflict.
//   6  One side moved a page: it is moved. Another place among the same siblings is a move too.
//   7  Both moved a page under different parents: conflict `move`, ours stays.
//   8  Both moved a page and it is under one parent still, or one moved it away and the other among its siblings: the new
//      parent counts, else ours. No conflict. Of pages that both put into one place, ours come first.
//   9  Both made the same change: no conflict.
//  10  One side deleted a page, the other did not touch it: it is gone. Another place among its siblings touches nothing.
//  11  One side deleted a page, the other edited or moved it: conflict `delete`, it stays as that side has it.
//  12  One side deleted a page, the other put something under it or kept something there: conflict `delete`, it stays.
//  13  Moves that make a circle together: conflict `cycle`, those of theirs are taken back.
//  14  Moves that nest pages too deep together: conflict `move`, those of theirs are taken back.
//  15  A page stands under a document or a group, and a group at the top. A change of a page's type that would break this
//      is a conflict `field`; a page that cannot stand where it should stays where ours has it, or comes to the top, with a
//      conflict `move`.
//
//  Files and reusable contents
//  16  One side deleted one, the other did not touch it: it is gone.
//  17  One side deleted one, the other changed it or came to refer to it: conflict `delete`, it stays.
//  18  Fields and texts are merged as those of pages are.
//  19  Two that take one path: theirs gets a number before its ending. No conflict.
//
//  Variables
//  20  What one side set is taken.
//  21  Both set one, differently: conflict `variable`, ours stays. One set it, the other took it away: the same, and the
//      value stays.
//
//  What the settings of a book say: redirects, and that it is one of mdBook
//  22  What one side set or took away is done.
//  23  Both did, differently: ours stays. No conflict: only files of a repository say it, and they are merged there.

import { createCachedSource, type MapRoot, type NodeSource } from "../prolly-tree";
import { createDraft, createStoredView, type Draft } from "../revision/draft";
import { updateFilePath } from "../revision/edit-page-tree";
import { keys, type PageEntry } from "../revision/entries";
import { type Tools, turn } from "./bodies";
import { changedThings, type Thing } from "./changed-entries";
import { conflict, type MergeConflict } from "./conflicts";
import { same } from "./fields";
import { type Merging, mergeFiles } from "./files";
import { indexTexts } from "./index-texts";
import { Plan } from "./page-tree-plan";
import { mergePage } from "./pages";
import { type Planting, placePages } from "./place-pages";
import { recentNodes } from "./recent-nodes";
import type { Versions } from "./versions";

/** What a merge came to. */
export interface Merged {
  /** Ours with theirs merged in. */
  readonly draft: Draft;
  readonly conflicts: readonly MergeConflict[];
}

/** Characters of nodes that a merge keeps at hand. */
const MOST_AT_HAND = 1024 * 1024;

/** Merges theirs into ours; both come from base. With an outlet, `stored` must have what went into it. */
export async function mergeRevisions(stored: NodeSource, roots: Versions<MapRoot>, tools: Tools): Promise<Merged> {
  const { base, ours, theirs } = roots;
  // Cached, because the three revisions share most nodes, and the paths to the changes begin alike.
  const source = createCachedSource(stored, recentNodes(MOST_AT_HAND));
  if (ours === base) return { draft: createDraft(source, theirs, tools.runSteps), conflicts: [] };
  const draft = createDraft(source, ours, tools.runSteps, tools.outlet);
  if (theirs === base || theirs === ours) return { draft, conflicts: [] };
  const pages = await changedThings<PageEntry>({ source, roots, tools }, keys.pages);
  const plan = new Plan(pages, createStoredView(source, ours));
  await plan.settle(tools.runSteps);
  const merging: Merging = { source, roots, draft, tools, conflicts: [...plan.conflicts], texts: new Map() };
  await mergeFiles(merging, pages);
  await mergePages(merging, pages, plan);
  await indexTexts(draft, merging.texts, createStoredView(source, theirs), tools);
  return { draft, conflicts: merging.conflicts };
}

async function mergePages(merging: Merging, pages: ReadonlyMap<string, Thing<PageEntry>>, plan: Plan): Promise<void> {
  const { draft, conflicts, tools } = merging;
  const plantings: Planting[] = [];
  const ourParents = plan.ourParents();
  for (const [id, { parent, order }] of plan.places) {
    await turn(tools);
    const page = pages.get(id)!;
    const mayChangeType = !ourParents.has(id) && (page.theirs?.type !== "group" || parent === null);
    const merged = await mergedPage(merging, id, page, mayChangeType);
    const isThere = merged.parent === parent && merged.order === order;
    const entry = isThere ? merged : { ...merged, parent, order };
    const { ours: before } = page;
    const isPlanted = !before || before.parent !== parent || before.order !== order || before.slug !== entry.slug;
    if (isPlanted) plantings.push({ id, entry, before });
    else if (!same(entry, before)) draft.put(keys.page(id), entry);
    await draft.flushIfFull();
  }
  for (const { id } of await placePages(draft, plantings, plan.gone(), (it) => plan.isPutByOurs(it), tools)) {
    const { base, ours, theirs } = pages.get(id)!;
    const [was, mine, yours] = [base, ours, theirs].map((it) => it && { parent: it.parent });
    conflicts.push(conflict("move", { page: id }, { base: was, ours: mine, theirs: yours }));
  }
  for (const id of plan.places.keys()) {
    await turn(tools);
    const { ours, theirs } = pages.get(id)!;
    if (ours?.git || theirs?.git) await updateFilePath(draft, id, ours?.git, (await draft.getPage(id))?.git);
    await draft.flushIfFull();
  }
}

/** A page as both sides make it, or as the only side that has it. */
async function mergedPage(
  { conflicts, texts, tools }: Merging,
  id: string,
  { base, ours, theirs }: Thing<PageEntry>,
  mayChangeType: boolean,
): Promise<PageEntry> {
  if (ours && theirs) {
    const merged = await mergePage(id, { base, ours, theirs }, mayChangeType, tools);
    conflicts.push(...merged.conflicts);
    if (merged.text) texts.set(id, { ...merged.text, kind: "page" });
    return merged.entry;
  }
  if (!ours && theirs?.body !== undefined) texts.set(id, { body: theirs.body, kind: "page" });
  return (ours ?? theirs)!;
}
