// Compares two maps. Both are traversed in parallel in key order, and a node that is in both is skipped without being read. The cost
// therefore depends on the nodes on the way to the differences, and not on the size of the maps.

import { omitUndefined } from "../../utils/objects";
import type { JsonValue } from "./json";
import type { MapEntry, MapNode, MapRoot } from "./node";
import { type NodeSource, openNodes, openRootNode } from "./node-source";
import { type KeyRange, type RangedChild, selectChildren, selectEntries, toKeyRange } from "./range";

/** A key whose values differ between two maps. Without `before` it was added, and without `after` it was removed. */
export interface MapDifference {
  readonly key: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** An item of a walk: an entry, or a node that is not opened yet. */
type WalkItem = MapEntry | (RangedChild & { readonly level: number });
/** Yields the keys whose values differ, in order. `under` limits the comparison to the keys that begin with it. */
export async function* diffMaps(
  source: NodeSource,
  before: MapRoot,
  after: MapRoot,
  options: { readonly under?: string | undefined } = {},
): AsyncGenerator<MapDifference, void, undefined> {
  if (before === after) return;
  const range = toKeyRange(options);
  // Stacks: the next item is the last one. Neither holds more than the rows of one node for each level.
  const [oldItems, newItems] = (await Promise.all(
    [before, after].map(async (root) =>
      root === null ? [] : listItemsInReverse(await openRootNode(source, root), "", range),
    ),
  )) as [WalkItem[], WalkItem[]];
  for (;;) {
    // If one item ends before the other begins, it is looked at alone. If both cover the same keys, the higher node is opened, or both nodes
    // if they are on one level. This way, equal nodes meet.
    let [oldItem, newItem] = [oldItems.at(-1), newItems.at(-1)];
    if (oldItem && newItem) {
      const oldLevel = "hash" in oldItem ? oldItem.level : -1;
      const newLevel = "hash" in newItem ? newItem.level : -1;
      if (oldItem.key < ("hash" in newItem ? newItem.start : newItem.key)) newItem = undefined;
      else if (newItem.key < ("hash" in oldItem ? oldItem.start : oldItem.key)) oldItem = undefined;
      else if (oldLevel < newLevel) oldItem = undefined;
      else if (newLevel < oldLevel) newItem = undefined;
    }
    if (oldItem) oldItems.pop();
    if (newItem) newItems.pop();
    const item = oldItem ?? newItem;
    if (!item) return;

    // A leaf that was rewritten in memory shares the entry objects that were not edited with the earlier leaf.
    if (oldItem === newItem) continue;
    if (oldItem && newItem) {
      const isSame =
        "hash" in oldItem
          ? "hash" in newItem && oldItem.hash === newItem.hash
          : !("hash" in newItem) && JSON.stringify(oldItem.value) === JSON.stringify(newItem.value);
      if (isSame) continue;
    }
    if ("hash" in item) {
      // Items that are nodes are opened, and their rows are pushed onto the stacks.
      const sides = [[oldItem, oldItems] as const, [newItem, newItems] as const];
      const nodes = await Promise.all(
        sides.map(async ([item]) =>
          item && "hash" in item ? (await openNodes(source, item.level, [item]))[0] : undefined,
        ),
      );

      // Children that both nodes have are equal and need no look.
      const [oldNode, newNode] = nodes;
      let sharedHashes: ReadonlySet<string> | undefined;
      if (oldNode && newNode && "children" in oldNode && "children" in newNode) {
        const oldHashes = new Set(oldNode.children.map(({ hash }) => hash));
        sharedHashes = new Set(newNode.children.map(({ hash }) => hash).filter((hash) => oldHashes.has(hash)));
      }

      sides.forEach(([item, stack], i) => {
        const node = nodes[i];
        if (!node || !item || !("hash" in item)) return;
        for (const row of listItemsInReverse(node, item.start, range, sharedHashes)) stack.push(row);
      });
    } else {
      const [oldEntry, newEntry] = [oldItem as MapEntry | undefined, newItem as MapEntry | undefined];
      yield { key: item.key, ...omitUndefined({ before: oldEntry?.value, after: newEntry?.value }) };
    }
  }
}

/** Returns the rows of a node that lie in a range, the last one first. */
function listItemsInReverse(node: MapNode, start: string, range: KeyRange, except?: ReadonlySet<string>): WalkItem[] {
  if ("entries" in node) return [...selectEntries(node, range)].reverse();
  const level = node.level - 1;
  return selectChildren(node, start, range, except)
    .map((child) => ({ ...child, level }))
    .reverse();
}
