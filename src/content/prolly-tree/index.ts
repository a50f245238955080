// The ordered map of content-addressed nodes that a revision of content is kept in: what it offers to others.

export { type Changed, change } from "./change";
export { type Difference, diff } from "./diff";
export { type Json, MAX_VALUE_DEPTH } from "./json";
export {
  type Child,
  type Entry,
  type Inner,
  type Leaf,
  MAX_KEY_BYTES,
  MAX_VALUE_BYTES,
  MalformedNode,
  type Node,
  parseNode,
  type Root,
} from "./node";
export { type Bounds, within } from "./range";
export { needed, reach } from "./reach";
export { count, each, get, getMany, type ListOptions, list, listMany } from "./read";
export { cached, heldSource, memorySource, type NodeCache, type NodeSource, textSource } from "./source";
