// Revisions: immutable states of a space's content. A record references the root of a map in which everything else is found by
// hash. So revisions share equal parts, and a copy of a space is only one more record.

import {
  createCachedSource,
  createTextSource,
  type MapNode,
  type MapRoot,
  markReachableNodes,
  type NodeSource,
} from "../../../content/prolly-tree";
import { createStoredView } from "../../../content/revision/draft";
import { getObjectHash, keys, type PageEntry } from "../../../content/revision/entries";
import type { RawEntry, RevisionView, WithId } from "../../../content/revision/view";
import { iterateRows } from "../../../operation/pagination";
import { HashSet } from "../../../storage/hash-set";
import { encodeKey } from "../../../storage/key";
import type { ObjectCache, Objects } from "../../../storage/objects";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";

export type RevisionType = "edits" | "merge" | "rollback" | "update" | "computed";

export interface RevisionRecord {
  readonly id: string;
  readonly space: string;
  /** The change request of the revision. Null: the revision belongs to the branch of its space. */
  readonly changeRequest: string | null;
  /** Counts up along the branch of a space, and from there along the branch of a change request. */
  readonly number: number;
  readonly parents: readonly string[];
  readonly root: MapRoot;
  readonly type: RevisionType;
  /** The change request that the revision merged into the space. */
  readonly mergedFrom?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  /** The import that created the revision. */
  readonly imported?: RevisionImport;
  /** The commit from which the revision was imported, or to which it was exported. */
  readonly git?: RevisionCommit;
  /** For a change request: the hash of the object with its open conflicts. */
  readonly conflicts?: string;
  /** The revision is not on the branch of its space, which never showed it. */
  readonly isAside?: true;
}

/** A commit, as a revision stores it. */
export interface RevisionCommit {
  readonly oid: string;
  readonly message: string;
  /** This server created the commit. */
  readonly createdByService: boolean;
  readonly url?: string;
  readonly ref: string;
}

/** An import, as its revision stores it. */
export interface RevisionImport {
  readonly source: string;
  /** The URL of the source, without the parts that may be secret. Undefined for a text from the request. */
  readonly url?: string;
  readonly importedResources: number;
  readonly totalResources: number;
  /** The hash of the report about skipped parts. Undefined if nothing was skipped. */
  readonly skipped?: string;
}

export const revisions = defineRecordSet("revision", {
  key: (revision: RevisionRecord) => [revision.space, revision.id],
  indexes: {
    /** Only the revisions that the space itself showed at some time. */
    ofSpace: (revision) =>
      revision.changeRequest === null && !revision.isAside ? [revision.space, revision.number] : undefined,
    /** Includes the revisions of change requests. */
    all: (revision) => [revision.space, revision.number],
  },
  totals: {
    ofSpace: (revision) => (revision.changeRequest === null && !revision.isAside ? [revision.space] : undefined),
  },
});

/** The content, the author and the time of a new revision. */
interface RevisionOrigin {
  readonly root: MapRoot;
  readonly user: string;
  readonly now: Date;
}

/** Creates the first revision of a space. */
export function createFirstRevision(id: string, space: string, { root, user, now }: RevisionOrigin): RevisionRecord {
  return {
    id,
    space,
    changeRequest: null,
    number: 1,
    parents: [],
    root,
    type: "edits",
    createdAt: now.toISOString(),
    createdBy: user,
  };
}

/** Creates the revision that follows another one. */
export function createNextRevision(
  id: string,
  before: RevisionRecord,
  origin: RevisionOrigin,
  more: Partial<
    Pick<
      RevisionRecord,
      "type" | "changeRequest" | "mergedFrom" | "parents" | "imported" | "git" | "conflicts" | "isAside"
    >
  > = {},
): RevisionRecord {
  const first = createFirstRevision(id, before.space, origin);
  return { ...first, number: before.number + 1, parents: [before.id], ...more };
}

const computedVersionKey = encodeKey("computed-state");

/** Returns a number that increases with every change of the sources of computed pages. Older responses may be outdated. */
export async function getComputedVersion(view: Reader): Promise<number> {
  return ((await view.get(computedVersionKey)) as number | undefined) ?? 0;
}

/** Records that a source of computed pages has changed. */
export function incrementComputedVersion(tx: Transaction): void {
  tx.add(computedVersionKey, 1);
}

/** Creates a source of content nodes that are parsed once and cached while there is room. */
export function createNodeSource({ texts, cache }: Objects): NodeSource {
  return createCachedSource(createTextSource(texts), createNodeCache(cache));
}

