// The JSON of the tree of pages of a content. It is cached in runs of pages: when a later state of the same space is requested,
// only the runs with pages that differ are serialized again.

import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry } from "../../../content/revision/entries";
import {
  buildPageRunsInSteps,
  estimateMemoryBytes,
  getJsonChunks,
  type PageDifference,
  type PageRuns,
  type PageRunsContext,
  updatePageRuns,
} from "../../../content/revision/page-runs";
import { buildPageTree } from "../../../content/revision/page-tree";
import type { RevisionView, WithId } from "../../../content/revision/view";
import type { JobContext } from "../../../jobs/jobs";
import type { Objects } from "../../../storage/objects";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { createNodeSource, listAllPages, type RevisionRecord } from "./records";
import { type CacheKeyContext, getPagesCacheKey, type JsonChunks } from "./serialized-content";
import { createPageDescriber } from "./views";

/** The context of cached trees. */
interface PageCacheContext {
  readonly jobContext: Pick<JobContext, "contents">;
  readonly objects: Objects;
}

/** A tree of pages as some callers see it. */
export interface SerializableTree {
  /** The cache key. It includes everything that the tree depends on. */
  readonly name: string;
  /** The same key without the state of the content. Undefined: the tree is always serialized as a whole. */
  readonly latestName: string | undefined;
  readonly root: RevisionRecord["root"];
  readonly view: RevisionView;
  /** Loads all pages, and a function that returns the members to show of a page. Undefined: the tree is not cached. */
  readonly loadAll: () => Promise<
    { readonly pages: readonly SerializedPageEntry[]; readonly describe: PageDescriber } | undefined
  >;
  readonly createDescriber: PageRunsContext["createDescriber"];
  /** Checks whether the members of a page, or its presence, depend on other pages, or those of others on it. */
  readonly dependsOnOthers: (page: PageEntry) => boolean;
  /** Checks whether a change of a page may change what is shown of pages that depend on others. */
  readonly affectsOthers: (change: PageDifference) => boolean;
  /** The prefix of further keys on which all pages depend. */
  readonly extraPrefix?: string;
}

type SerializedPageEntry = WithId<PageEntry>;
type PageDescriber = (page: SerializedPageEntry, path: string) => object;

/** The serialized tree of one state of a content. */
interface CachedTree {
  readonly root: RevisionRecord["root"];
  readonly runs: PageRuns;
  readonly chunks: JsonChunks;
  /** One of the pages depends on others. */
  readonly hasDependencies: boolean;
}

/** The number of pages that may differ from a cached tree. With more, the tree is serialized as a whole. */
const MAX_CHANGED_PAGES = 100;

/** Returns the JSON of the pages of a content as the caller sees them. `view` has these pages. */
export async function serializePages(
  context: PageCacheContext & CacheKeyContext,
  view: RevisionView,
): Promise<JsonChunks> {
  const chunks = await serializePageTree(context, {
    name: getPagesCacheKey(context),
    // The pages that visitors see depend on more than the pages of the content.
    latestName: context.visit ? undefined : getPagesCacheKey(context, "last"),
    root: context.revision.root,
    view,
    async loadAll() {
      const pages = await listAllPages(view);
      const ids = new Set(pages.map(({ id }) => id));
      return { pages, describe: await createPageDescriber(context, pages, (id) => ids.has(id)) };
    },
    createDescriber: (pages) => createPageDescriber(context, pages, () => false),
    // A page lists its translations that exist.
    dependsOnOthers: ({ translations }) => translations !== undefined,
    affectsOthers: ({ before, after }) => before === undefined || after === undefined,
  });
  return chunks!;
}

/** Returns the JSON of a tree. Only the parts that are not cached are serialized. Returns undefined if `loadAll` does. */
export async function serializePageTree(
  { jobContext: { contents }, objects }: PageCacheContext,
  tree: SerializableTree,
): Promise<JsonChunks | undefined> {
  const { name, latestName } = tree;
  const cached = contents.get(name)?.value as CachedTree | undefined;
  if (cached) return cached.chunks;

  // A state of a space mostly resembles the one that was requested last.
  const earlierName = latestName === undefined ? undefined : (contents.get(latestName)?.value as string | undefined);
  const earlier = earlierName === undefined ? undefined : (contents.get(earlierName)?.value as CachedTree | undefined);
  // The nodes of the earlier state may be deleted by now. Then all pages are read.
  const updated = earlier && (await updateCachedTree(objects, tree, earlier).catch(() => undefined));
  let current = updated;
  if (!current) {
    const all = await tree.loadAll();
    if (!all) return undefined;
    const runs = await runSteps(buildPageRunsInSteps(buildPageTree(all.pages), all.describe));
    const hasDependencies = all.pages.some(tree.dependsOnOthers);
    current = { root: tree.root, runs, chunks: getJsonChunks(runs), hasDependencies };
  }

  // Both states share most of their runs, which would count twice.
  if (updated) contents.delete(earlierName!);
  contents.set(name, { value: current, bytes: estimateMemoryBytes(current.runs) });
  if (latestName !== undefined) contents.set(latestName, { value: name, bytes: 2 * name.length });
  return current.chunks;
}

/** Updates a tree of an earlier state. Returns undefined if the tree has to be serialized as a whole. */
async function updateCachedTree(
  objects: Objects,
  tree: SerializableTree,
  earlier: CachedTree,
): Promise<CachedTree | undefined> {
  const { root, view, createDescriber, dependsOnOthers, affectsOthers, extraPrefix } = tree;
  const source = createNodeSource(objects);
  if (extraPrefix !== undefined)
    for await (const _ of diffMaps(source, earlier.root, root, { under: extraPrefix })) return undefined;

  const changes: PageDifference[] = [];
  for await (const { key, before, after } of diffMaps(source, earlier.root, root, { under: keys.pages })) {
    const change = { id: key.slice(keys.pages.length), before, after } as unknown as PageDifference;
    if (changes.push(change) > MAX_CHANGED_PAGES) return undefined;
    if (earlier.hasDependencies && affectsOthers(change)) return undefined;
    for (const page of [change.before, change.after])
      if (page && (page.type === "computed" || dependsOnOthers(page))) return undefined;
  }
  const runs = await updatePageRuns(earlier.runs, changes, { view, createDescriber });
  return runs && { root, runs, chunks: getJsonChunks(runs), hasDependencies: earlier.hasDependencies };
}
