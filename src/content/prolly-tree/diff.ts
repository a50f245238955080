// Compares two maps. Both are walked side by side in the order of the keys, and a node that is in both is skipped unread.
// So a comparison costs the nodes on the way to the differences, and not the size of the maps.

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
type WalkItem = MapEntry | UnopenedNode;
type UnopenedNode = RangedChild & { readonly level: number };

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
  const [oldItems, newItems] = await Promise.all([
    listRootItems(source, before, range),
    listRootItems(source, after, range),
  ]);
  for (;;) {
    const [oldItem, newItem] = selectNextItems(oldItems.at(-1), newItems.at(-1));
    if (oldItem) oldItems.pop();
    if (newItem) newItems.pop();
    const item = oldItem ?? newItem;
    if (!item) return;
    if (oldItem && newItem && isSameItem(oldItem, newItem)) continue;
    if ("hash" in item) await openItems(source, range, [oldItem, oldItems], [newItem, newItems]);
    else {
      const [oldEntry, newEntry] = [oldItem as MapEntry | undefined, newItem as MapEntry | undefined];
      yield { key: item.key, ...omitUndefined({ before: oldEntry?.value, after: newEntry?.value }) };
    }
  }
}

/**
 * Selects the items to look at. If one item ends before the other begins, it is looked at alone. If both cover the same
 * keys, the higher node is opened, or both nodes if they are on one level. This way, equal nodes meet.
 */
function selectNextItems(
  oldItem: WalkItem | undefined,
  newItem: WalkItem | undefined,
): [WalkItem | undefined, WalkItem | undefined] {
  if (!oldItem || !newItem) return [oldItem, newItem];
  if (oldItem.key < ("hash" in newItem ? newItem.start : newItem.key)) return [oldItem, undefined];
  if (newItem.key < ("hash" in oldItem ? oldItem.start : oldItem.key)) return [undefined, newItem];
  const oldLevel = "hash" in oldItem ? oldItem.level : -1;
  const newLevel = "hash" in newItem ? newItem.level : -1;
  return [oldLevel >= newLevel ? oldItem : undefined, newLevel >= oldLevel ? newItem : undefined];
}

function isSameItem(oldItem: WalkItem, newItem: WalkItem): boolean {
  // A leaf that was rewritten in memory shares the entry objects that were not edited with the earlier leaf.
  if (oldItem === newItem) return true;
  if ("hash" in oldItem) return "hash" in newItem && oldItem.hash === newItem.hash;
  return !("hash" in newItem) && JSON.stringify(oldItem.value) === JSON.stringify(newItem.value);
}

async function listRootItems(source: NodeSource, root: MapRoot, range: KeyRange): Promise<WalkItem[]> {
  return root === null ? [] : listItemsInReverse(await openRootNode(source, root), "", range);
}

/** Opens the items that are nodes, and pushes their rows onto the stacks. */
async function openItems(
  source: NodeSource,
  range: KeyRange,
  ...sides: readonly (readonly [item: WalkItem | undefined, stack: WalkItem[]])[]
): Promise<void> {
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
}

/** Returns the rows of a node that lie in a range, the last one first. */
function listItemsInReverse(node: MapNode, start: string, range: KeyRange, except?: ReadonlySet<string>): WalkItem[] {
  if ("entries" in node) return [...selectEntries(node, range)].reverse();
  const level = node.level - 1;
  return selectChildren(node, start, range, except)
    .map((child) => ({ ...child, level }))
    .reverse();
}