/** The most new nodes that are cached. More would push out what others read, and keep them waiting. */
const MAX_CACHED_NEW_NODES = 2000;

/** Caches new nodes, so that readers of the new revision need not parse them. */
export function cacheNodes({ cache }: Objects, nodes: ReadonlyMap<string, MapNode>): void {
  if (nodes.size > MAX_CACHED_NEW_NODES) return;
  const nodeCache = createNodeCache(cache);
  for (const [hash, node] of nodes) nodeCache.set(hash, node);
}

function createNodeCache(cache: ObjectCache) {
  return {
    get: (hash: string) => cache.get<MapNode>(hash),
    // Measured in a heap: 2.8 bytes for each character of the node's text.
    set: (hash: string, node: MapNode) => cache.set(hash, node, { bytes: 3 * node.length }),
  };
}

/** Opens the content of a revision. */
export function openRevision(objects: Objects, { root }: Pick<RevisionRecord, "root">): RevisionView {
  return createStoredView(createNodeSource(objects), root);
}

/** The number of entries that are read between two pauses. */
const ENTRIES_PER_STEP = 200;

/**
 * Maps every entry under a prefix, in the order of the keys, and reads them with pauses. The entries themselves are not held,
 * because there may be very many.
 */
export async function collectEntries<Result>(
  view: RevisionView,
  under: string,
  mapEntries: (entries: readonly RawEntry[]) => readonly Result[],
): Promise<Result[]> {
  const chunks: (readonly Result[])[] = [];
  let entriesInStep = 0;
  for await (const { index, entries } of view.iterate(under)) {
    if (entries.length > 0) chunks[index] = mapEntries(entries);
    entriesInStep += entries.length;
    if (entries.length > 0 && entriesInStep < ENTRIES_PER_STEP) continue;
    await yieldToEventLoop();
    entriesInStep = 0;
  }
  return chunks.flat();
}

/** Returns every page of a view in the order of the ids, read with pauses. `isIncluded` selects pages. Default: all pages. */
export async function listAllPages(
  view: RevisionView,
  isIncluded: (page: PageEntry) => boolean = () => true,
): Promise<WithId<PageEntry>[]> {
  return collectEntries(view, keys.pages, (entries) =>
    entries
      .filter(({ value }) => isIncluded(value as PageEntry))
      .map(({ key, value }) => ({ ...(value as PageEntry), id: key.slice(keys.pages.length) })),
  );
}

/** The number of maps that are walked together. A remote storage reads its data once for all of them. */
const ROOTS_PER_WALK = 1000;

/** Reports the objects that the revisions of a partition reference: nodes, texts, files, reports of imports, and conflicts. */
export async function reportContentObjects(
  view: Reader,
  objects: Objects,
  report: (hash: string) => void,
): Promise<void> {
  const reportContent = createContentReporter(objects, report);
  let roots: MapRoot[] = [];
  for await (const { record: revision } of iterateRows((slice) => revisions.list(view, "all", slice))) {
    for (const object of listObjectHashes(revision)) report(object);
    if (roots.push(revision.root) < ROOTS_PER_WALK) continue;
    await reportContent(roots);
    roots = [];
  }
  await reportContent(roots);
}

/** Creates a function that reports the objects of content maps. Each node is reported once, however many maps have it. */
export function createContentReporter({ texts, cache }: Objects, report: (hash: string) => void) {
  // Everything is read here, and once. Caching it would push out what others read.
  const { get } = createNodeCache(cache);
  const source = createCachedSource(createTextSource(texts), { get, set: () => undefined });
  // The set holds only nodes: a text may equal a node, and then the nodes below it would be skipped. It copies the hashes, which
  // are slices of the texts of other nodes and would keep all of those in memory: 76 MB for 100,000 pages.
  const nodes = new HashSet();
  const seen = {
    has: (hash: string) => nodes.has(hash),
    add(hash: string) {
      nodes.add(hash);
      report(hash);
    },
  };
  const visitEntry = (entry: Parameters<typeof getObjectHash>[0]) => {
    const object = getObjectHash(entry);
    if (object !== undefined) report(object);
  };
  return (roots: readonly MapRoot[]) => markReachableNodes(source, roots, seen, visitEntry, yieldToEventLoop);
}

/** Returns the objects that a revision's record references besides its content. */
export function listObjectHashes({ imported, conflicts }: RevisionRecord): string[] {
  return [imported?.skipped, conflicts].filter((object) => object !== undefined);
}
