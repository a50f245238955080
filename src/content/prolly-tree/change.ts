// Changing a map. On the way down, the nodes that the edits fall into are opened, one level at a time. On the way up,
// their rows are cut again and the nodes that differ are written. Only what lies between two boundaries that stay is
// rebuilt (boundaries.ts). So the result is the tree that a build from nothing would give.

import { type RunSteps, runStepsAtOnce, type Steps, yieldOnce } from "../markdown/steps";
import { isBoundary, splitIntoNodes } from "./boundaries";
import type { JsonValue } from "./json";
import {
  type ChildPointer,
  childOf,
  createEntryRow,
  createInner,
  createLeaf,
  getRowTexts,
  hashOf,
  type MapEntry,
  type MapNode,
  type MapRoot,
  serializeNode,
} from "./node";
import { createCachedSource, createLayeredSource, type NodeSource, openNodes, openRootNode } from "./node-source";
import { getValues } from "./read";

/** The map after a change, and the nodes to save before its root is named. */
export interface ChangedMap {
  readonly root: MapRoot;
  /** The texts of the nodes that the map did not have before, by their hashes. */
  readonly created: ReadonlyMap<string, string>;
  /** The same nodes as reading their texts would give them. */
  readonly nodes: ReadonlyMap<string, MapNode>;
}

/** A row of a leaf that is being written. */
interface Row {
  readonly key: string;
  readonly text: string;
  readonly entry: MapEntry;
}

interface Edit {
  readonly key: string;
  /** Undefined: the key is removed. */
  readonly row: Row | undefined;
}

/** Neighbouring nodes of one level, up to a boundary that stays, and the edits that fall among their keys. */
interface Stretch {
  readonly children: readonly ChildPointer[];
  readonly edits: readonly Edit[];
}

/** A change under way. */
interface Draft {
  /** The keys that are removed, which are no longer boundaries. */
  readonly gone: ReadonlySet<string>;
  /** Nodes of the old tree. */
  readonly opened: Map<string, MapNode>;
  /** Texts of nodes that the new tree has and the old one had not. */
  readonly created: Map<string, string>;
  /** Those nodes. */
  readonly nodes: Map<string, MapNode>;
}

/** How many edits, and how many leaves, are worked on in one step. */
const STEP_EDITS = 200;
const STEP_LEAVES = 10;

/** The map with each key of `edits` set to its value, or removed where that is undefined. Throws a RangeError when a
 * key or a value is not one that a map can hold. `runSteps` carries out what is long; default: at once. */
export async function changeMap(
  stored: NodeSource,
  root: MapRoot,
  edits: ReadonlyMap<string, JsonValue | undefined>,
  inTurns: RunSteps = runStepsAtOnce,
): Promise<ChangedMap> {
  const source = createCachedSource(stored, new Map());
  const sorted = await thatMatter(source, root, await inTurns(inKeyOrder(edits)), inTurns);
  const gone = new Set(sorted.filter(({ row }) => !row).map(({ key }) => key));
  const draft: Draft = { gone, opened: new Map(), created: new Map(), nodes: new Map() };
  const { created, nodes } = draft;
  if (sorted.length === 0) return { root, created, nodes };
  const top = root === null ? undefined : await openTouched(source, draft, root, sorted);
  const children = await inTurns(
    top && top.level > 0
      ? childrenOf(draft, top.level - 1, [top], sorted)
      : written(draft, 0, top ? [top] : [], sorted),
  );
  return { root: await rootOf(source, draft, Math.max(top?.level ?? 0, 1), children), created, nodes };
}

