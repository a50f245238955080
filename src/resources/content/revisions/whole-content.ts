// Reads whole contents: trees of pages, and everything that a revision holds but its texts. Their JSON is serialized in steps, once
// for each state of the content, and cached in memory while there is room. The name in the cache includes everything that the JSON
// depends on, so a new revision and a caller who sees something else find nothing. A tree is cached in runs of pages: when a later
// state of the same space is requested, only the runs with pages that differ are serialized again.

import type * as v from "valibot";
import { diffMaps } from "../../../content/prolly-tree";
import { keys, type PageEntry, type ReusableEntry } from "../../../content/revision/entries";
import {
  buildPageRunsInSteps,
  estimateMemoryBytes,
  getJsonChunks,
  type PageDifference,
  type PageRuns,
  type PageRunsContext,
  updatePageRuns,
} from "../../../content/revision/page-runs";
import { buildPageTree, mapPageTreeInSteps, type WithSubpages } from "../../../content/revision/page-tree";
import type { RevisionView, WithId } from "../../../content/revision/view";
import type { JobContext } from "../../../jobs/jobs";
import { SerializedJson } from "../../../operation/binary-response";
import type { Reader } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { stringifyJsonInSteps } from "../../../utils/concurrency/json-steps";
import { omitUndefined } from "../../../utils/objects";
import { dependsOnIntegrations, type RevisionRoot } from "./computed-content";
import type { SourceContext } from "./computed-sources";
import { getDownloadsVersion } from "./download-urls";
import { collectEntries, createNodeSource, listAllPages } from "./records";
import type { ShownContentContext } from "./rules";
import type { PageNode, Revision, RevisionReusableContent } from "./schema";
import {
  type ContentReadContext,
  type ContentViewContext,
  createDocumentId,
  createFileView,
  createPageDescriber,
  createRevisionSummaries,
  type FileView,
  openContent,
  parseFileEntry,
} from "./views";

/** The context of reads of everything. */
export interface WholeContentContext extends ContentReadContext, ShownContentContext {
  /** Undefined for a call without HTTP. */
  readonly originalRequest?: object | undefined;
  readonly directory: Reader;
}

/** Returns the tree of pages as the caller sees it. */
export async function readPages(request: WholeContentContext): Promise<{ pages: PageNode[] } | SerializedJson> {
  const { context, shown } = openContent(request);
  const tree = await readContentTree(context, shown.view);
  return Array.isArray(tree) ? { pages: tree } : new SerializedJson(await serializeObject({}, { pages: tree.chunks }));
}

/** Returns everything that a revision holds as the caller sees it, but the texts of its pages. */
export async function readRevision(
  request: WholeContentContext,
): Promise<v.InferInput<typeof Revision> | SerializedJson> {
  const { context, shown } = openContent(request);
  const { view } = shown;
  const withGit = context.query.metadata !== false;
  const [revision] = await createRevisionSummaries(context, [context.revision]);
  const { number: _, createdBy: __, git, mergedFrom, ...summary } = revision!;
  const before = {
    ...summary,
    ...omitUndefined({ git: withGit ? git : undefined, mergedFrom: context.visit ? undefined : mergedFrom }),
  };

  const reusableEntries = await view.list({ under: keys.reusables });
  const reusableContents = reusableEntries.map(({ key, value }): v.InferInput<typeof RevisionReusableContent> => {
    const { title, body, git } = value as ReusableEntry;
    const id = key.slice(keys.reusables.length);
    return {
      object: "reusable-content",
      id,
      title,
      document: createDocumentId({ id, body }),
      ...omitUndefined({ git: withGit ? git : undefined }),
    };
  });
  const after = { reusableContents, variables: await view.getVariables() };

  const tree = await readContentTree(context, view);
  const listFiles = () => collectEntries(view, keys.files, (entries) => entries.map(parseFileEntry));
  if (Array.isArray(tree)) {
    const files: FileView[] = [];
    for (const file of await listFiles()) {
      files.push(createFileView(context, file));
      // Each URL is signed.
      await yieldToEventLoop();
    }
    return { ...before, pages: tree, files, ...after };
  }
  const files = await context.jobContext.contents.getOrCompute(
    // The URLs of files are for one person and one hour.
    `files of ${tree.name} ${getDownloadsVersion(context)}`,
    [],
    async () => {
      const chunks: Uint8Array[] = [];
      let text = "[";
      for (const [i, file] of (await listFiles()).entries()) {
        text += `${i === 0 ? "" : ","}${JSON.stringify(createFileView(context, file))}`;
        if (text.length >= CHUNK_LENGTH) {
          chunks.push(utf8.encode(text));
          text = "";
        }
        await yieldToEventLoop();
      }
      return [...chunks, utf8.encode(`${text}]`)];
    },
    (chunks) => chunks.reduce((sum, { length }) => sum + length + 100, 0),
  );
  return new SerializedJson(await serializeObject(before, { pages: tree.chunks, files }, after));
}

