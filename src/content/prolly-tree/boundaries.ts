// Splits a level of the tree into nodes. The splits depend only on the rows of the level, so a map has exactly one tree.
//
//  1. A hash of the key alone decides whether a key is a boundary of a level. A row with such a key is the last of its
//     node. A boundary of a level is also a boundary of every level below. So everything between two boundaries of a
//     level can be split again without looking at anything else.
//  2. If the rows between two boundaries are longer than MAX_NODE_LENGTH, they are split in their middle half, after the
//     key with the lowest hash there, and each part is split again if needed. Lengths matter only at the edges of that
//     middle. So an edit hardly ever moves a split, and no part is short, however the keys were chosen.
//
// The hash is fast and not secret. A user who chooses keys to spoil the splits slows down only their own space: a read
// then needs as many loads as the space has nodes. On levels without any boundary (6 and above), rule 2 still makes the
// tree lower.

/** Rows of more characters than this are split, unless there is only one row. */
export const MAX_NODE_LENGTH = 5 * 1024;

/** One in 2^4 keys of the leaves is a boundary, and one in 2^5 keys of an inner level. */
const LEAF_BITS = 4;
const INNER_BITS = 5;

interface NodeRow {
  readonly key: string;
  /** The row as it is written in the text of a node. */
  readonly text: string;
  /** The rank of the key, if it is known. */
  readonly rank?: number;
}

/** Returns the rank of a key. The key is a boundary of all levels below this number. */
export function computeKeyRank(key: string): number {
  return Math.floor((Math.clz32(hashKey(key)) - LEAF_BITS) / INNER_BITS) + 1;
}

/** Checks whether a row is the last of its node on a level, whatever its neighbors are. */
export function isBoundary({ key, rank = computeKeyRank(key) }: Omit<NodeRow, "text">, level: number): boolean {
  return rank > level;
}

/** Splits consecutive rows of a level into the rows of nodes. The last row ends a node in any case. */
export function splitIntoNodes<Row extends NodeRow>(level: number, rows: readonly Row[]): Row[][] {
  const nodes: Row[][] = [];
  let start = 0;
  for (let i = 0; i < rows.length; i++) {
    if (i < rows.length - 1 && !isBoundary(rows[i]!, level)) continue;
    for (const node of splitToFit(rows.slice(start, i + 1))) nodes.push(node);
    start = i + 1;
  }
  return nodes;
}

/** Splits the rows between two boundaries until each part fits into a node. */
function splitToFit<Row extends NodeRow>(rows: Row[]): Row[][] {
  const length = rows.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= MAX_NODE_LENGTH || rows.length === 1) return [rows];

  // If one row fills the whole middle half, the split is before it, or after it if it is the first row.
  let splitIndex = 1;
  let lengthBefore = 0;
  let lowestHash = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows.length - 1; i++) {
    lengthBefore += rows[i]!.text.length;
    if (lengthBefore > length * 0.75) break;
    const isInMiddle = lengthBefore >= length * 0.25;
    const hash = hashKey(rows[i]!.key);
    if (isInMiddle && hash >= lowestHash) continue;
    splitIndex = i + 1;
    if (isInMiddle) lowestHash = hash;
  }
  return [...splitToFit(rows.slice(0, splitIndex)), ...splitToFit(rows.slice(splitIndex))];
}

/** Returns 32 bits for a key: FNV-1a, with a final step that lets every bit influence the leading ones. */
function hashKey(key: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) bits = Math.imul(bits ^ key.charCodeAt(i), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
