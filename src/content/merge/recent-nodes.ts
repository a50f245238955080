// The nodes that a merge read lately. It may read very many, so those that were not asked for again are let go.

import type { MapNode, NodeCache } from "../prolly-tree";

/** Keeps nodes whose texts have up to `most` characters together, and about as many of those before them. */
export function recentNodes(most: number): NodeCache {
  let recent = new Map<string, MapNode>();
  let before = new Map<string, MapNode>();
  let length = 0;
  const set = (hash: string, node: MapNode) => {
    recent.set(hash, node);
    length += node.length;
    if (length < most) return;
    before = recent;
    recent = new Map();
    length = 0;
  };
  return {
    set,
    get(hash) {
      const known = recent.get(hash);
      if (known) return known;
      const older = before.get(hash);
      if (older) set(hash, older);
      return older;
    },
  };
}
