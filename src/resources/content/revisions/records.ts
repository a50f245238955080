// Revisions: immutable states of a space's content. A record references the root of a map in which everything else is
// found by hash. So revisions share equal parts, and a copy of a space is only one more record.

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
  /** The change request that it belongs to; null: the space itself showed it at some time. */
  readonly changeRequest: string | null;
  /** Counts up along the line of a space, and from there along the line of a change request. */
  readonly number: number;
  readonly parents: readonly string[];
  readonly root: MapRoot;
  readonly type: RevisionType;
  /** The change request that it merged into the space. */
  readonly mergedFrom?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  /** What it imported. */
  readonly imported?: ImportedRecord;
  /** The commit that it came from or was exported to. */
  readonly git?: GitOfRevision;
  /** For a change request: the object with its open conflicts. */
  readonly conflicts?: string;
  /** It is beside the line of its space, which never showed it. */
  readonly isAside?: true;
}

/** A commit, as a revision stores it. */
export interface GitOfRevision {
  readonly oid: string;
  readonly message: string;
  /** Whether this server made the commit. */
  readonly createdByService: boolean;
  readonly url?: string;
  readonly ref: string;
}

/** An import, as its revision stores it. */
export interface ImportedRecord {
  readonly source: string;
  /** The source, without anything that may be secret; undefined for a text that was given. */
  readonly url?: string;
  readonly importedResources: number;
  readonly totalResources: number;
  /** The object that says what was not taken; undefined when everything was. */
  readonly skipped?: string;
}

export const revisions = defineRecordSet("revision", {
  key: (revision: RevisionRecord) => [revision.space, revision.id],
  indexes: {
    ofSpace: (revision) => (isShown(revision) ? [revision.space, revision.number] : undefined),
    /** Including those of change requests. */
    all: (revision) => [revision.space, revision.number],
  },
  totals: { ofSpace: (revision) => (isShown(revision) ? [revision.space] : undefined) },
});

/** Whether the space itself showed this revision at some time. */
function isShown({ changeRequest, isAside }: RevisionRecord): boolean {
  return changeRequest === null && !isAside;
}

