// The differences between two maps. Both are walked side by side in key order. A node that is in both is skipped
// unread. So a difference costs the nodes on the way to it, and not the size of the maps.

import { omitUndefined } from "../../utils/objects";
import type { JsonValue } from "./json";
import type { MapEntry, MapNode, MapRoot } from "./node";
import { type NodeSource, openNodes, openRootNode } from "./node-source";
import { type KeyRange, type RangedChild, selectChildren, selectEntries, toKeyRange } from "./range";

/** A key whose value is not the same in both maps; without `before` it was added, without `after` it was removed. */
export interface MapDifference {
  readonly key: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** What comes next in a map: an entry, or a node that is not opened yet. */
type Ahead = MapEntry | Unopened;
type Unopened = RangedChild & { readonly level: number };

/** The keys whose values differ, in order; `under` looks only at those that begin with it. */
export async function* diffMaps(
  source: NodeSource,
  before: MapRoot,
  after: MapRoot,
  options: { readonly under?: string | undefined } = {},
): AsyncGenerator<MapDifference, void, undefined> {
  if (before === after) return;
  const range = toKeyRange(options);
  // Stacks: the next item is at the end. Neither holds more than the rows of one node for each level.
  const [old, now] = await Promise.all([top(source, before, range), top(source, after, range)]);
  for (;;) {
    const [left, right] = nearest(old.at(-1), now.at(-1));
    if (left) old.pop();
    if (right) now.pop();
    const first = left ?? right;
    if (!first) return;
    if (left && right && isSame(left, right)) continue;
    if (isUnopened(first)) await enter(source, range, [left, old], [right, now]);
    else yield difference(left as MapEntry | undefined, right as MapEntry | undefined);
  }
}

const isUnopened = (ahead: Ahead | undefined): ahead is Unopened => ahead !== undefined && "hash" in ahead;
const startOf = (ahead: Ahead) => (isUnopened(ahead) ? ahead.start : ahead.key);
const levelOf = (ahead: Ahead) => (isUnopened(ahead) ? ahead.level : -1);

/** Which side to look at. If one side ends before the other begins, it is looked at alone. If both cover the same keys,
 * the higher node is opened, or both if they are of one level. This way equal nodes meet. */
function nearest(left: Ahead | undefined, right: Ahead | undefined): [Ahead | undefined, Ahead | undefined] {
  if (!left || !right) return [left, right];
  if (left.key < startOf(right)) return [left, undefined];
  if (right.key < startOf(left)) return [undefined, right];
  const [high, low] = [levelOf(left), levelOf(right)];
  return [high >= low ? left : undefined, low >= high ? right : undefined];
}

function isSame(left: Ahead, right: Ahead): boolean {
  // A leaf that was rewritten has the entries of the earlier one, except for those that were edited.
  if (left === right) return true;
  if (isUnopened(left) || isUnopened(right)) return isUnopened(left) && isUnopened(right) && left.hash === right.hash;
  return JSON.stringify(left.value) === JSON.stringify(right.value);
}

function difference(left: MapEntry | undefined, right: MapEntry | undefined): MapDifference {
  return {
    key: (left ?? right)!.key,
    ...omitUndefined({ before: left?.value, after: right?.value }),
  };
}

async function top(source: NodeSource, root: MapRoot, range: KeyRange): Promise<Ahead[]> {
  return root === null ? [] : rows(await openRootNode(source, root), "", range);
}

/** Opens what lies ahead on either side, or on both. */
async function enter(
  source: NodeSource,
  range: KeyRange,
  ...sides: readonly (readonly [ahead: Ahead | undefined, into: Ahead[]])[]
): Promise<void> {
  const opened = await Promise.all(
    sides.map(async ([ahead]) => (isUnopened(ahead) ? (await openNodes(source, ahead.level, [ahead]))[0] : undefined)),
  );
  const shared = inBoth(opened);
  sides.forEach(([ahead, into], i) => {
    const node = opened[i];
    if (node && isUnopened(ahead)) for (const row of rows(node, ahead.start, range, shared)) into.push(row);
  });
}

/** Children that both nodes of a level have. They are equal and need no look. */
function inBoth([left, right]: readonly (MapNode | undefined)[]): ReadonlySet<string> {
  if (!left || !right || !("children" in left) || !("children" in right)) return new Set();
  const hashes = new Set(left.children.map(({ hash }) => hash));
  return new Set(right.children.flatMap(({ hash }) => (hashes.has(hash) ? [hash] : [])));
}

/** What a node holds in a range, the last first. */
function rows(node: MapNode, start: string, range: KeyRange, except?: ReadonlySet<string>): Ahead[] {
  if ("entries" in node) return [...selectEntries(node, range)].reverse();
  const level = node.level - 1;
  return selectChildren(node, start, range, except)
    .map((ref) => ({ ...ref, level }))
    .reverse();
}
