// Merges two revisions with a common base. The cost depends on the changes of either side, not on the rest of the content.
//
//  Pages
//   1  The fields of a page are merged one by one, and so are those of its layout and its variables.
//   2  Both changed a field differently: conflict `field`, ours stays.
//   3  Texts are merged block by block (texts.ts); each place that both changed is a conflict `text`, ours stays.
//   4  The fields that the merged text states and the merged fields are made to agree.
//   5  Two pages that take one slug under a parent: theirs gets a number after it. No conflict.
//   6  One side moved a page: it is moved. Another place among the same siblings is a move too.
//   7  Both moved a page under different parents: conflict `move`, ours stays.
//   8  Both moved a page and it still has the same parent, or one moved it to another parent and the other among its siblings:
//      the new parent counts, else ours. No conflict. Of pages that both put into one place, ours come first.
//   9  Both made the same change: no conflict.
//  10  One side deleted a page, the other did not change it: it is deleted. Another place among its siblings is no change.
//  11  One side deleted a page, the other edited or moved it: conflict `delete`, it stays as that side has it.
//  12  One side deleted a page, the other put a page under it or kept one there: conflict `delete`, it stays.
//  13  Moves that form a cycle together: conflict `cycle`, those of theirs are undone.
//  14  Moves that nest pages too deep together: conflict `move`, those of theirs are undone.
//  15  The parent of a page is a document or a group, and groups are at the top. A change of a page's type that would break this
//      is a conflict `field`. A page that cannot be in its place stays where ours has it, or moves to the top, with a conflict
//      `move`.
//
//  Files and reusable contents
//  16  One side deleted one, the other did not change it: it is deleted.
//  17  One side deleted one, the other changed it or came to refer to it: conflict `delete`, it stays.
//  18  Fields and texts are merged like those of pages.
//  19  Two that take one path: theirs gets a number before its extension. No conflict.
//
//  Variables
//  20  A value that one side set is taken.
//  21  Both set one differently: conflict `variable`, ours stays. One set it, the other removed it: the same, and the value stays.
//
//  Settings of a book: its redirects, its languages, and that it is one of mdBook
//  22  A setting that one side set or removed is set or removed.
//  23  Both did so differently: ours stays. No conflict: only files of a repository have settings, and they are merged there.

import { createCachedSource, type MapNode, type MapRoot, type NodeCache, type NodeSource } from "../prolly-tree";
import { createDraft, createStoredView, type Draft } from "../revision/draft";
import { updateFilePath } from "../revision/edit-page-tree";
import { keys, type PageEntry } from "../revision/entries";
import { type MergeTools, yieldToOthers } from "./bodies";
import { type EntryVersions, findChangedEntries } from "./changed-entries";
import { createConflict, type MergeConflict } from "./conflicts";
import { isSameJson } from "./fields";
import { type FileMergeContext, mergeFiles, mergeSettings, mergeVariables } from "./files";
import { indexMergedTexts } from "./index-texts";
import { PageTreePlan } from "./page-tree-plan";
import { mergePage } from "./pages";
import { type PagePlacement, placePages } from "./place-pages";
import { mapVersions, type Versions } from "./versions";

export interface MergedRevision {
  /** Ours with theirs merged in. */
  readonly draft: Draft;
  readonly conflicts: readonly MergeConflict[];
}

/** Merges theirs into ours; both come from base. With an outlet, `stored` must have the objects that went into it. */
export async function mergeRevisions(
  stored: NodeSource,
  roots: Versions<MapRoot>,
  tools: MergeTools,
): Promise<MergedRevision> {
  const { base, ours, theirs } = roots;
  // The three revisions share most nodes, and the paths to the changes begin alike, so nodes are cached.
  const source = createCachedSource(stored, new RecentNodes());
  if (ours === base) return { draft: createDraft(source, theirs, tools.runSteps), conflicts: [] };
  const draft = createDraft(source, ours, tools.runSteps, tools.outlet);
  if (theirs === base || theirs === ours) return { draft, conflicts: [] };

  const pages = await findChangedEntries<PageEntry>({ source, roots, tools }, keys.pages);
  const plan = new PageTreePlan(pages, createStoredView(source, ours));
  await plan.resolve(tools.runSteps);
  const context: FileMergeContext = { source, roots, draft, tools, conflicts: [...plan.conflicts], texts: new Map() };
  await mergeFiles(context, pages);
  await mergeVariables(context);
  await mergeSettings(context);
  await mergePages(context, pages, plan);
  await indexMergedTexts(draft, context.texts, createStoredView(source, theirs), tools);
  return { draft, conflicts: context.conflicts };
}

async function mergePages(
  context: FileMergeContext,
  pages: ReadonlyMap<string, EntryVersions<PageEntry>>,
  plan: PageTreePlan,
): Promise<void> {
  const { draft, conflicts, texts, tools } = context;
  const placements: PagePlacement[] = [];
  const ourParents = plan.listOurParents();
  for (const [id, { parent, order }] of plan.places) {
    await yieldToOthers(tools);
    const page = pages.get(id)!;
    const mayChangeType = !ourParents.has(id) && (page.theirs?.type !== "group" || parent === null);
    const merged = await mergePage(id, page, mayChangeType, tools);
    conflicts.push(...merged.conflicts);
    if (merged.text) texts.set(id, { ...merged.text, kind: "page" });
    const isInPlace = merged.entry.parent === parent && merged.entry.order === order;
    const entry = isInPlace ? merged.entry : { ...merged.entry, parent, order };
    const { ours: before } = page;
    const changesTree = !before || before.parent !== parent || before.order !== order || before.slug !== entry.slug;
    if (changesTree) placements.push({ id, entry, before });
    else if (!isSameJson(entry, before)) draft.put(keys.page(id), entry);
    await draft.flushIfFull();
  }

  const isPlacedByOurs = (id: string) => plan.isPlacedByOurs(id);
  for (const { id } of await placePages(draft, placements, plan.listDeletedIds(), isPlacedByOurs, tools)) {
    const parents = mapVersions(pages.get(id)!, (entry) => entry && { parent: entry.parent });
    conflicts.push(createConflict("move", { page: id }, parents));
  }

  for (const id of plan.places.keys()) {
    await yieldToOthers(tools);
    const { ours, theirs } = pages.get(id)!;
    if (ours?.git || theirs?.git) await updateFilePath(draft, id, ours?.git, (await draft.getPage(id))?.git);
    await draft.flushIfFull();
  }
}

/** The most characters of nodes in one generation of the cache. */
const MAX_GENERATION_LENGTH = 1024 * 1024;

/**
 * Caches the nodes that a merge read last. A merge may read very many nodes, so the cache has two generations: when the newer one is
 * full, it replaces the older one, whose nodes are dropped unless they were read again.
 */
class RecentNodes implements NodeCache {
  #newer = new Map<string, MapNode>();
  #older = new Map<string, MapNode>();
  #newerLength = 0;

  get(hash: string): MapNode | undefined {
    const newer = this.#newer.get(hash);
    if (newer) return newer;
    const older = this.#older.get(hash);
    if (older) this.set(hash, older);
    return older;
  }

  set(hash: string, node: MapNode): void {
    this.#newer.set(hash, node);
    this.#newerLength += node.length;
    if (this.#newerLength < MAX_GENERATION_LENGTH) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#newerLength = 0;
  }
}