/** The first revision of a space. */
export function firstRevision(
  id: string,
  space: string,
  by: { readonly root: MapRoot; readonly user: string; readonly now: Date },
): RevisionRecord {
  const { root, user, now } = by;
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

/** The revision that follows another one. */
export function nextRevision(
  id: string,
  before: RevisionRecord,
  by: { readonly root: MapRoot; readonly user: string; readonly now: Date },
  more: Partial<
    Pick<
      RevisionRecord,
      "type" | "changeRequest" | "mergedFrom" | "parents" | "imported" | "git" | "conflicts" | "isAside"
    >
  > = {},
): RevisionRecord {
  const first = firstRevision(id, before.space, by);
  return { ...first, number: before.number + 1, parents: [before.id], ...more };
}

const computedKey = encodeKey("computed-state");

/** Increases with every change of what pages are computed from. Older answers may be out of date. */
export async function computedState(view: Reader): Promise<number> {
  return ((await view.get(computedKey)) as number | undefined) ?? 0;
}

/** Records that something has changed from which pages are computed. */
export function touchComputed(tx: Transaction): void {
  tx.add(computedKey, 1);
}

/** Nodes of content by hash, parsed once and kept while there is room. */
export function nodesOf({ texts, cache }: Objects): NodeSource {
  return createCachedSource(createTextSource(texts), parsedNodes(cache));
}

/** Keeps new nodes in memory, so that readers of the new revision need not parse them. Very many are left out: they would push out
 * what others read, and keep them waiting. */
export function rememberNodes({ cache }: Objects, nodes: ReadonlyMap<string, MapNode>): void {
  if (nodes.size > MOST_REMEMBERED) return;
  const known = parsedNodes(cache);
  for (const [hash, node] of nodes) known.set(hash, node);
}

const MOST_REMEMBERED = 2000;

function parsedNodes(cache: ObjectCache) {
  return {
    get: (hash: string) => cache.get(hash)?.value as MapNode | undefined,
    // Counted in a heap: 2.8 bytes for each character of its text.
    set: (hash: string, node: MapNode) => void cache.set(hash, { value: node, bytes: 3 * node.length }),
  };
}

/** The content of a revision. */
export function viewIn(objects: Objects, { root }: Pick<RevisionRecord, "root">): RevisionView {
  return createStoredView(nodesOf(objects), root);
}

/** How many entries are read between two pauses, where all of them are. */
const BETWEEN_PAUSES = 200;

/** Every entry under a key, read with pauses. */
export async function rowsUnder(view: RevisionView, under: string): Promise<RawEntry[]> {
  return madeOfRows(view, under, (rows) => rows);
}

/** What is made of every entry under a key, in the order of the keys. The entries themselves are not held, for they may be very
 * many. */
async function madeOfRows<Made>(
  view: RevisionView,
  under: string,
  make: (rows: readonly RawEntry[]) => readonly Made[],
): Promise<Made[]> {
  const pieces: (readonly Made[])[] = [];
  let read = 0;
  for await (const { index: at, entries } of view.iterate(under)) {
    if (entries.length > 0) pieces[at] = make(entries);
    read += entries.length;
    if (entries.length > 0 && read < BETWEEN_PAUSES) continue;
    await yieldToEventLoop();
    read = 0;
  }
  return pieces.flat();
}

type Page = WithId<PageEntry>;

/** Every page of a view in the order of the ids, read with pauses; with a condition only those that meet it. */
export async function everyPage(
  view: RevisionView,
  isMeant: (page: PageEntry) => boolean = () => true,
): Promise<Page[]> {
  return madeOfRows(view, keys.pages, (rows) =>
    rows
      .filter(({ value }) => isMeant(value as PageEntry))
      .map(({ key, value }) => ({ ...(value as PageEntry), id: key.slice(keys.pages.length) })),
  );
}

/** Tells the objects that the revisions of a partition reference: nodes, texts, files, reports of imports, and conflicts. */
export async function contentObjects(view: Reader, objects: Objects, tell: (hash: string) => void): Promise<void> {
  const tellContent = contentTeller(objects, tell);
  let roots: MapRoot[] = [];
  for await (const { record: revision } of iterateRows((slice) => revisions.list(view, "all", slice))) {
    for (const object of toldBy(revision)) tell(object);
    if (roots.push(revision.root) < ROOTS_AT_ONCE) continue;
    await tellContent(roots);
    roots = [];
  }
  await tellContent(roots);
}

/** How many maps are gone through together. A storage that is far away reads what it has once for all of them. */
const ROOTS_AT_ONCE = 1000;

/** Tells the objects that maps of content are made of, each node once however many maps have it. */
export function contentTeller({ texts, cache }: Objects, tell: (hash: string) => void) {
  // Everything is read here, and once. What is kept would push out what others read.
  const { get } = parsedNodes(cache);
  const source = createCachedSource(createTextSource(texts), { get, set: () => undefined });
  // Only nodes: a text may be the same as one, and what is below that would not be looked at. Their names as texts would be
  // parts of the texts of other nodes, and hold all of these in memory: 76 MB of 100,000 pages.
  const nodes = new HashSet();
  const seen = {
    has: (hash: string) => nodes.has(hash),
    add(hash: string) {
      nodes.add(hash);
      tell(hash);
    },
  };
  const visit = (entry: Parameters<typeof getObjectHash>[0]) => {
    const object = getObjectHash(entry);
    if (object !== undefined) tell(object);
  };
  return (roots: readonly MapRoot[]) => markReachableNodes(source, roots, seen, visit, yieldToEventLoop);
}

/** The objects that a revision references beside its content. */
export function toldBy({ imported, conflicts }: RevisionRecord): string[] {
  return [imported?.skipped, conflicts].filter((object) => object !== undefined);
}
