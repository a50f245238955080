// Where a level of the tree is cut into nodes. The cuts depend only on the rows of the level, so a map has one tree.
//
//  1. A hash of the key alone decides whether a key is a boundary of a level. A row with such a key is the last of its
//     node. A boundary of a level is also one of every level below. So everything between two boundaries of a level can
//     be cut again without looking at anything else.
//  2. If the rows between two boundaries are longer than MAX_NODE_LENGTH, they are cut in their middle half, after the
//     key with the lowest hash there, and each part again. Lengths matter only at the edges of that middle. So an edit
//     hardly ever moves a cut, and no part is short, however the keys were chosen.
//
// The hash is fast and not secret. Somebody who chooses keys to spoil the cuts slows down only their own space: it
// needs as many reads as it has nodes. On levels without any boundary (6 and above), rule 2 still makes the tree lower.

/** The length of a node's rows above which they are cut, when there is more than one. */
export const MAX_NODE_LENGTH = 5 * 1024;

/** Of the leaves' keys, one in 2^4 is a boundary; of the keys of an inner level, one in 2^5. */
const LEAF_BITS = 4;
const INNER_BITS = 5;

interface Row {
  readonly key: string;
  /** What stands in the node's text. */
  readonly text: string;
  /** The rank of its key, where it is known. */
  readonly rank?: number;
}

/** The rank of a key: it is a boundary of all levels below this number. */
export function computeKeyRank(key: string): number {
  return Math.floor((Math.clz32(draw(key)) - LEAF_BITS) / INNER_BITS) + 1;
}

/** Whether a row is the last of its node on a level, whatever its neighbours are. */
export function isBoundary({ key, rank = computeKeyRank(key) }: Omit<Row, "text">, level: number): boolean {
  return rank > level;
}

/** Cuts the rows between boundaries into the rows of nodes. */
export function splitIntoNodes<R extends Row>(level: number, rows: readonly R[]): R[][] {
  const nodes: R[][] = [];
  let start = 0;
  for (let i = 0; i < rows.length; i++) {
    if (i < rows.length - 1 && !isBoundary(rows[i]!, level)) continue;
    for (const node of fitting(rows.slice(start, i + 1))) nodes.push(node);
    start = i + 1;
  }
  return nodes;
}

function fitting<R extends Row>(rows: R[]): R[][] {
  const length = rows.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= MAX_NODE_LENGTH || rows.length === 1) return [rows];
  const at = middle(rows, length);
  return [...fitting(rows.slice(0, at)), ...fitting(rows.slice(at))];
}

/** How many rows come before the cut. If one row fills the middle, the cut is before it, or after it if it is the
 * first. */
function middle(rows: readonly Row[], length: number): number {
  let before = 0;
  let at = 1;
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows.length - 1; i++) {
    before += rows[i]!.text.length;
    if (before > length * 0.75) break;
    const drawn = draw(rows[i]!.key);
    if (before >= length * 0.25 && drawn >= lowest) continue;
    at = i + 1;
    if (before >= length * 0.25) lowest = drawn;
  }
  return at;
}

/** 32 bits from a key: FNV-1a, with a final step that lets every bit influence the leading ones. */
function draw(key: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) bits = Math.imul(bits ^ key.charCodeAt(i), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