function* inKeyOrder(edits: ReadonlyMap<string, JsonValue | undefined>): Steps<Edit[]> {
  const sorted: Edit[] = [];
  for (const [key, value] of edits) {
    sorted.push({ key, row: value === undefined ? undefined : { key, ...createEntryRow(key, value) } });
    if (sorted.length % STEP_EDITS === 0) yield;
  }
  return sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Leaves out edits that change nothing: reading a leaf costs less than writing it and everything above it again. */
async function thatMatter(
  source: NodeSource,
  root: MapRoot,
  edits: readonly Edit[],
  inTurns: RunSteps,
): Promise<readonly Edit[]> {
  if (root === null) return edits;
  const found: Edit[] = [];
  for (let from = 0; from < edits.length; from += STEP_EDITS) {
    const some = edits.slice(from, from + STEP_EDITS);
    const before = await getValues(
      source,
      root,
      some.map(({ key }) => key),
    );
    const matters = ({ row }: Edit, i: number) =>
      row ? JSON.stringify(before[i]) !== JSON.stringify(row.entry.value) : before[i] !== undefined;
    found.push(...some.filter(matters));
    await inTurns(yieldOnce());
  }
  return found;
}

/** Opens the nodes that the edits fall into, all nodes of a level at once, and gives the root. */
async function openTouched(source: NodeSource, draft: Draft, root: string, edits: readonly Edit[]): Promise<MapNode> {
  const top = await openRootNode(source, root);
  draft.opened.set(root, top);
  let above = [{ nodes: [top], edits }];
  for (let level = top.level - 1; level >= 0; level--) {
    const touched = above.flatMap(({ nodes, edits }) => stretches(draft, level, nodes, edits).filter(isTouched));
    const children = touched.flatMap((stretch) => stretch.children);
    const nodes = await openNodes(source, level, children);
    children.forEach(({ hash }, i) => {
      draft.opened.set(hash, nodes[i]!);
    });
    above = touched.map((stretch) => ({ nodes: openedOf(draft, stretch), edits: stretch.edits }));
  }
  return top;
}

const isTouched = ({ edits }: Stretch) => edits.length > 0;
const openedOf = (draft: Draft, { children }: Stretch) => children.map(({ hash }) => draft.opened.get(hash)!);

/** Groups of nodes of a level, as the nodes above name them, from one boundary that stays to the next. */
function stretches(draft: Draft, level: number, above: readonly MapNode[], edits: readonly Edit[]): Stretch[] {
  const all = above.flatMap((node) => ("children" in node ? node.children : []));
  const found: Stretch[] = [];
  let children: ChildPointer[] = [];
  let next = 0;
  all.forEach((child, i) => {
    children.push(child);
    const isLast = i === all.length - 1;
    if (!isLast && (draft.gone.has(child.key) || !isBoundary(child, level))) return;
    const first = next;
    while (next < edits.length && (isLast || edits[next]!.key <= child.key)) next++;
    found.push({ children, edits: edits.slice(first, next) });
    children = [];
  });
  return found;
}

/** Writes the nodes of a level again, with the edits made, and names them. */
function* written(
  draft: Draft,
  level: number,
  nodes: readonly MapNode[],
  edits: readonly Edit[],
): Steps<ChildPointer[]> {
  if (level === 0) return yield* writeLeaves(draft, merged(nodes, edits));
  return writeInner(draft, level, yield* childrenOf(draft, level - 1, nodes, edits));
}

/** The nodes of a level with the edits made. Only nodes with edits are written. */
function* childrenOf(
  draft: Draft,
  level: number,
  above: readonly MapNode[],
  edits: readonly Edit[],
): Steps<ChildPointer[]> {
  const children: ChildPointer[] = [];
  for (const stretch of stretches(draft, level, above, edits)) {
    const found = isTouched(stretch)
      ? yield* written(draft, level, openedOf(draft, stretch), stretch.edits)
      : stretch.children;
    for (const child of found) children.push(child);
  }
  return children;
}

/** The rows of leaves with the edits made. */
function merged(leaves: readonly MapNode[], edits: readonly Edit[]): Row[] {
  const rows: Row[] = [];
  let next = 0;
  const editsBefore = (key?: string) => {
    for (; next < edits.length && (key === undefined || edits[next]!.key < key); next++) {
      if (edits[next]!.row) rows.push(edits[next]!.row!);
    }
  };
  for (const leaf of leaves) {
    if (!("entries" in leaf)) continue;
    const texts = getRowTexts(leaf);
    leaf.entries.forEach((entry, i) => {
      editsBefore(entry.key);
      if (edits[next]?.key !== entry.key) rows.push({ key: entry.key, text: texts[i]!, entry });
    });
  }
  editsBefore();
  return rows;
}

function* writeLeaves(draft: Draft, all: readonly Row[]): Steps<ChildPointer[]> {
  const leaves: ChildPointer[] = [];
  for (const rows of splitIntoNodes(0, all)) {
    const texts = rows.map(({ text }) => text);
    const entries = rows.map(({ entry }) => entry);
    const text = serializeNode(0, texts);
    const hash = save(draft, text, createLeaf(entries, texts, text.length));
    leaves.push(childOf(rows.at(-1)!.key, hash, rows.length));
    if (leaves.length % STEP_LEAVES === 0) yield;
  }
  yield;
  return leaves;
}

function writeInner(draft: Draft, level: number, children: readonly ChildPointer[]): ChildPointer[] {
  return splitIntoNodes(level, children).map((rows) => {
    const text = serializeNode(
      level,
      rows.map((child) => child.text),
    );
    const hash = save(draft, text, createInner(level, rows, text.length));
    return childOf(
      rows.at(-1)!.key,
      hash,
      rows.reduce((sum, { count }) => sum + count, 0),
    );
  });
}

function save(draft: Draft, text: string, node: MapNode): string {
  const hash = hashOf(text);
  if (!draft.opened.has(hash)) {
    draft.created.set(hash, text);
    draft.nodes.set(hash, node);
  }
  return hash;
}

/** Adds levels until one is a single node, or leaves out levels that are no longer needed. */
async function rootOf(
  source: NodeSource,
  draft: Draft,
  level: number,
  below: readonly ChildPointer[],
): Promise<MapRoot> {
  let children = below;
  if (children.length > 1) {
    for (let above = level; children.length > 1; above++) children = writeInner(draft, above, children);
    return children[0]!.hash;
  }
  let root = children[0]?.hash ?? null;
  const fresh = createLayeredSource(draft.nodes, source);
  while (root !== null) {
    const node = await openRootNode(fresh, root);
    if ("entries" in node || node.children.length > 1) break;
    draft.created.delete(root);
    draft.nodes.delete(root);
    root = node.children[0]!.hash;
  }
  return root;
}