/** Returns the tree of pages of a content as the caller sees it. `view` has these pages. */
function readContentTree(context: WholeContentContext, view: RevisionView) {
  const { organization, space, computedAt, query, revision, visit } = context;
  return readPageTree(context, visit, {
    revision,
    view,
    // Pages contain URLs of their space.
    loadNames: async () => (state) =>
      `pages ${organization.id} ${space.id} ${state} ${computedAt} ${query.metadata !== false} ${query.computed !== false}`,
    // The pages that visitors see depend on more than the pages of the content.
    isUpdatable: !visit,
    loadAll: () => loadPages(context, view),
    createDescriber: (pages) => createPageDescriber(context, pages, () => false),
    // A page lists its translations that exist.
    dependsOnOthers: ({ translations }) => translations !== undefined,
    affectsOthers: ({ before, after }) => before === undefined || after === undefined,
  });
}

async function loadPages(context: ContentViewContext, view: RevisionView) {
  const pages = await listAllPages(view);
  const ids = new Set(pages.map(({ id }) => id));
  return { pages, describe: await createPageDescriber(context, pages, (id) => ids.has(id)) };
}

/** Returns all pages below `parent` as a tree, in order. `parent` may be a page that the view does not have. */
export async function buildPageNodes(
  context: ContentViewContext,
  view: RevisionView,
  parent: string,
): Promise<PageNode[]> {
  const { pages, describe } = await loadPages(context, view);
  return runSteps(mapPageTreeInSteps(buildPageTree(pages), parent, "", describe));
}

/** A tree of pages as some callers see it. */
interface PageTreeSource<Page extends WithId<PageEntry>, Fields extends object> {
  readonly revision: RevisionRoot;
  readonly view: RevisionView;
  /**
   * Loads a function that returns the name of the tree in the cache for a state of the content. A name includes everything else that
   * the tree depends on.
   */
  readonly loadNames: () => Promise<(state: string | null) => string>;
  /** True if the tree of one state can be updated to another one. Otherwise it is serialized as a whole. */
  readonly isUpdatable: boolean;
  /** Loads all pages, and a function that returns the members to show of a page. */
  readonly loadAll: () => Promise<{
    readonly pages: readonly Page[];
    readonly describe: (page: WithId<PageEntry>, path: string) => Fields;
  }>;
  /** Checks whether the pages depend on nothing that the name leaves out. Otherwise the tree is not cached. Default: they never do. */
  readonly isFixed?: (pages: readonly Page[]) => boolean;
  readonly createDescriber: PageRunsContext["createDescriber"];
  /** Checks whether the members of a page, or its presence, depend on other pages, or those of others on it. */
  readonly dependsOnOthers: (page: PageEntry) => boolean;
  /** Checks whether a change of a page may change what is shown of pages that depend on others. */
  readonly affectsOthers: (change: PageDifference) => boolean;
  /** The prefix of further keys on which all pages depend. */
  readonly extraPrefix?: string;
}

/** JSON in UTF-8, in chunks. */
type JsonChunks = SerializedJson["chunks"];

/** The serialized tree of one state of a content. */
interface SerializedTree {
  readonly name: string;
  readonly root: RevisionRoot["root"];
  readonly runs: PageRuns;
  readonly chunks: JsonChunks;
  /** One of the pages depends on others. */
  readonly hasDependencies: boolean;
}

/** The number of pages that may differ from a cached tree. With more, the tree is serialized as a whole. */
const MAX_CHANGED_PAGES = 100;

