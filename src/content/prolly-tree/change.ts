// Changes a map. On the way down, the nodes that the edits fall into are opened, one level at a time. On the way up,
// their rows are split again and the nodes that differ are written. Only the nodes between two boundaries that stay are
// rebuilt (boundaries.ts). So the result is the tree that building the map from nothing would give.

import { type RunSteps, runStepsAtOnce, type Steps, yieldOnce } from "../../utils/concurrency/steps";
import { sha256Hex } from "../../utils/sha256";
import { isBoundary, splitIntoNodes } from "./boundaries";
import type { JsonValue } from "./json";
import { ChildPointer, createEntryRow, type EntryRow, InnerNode, LeafNode, type MapNode, type MapRoot } from "./node";
import { createCachedSource, type NodeSource, openNodes, openRootNode } from "./node-source";
import { getValues } from "./read";

/** A map after a change, and the nodes to save before its root is stored anywhere. */
export interface ChangedMap {
  readonly root: MapRoot;
  /** The texts of the nodes that the map did not have before, by their hashes. */
  readonly created: ReadonlyMap<string, string>;
  /** The same nodes, as parsing their texts would return them. */
  readonly nodes: ReadonlyMap<string, MapNode>;
}

/** A key whose value is set, or removed if `row` is undefined. */
interface Edit {
  readonly key: string;
  readonly row: EntryRow | undefined;
}

/** Neighboring nodes of one level, up to a boundary that stays, and the edits that fall among their keys. */
interface NodeGroup {
  readonly children: readonly ChildPointer[];
  readonly edits: readonly Edit[];
}

interface TreeDraft {
  /** The keys that are removed, which are no longer boundaries. */
  readonly removedKeys: ReadonlySet<string>;
  /** Nodes of the old tree. */
  readonly opened: Map<string, MapNode>;
  /** The texts of nodes that the new tree has and the old one does not have. */
  readonly created: Map<string, string>;
  /** The same nodes, parsed. */
  readonly nodes: Map<string, MapNode>;
}

const EDITS_PER_STEP = 200;
const LEAVES_PER_STEP = 10;

/**
 * Returns the map with each key of `edits` set to its value, or removed if the value is undefined. Throws a `RangeError`
 * if the map cannot hold a key or a value. `runSteps` runs long work. Default: all at once.
 */
export async function changeMap(
  stored: NodeSource,
  root: MapRoot,
  edits: ReadonlyMap<string, JsonValue | undefined>,
  runSteps: RunSteps = runStepsAtOnce,
): Promise<ChangedMap> {
  const source = createCachedSource(stored, new Map());
  let sortedEdits: Edit[] = [];
  for (const [key, value] of edits) {
    sortedEdits.push({ key, row: value === undefined ? undefined : createEntryRow(key, value) });
    if (sortedEdits.length % EDITS_PER_STEP === 0) await runSteps(yieldOnce());
  }
  sortedEdits.sort((a, b) => (a.key < b.key ? -1 : 1));

  // Edits that set the value that is there already are dropped: reading a leaf costs less than writing it and everything above it again.
  if (root !== null) {
    const effective: Edit[] = [];
    for (let start = 0; start < sortedEdits.length; start += EDITS_PER_STEP) {
      const some = sortedEdits.slice(start, start + EDITS_PER_STEP);
      const before = await getValues(
        source,
        root,
        some.map(({ key }) => key),
      );
      for (const [i, edit] of some.entries()) {
        const isEffective = edit.row
          ? JSON.stringify(before[i]) !== JSON.stringify(edit.row.entry.value)
          : before[i] !== undefined;
        if (isEffective) effective.push(edit);
      }
      await runSteps(yieldOnce());
    }
    sortedEdits = effective;
  }

  const removedKeys = new Set(sortedEdits.filter(({ row }) => !row).map(({ key }) => key));
  const draft: TreeDraft = { removedKeys, opened: new Map(), created: new Map(), nodes: new Map() };
  const { created, nodes } = draft;
  if (sortedEdits.length === 0) return { root, created, nodes };

  // The nodes that the edits fall into are opened, all nodes of a level at once.
  let top: MapNode | undefined;
  if (root !== null) {
    top = await openRootNode(source, root);
    draft.opened.set(root, top);
    let parents: { readonly nodes: readonly MapNode[]; readonly edits: readonly Edit[] }[] = [
      { nodes: [top], edits: sortedEdits },
    ];
    for (let level = top.level - 1; level >= 0; level--) {
      const groups = parents.flatMap(({ nodes, edits }) => groupChildren(draft, level, nodes, edits));
      const edited = groups.filter(({ edits }) => edits.length > 0);
      const pointers = edited.flatMap((group) => group.children);
      const opened = await openNodes(source, level, pointers);
      for (const [i, { hash }] of pointers.entries()) draft.opened.set(hash, opened[i]!);
      parents = edited.map(({ children, edits }) => ({
        nodes: children.map(({ hash }) => draft.opened.get(hash)!),
        edits,
      }));
    }
  }

  let children = await runSteps(
    top && top.level > 0
      ? rewriteChildrenInSteps(draft, top.level - 1, [top], sortedEdits)
      : rewriteNodesInSteps(draft, 0, top ? [top] : [], sortedEdits),
  );

  // Add levels until one is a single node.
  if (children.length > 1) {
    for (let level = Math.max(top?.level ?? 0, 1); children.length > 1; level++)
      children = writeInnerNodes(draft, level, children);
    return { root: children[0]!.hash, created, nodes };
  }

  // Drop levels that are no longer needed: a root above the leaves has at least two children.
  let newRoot = children[0]?.hash ?? null;
  const newSource = createCachedSource(source, { get: (hash) => nodes.get(hash), set: () => undefined });
  while (newRoot !== null) {
    const node = await openRootNode(newSource, newRoot);
    if ("entries" in node || node.children.length > 1) break;
    created.delete(newRoot);
    nodes.delete(newRoot);
    newRoot = node.children[0]!.hash;
  }
  return { root: newRoot, created, nodes };
}

