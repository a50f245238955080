// The ordered map of content-addressed nodes that a revision of content is kept in: what it offers to others.

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
  createLayeredSource,
  createMemorySource,
  createTextSource,
  type NodeCache,
  type NodeSource,
} from "./node-source";
export { filterKeys, type KeyBounds } from "./range";
export { collectNeededNodesInSteps, markReachableNodes } from "./reachable-nodes";
export {
  countEntries,
  getValue,
  getValues,
  iterateEntries,
  type ListEntriesOptions,
  listEntries,
  listRanges,
} from "./read";
