// An ordered map from short keys to small JSON values, stored as a prolly tree. Every revision of content is such a map.
//
// A prolly tree (short for "probabilistic B-tree", known from Noms and Dolt) is a search tree whose nodes are found by
// the hash of their text, and whose shape depends on its content alone. A B-tree splits a node when an insert overflows
// it, so the same entries can end up in different trees. Here, a hash of each key decides whether a node ends after that
// key. Nobody has to balance the tree, and it does not remember the order of the writes. From this follow the invariants:
//
//  1. Equal maps have equal roots. The entries alone decide every node and the root hash, whatever the history.
//  2. A node never changes. A change of the map writes the nodes that differ, and shares all others with the map before.
//  3. A subtree is skipped by its hash. Comparing two maps costs the nodes that differ, not the size of the maps.
//  4. Copying a map is free: a copy is another record with the same root hash.
//  5. Nodes are small. No node's text is longer than 28 KiB, however the keys and values were chosen.
//
// To read on: the format of a node (node.ts), where a level is split into nodes (boundaries.ts), where nodes are loaded
// from (node-source.ts), then reading, changing and comparing maps (read.ts, change.ts, diff.ts).

export { type ChangedMap, changeMap } from "./change";
export { diffMaps, type MapDifference } from "./diff";
export { type JsonValue, MAX_VALUE_DEPTH } from "./json";
export {
  type ChildPointer,
  type InnerNode,
  type LeafNode,
  MAX_MAP_KEY_BYTES,
  MAX_MAP_VALUE_BYTES,
  MalformedNodeError,
  type MapEntry,
  type MapNode,
  type MapRoot,
  parseNode,
} from "./node";
export {
  createCachedSource,
  createMemorySource,
  createTextSource,
  type NodeCache,
  type NodeSource,
} from "./node-source";
export { type KeyBounds, toKeyRange } from "./range";
export { collectNeededNodesInSteps, markReachableNodes } from "./reachable-nodes";
export {
  countEntries,
  type EntryChunk,
  getValue,
  getValues,
  iterateEntries,
  type ListEntriesOptions,
  listEntries,
  listRanges,
} from "./read";