/** Groups the children of nodes, from one boundary that stays to the next. `level` is the level of the children. */
function groupChildren(
  draft: TreeDraft,
  level: number,
  parents: readonly MapNode[],
  edits: readonly Edit[],
): NodeGroup[] {
  const allChildren = parents.flatMap((node) => ("children" in node ? node.children : []));
  const groups: NodeGroup[] = [];
  let children: ChildPointer[] = [];
  let next = 0;
  allChildren.forEach((child, i) => {
    children.push(child);
    const isLast = i === allChildren.length - 1;
    if (!isLast && (draft.removedKeys.has(child.key) || !isBoundary(child, level))) return;
    const first = next;
    while (next < edits.length && (isLast || edits[next]!.key <= child.key)) next++;
    groups.push({ children, edits: edits.slice(first, next) });
    children = [];
  });
  return groups;
}

/** Writes nodes of a level again with the edits applied, and returns pointers to the new nodes. */
function* rewriteNodesInSteps(
  draft: TreeDraft,
  level: number,
  nodes: readonly MapNode[],
  edits: readonly Edit[],
): Steps<ChildPointer[]> {
  if (level === 0) {
    // Merge the rows of the leaves with those of the edits. Rows without an edit are copied as text.
    const rows: EntryRow[] = [];
    let next = 0;
    const addEditsBefore = (key?: string) => {
      for (; next < edits.length && (key === undefined || edits[next]!.key < key); next++) {
        if (edits[next]!.row) rows.push(edits[next]!.row!);
      }
    };
    for (const leaf of nodes) {
      if (!("entries" in leaf)) continue;
      const { entries, rowTexts } = leaf;
      entries.forEach((entry, i) => {
        addEditsBefore(entry.key);
        if (edits[next]?.key !== entry.key) rows.push({ key: entry.key, text: rowTexts[i]!, entry });
      });
    }
    addEditsBefore();

    const pointers: ChildPointer[] = [];
    for (const leafRows of splitIntoNodes(0, rows)) {
      const keys = leafRows.map(({ key }) => key);
      const texts = leafRows.map(({ text }) => text);
      const entries = leafRows.map(({ entry }) => entry);
      const text = `[0,${texts.join(",")}]`;
      const hash = sha256Hex(text);
      saveNode(draft, hash, text, new LeafNode({ rows: { keys, texts } }, text.length, hash, entries));
      pointers.push(new ChildPointer(keys.at(-1)!, hash, keys.length));
      if (pointers.length % LEAVES_PER_STEP === 0) yield;
    }
    yield;
    return pointers;
  }
  return writeInnerNodes(draft, level, yield* rewriteChildrenInSteps(draft, level - 1, nodes, edits));
}

/** Returns the children of nodes with the edits applied. Only children with edits are written. */
function* rewriteChildrenInSteps(
  draft: TreeDraft,
  level: number,
  parents: readonly MapNode[],
  edits: readonly Edit[],
): Steps<ChildPointer[]> {
  const children: ChildPointer[] = [];
  for (const group of groupChildren(draft, level, parents, edits)) {
    let pointers = group.children;
    if (group.edits.length > 0) {
      const nodes = group.children.map(({ hash }) => draft.opened.get(hash)!);
      pointers = yield* rewriteNodesInSteps(draft, level, nodes, group.edits);
    }
    for (const pointer of pointers) children.push(pointer);
  }
  return children;
}

function writeInnerNodes(draft: TreeDraft, level: number, children: readonly ChildPointer[]): ChildPointer[] {
  return splitIntoNodes(level, children).map((nodeChildren) => {
    const keys = nodeChildren.map(({ key }) => key);
    const texts = nodeChildren.map((child) => child.text);
    const text = `[${level},${texts.join(",")}]`;
    const hash = sha256Hex(text);
    // The texts of the rows are only needed to parse children, and all children are there.
    saveNode(draft, hash, text, new InnerNode(level, { keys, texts: [] }, text.length, hash, nodeChildren));
    const count = nodeChildren.reduce((sum, child) => sum + child.count, 0);
    return new ChildPointer(keys.at(-1)!, hash, count);
  });
}

/** Adds a node to the new tree, unless the old tree has it. */
function saveNode(draft: TreeDraft, hash: string, text: string, node: MapNode): void {
  if (draft.opened.has(hash)) return;
  draft.created.set(hash, text);
  draft.nodes.set(hash, node);
}