/** Returns a tree as JSON if it may be cached, otherwise as a value. Only the parts that are not cached are serialized. */
export async function readPageTree<Page extends WithId<PageEntry>, Fields extends object>(
  context: Pick<SourceContext, "tx" | "objects"> & {
    readonly jobContext: Pick<JobContext, "contents">;
    readonly originalRequest?: object | undefined;
  },
  visitor: { readonly claims: Readonly<Record<string, unknown>> } | undefined,
  source: PageTreeSource<Page, Fields>,
): Promise<SerializedTree | WithSubpages<Fields>[]> {
  const { objects, originalRequest } = context;
  const { contents } = context.jobContext;
  const { revision, isUpdatable, isFixed, dependsOnOthers } = source;
  const { root } = revision;

  // A call within the process wants the value. A visitor may claim anything, and each set of claims would take memory. Content that
  // integrations compute may be different the next time.
  const { unsigned = {}, ...signed } = visitor?.claims ?? {};
  const hasClaims = [signed, unsigned as object].some((claims) => Object.keys(claims).length > 0);
  const isCacheable = originalRequest !== undefined && !hasClaims && !(await dependsOnIntegrations(context, revision));
  const getName = isCacheable ? await source.loadNames() : undefined;
  const name = getName?.(root);
  const cached = name === undefined ? undefined : contents.get<SerializedTree>(name);
  if (cached) return cached;

  // A state of a space mostly resembles the one that was requested last.
  const latestName = isUpdatable ? getName?.("last") : undefined;
  const earlierName = latestName === undefined ? undefined : contents.get<string>(latestName);
  const earlier = earlierName === undefined ? undefined : contents.get<SerializedTree>(earlierName);
  // The nodes of the earlier state may be deleted by now. Then all pages are read.
  const updated = earlier && (await updateTree(objects, source, { ...earlier, name: name! }).catch(() => undefined));
  let current = updated;
  if (!current) {
    const { pages, describe } = await source.loadAll();
    const tree = buildPageTree(pages);
    if (name === undefined || isFixed?.(pages) === false) return runSteps(mapPageTreeInSteps(tree, null, "", describe));
    const runs = await runSteps(buildPageRunsInSteps(tree, describe));
    current = { name, root, runs, chunks: getJsonChunks(runs), hasDependencies: pages.some(dependsOnOthers) };
  }

  // Both states share most of their runs, which would count twice.
  if (updated) contents.delete(earlierName!);
  contents.set(current.name, current, { bytes: estimateMemoryBytes(current.runs) });
  if (latestName !== undefined) contents.set(latestName, current.name, { bytes: 2 * current.name.length });
  return current;
}

/** Updates a tree that has the runs of an earlier state. Returns undefined if the tree has to be serialized as a whole. */
async function updateTree(
  objects: SourceContext["objects"],
  {
    revision: { root },
    view,
    createDescriber,
    dependsOnOthers,
    affectsOthers,
    extraPrefix,
  }: Omit<PageTreeSource<never, object>, "loadAll" | "isFixed">,
  earlier: SerializedTree,
): Promise<SerializedTree | undefined> {
  const nodes = createNodeSource(objects);
  if (extraPrefix !== undefined)
    for await (const _ of diffMaps(nodes, earlier.root, root, { under: extraPrefix })) return undefined;

  const changes: PageDifference[] = [];
  for await (const { key, before, after } of diffMaps(nodes, earlier.root, root, { under: keys.pages })) {
    const change = { id: key.slice(keys.pages.length), before, after } as unknown as PageDifference;
    if (changes.push(change) > MAX_CHANGED_PAGES) return undefined;
    if (earlier.hasDependencies && affectsOthers(change)) return undefined;
    for (const page of [change.before, change.after])
      if (page && (page.type === "computed" || dependsOnOthers(page))) return undefined;
  }
  const runs = await updatePageRuns(earlier.runs, changes, { view, createDescriber });
  return runs && { ...earlier, root, runs, chunks: getJsonChunks(runs) };
}

/** The length at which a chunk ends, in characters. */
const CHUNK_LENGTH = 64 * 1024;
const utf8 = new TextEncoder();

/** Returns the JSON of an object: members to serialize, large members that are serialized already, and further members to serialize. */
export async function serializeObject(
  before: object,
  serialized: Readonly<Record<string, JsonChunks>>,
  after: object = {},
): Promise<JsonChunks> {
  const serializeMembers = async (members: object) => (await runSteps(stringifyJsonInSteps(members))).slice(1, -1);
  const first = await serializeMembers(before);
  const last = await serializeMembers(after);
  const chunks: JsonChunks[number][] = [utf8.encode(`{${first}`)];
  let separator = first === "" ? "" : ",";
  for (const [name, memberChunks] of Object.entries(serialized)) {
    chunks.push(utf8.encode(`${separator}"${name}":`), ...memberChunks);
    separator = ",";
  }
  chunks.push(utf8.encode(last === "" ? "}" : `${separator}${last}}`));
  return chunks;
}
