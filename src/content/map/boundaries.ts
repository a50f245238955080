// Where a level of the tree is cut into nodes. The cuts follow from the rows of the level alone, so a map has one tree.
//
//  1. A row whose key is drawn as a boundary of the level is the last of its node. The draw looks at the key and nothing
//     else. A boundary of a level is one of every level below it, so whatever lies between two boundaries of a level lies
//     between them on all levels below as well, and can be cut anew without looking further.
//  2. What lies between two boundaries and is longer than MAX_NODE_LENGTH is cut in its middle half, after the key that
//     was drawn lowest there, and each part again. The choice hangs on lengths only through the edges of that middle, so
//     an edit hardly ever moves a cut; and no part is short, however the keys were chosen.
//
// The draw is quick and not secret: whoever chooses keys to spoil the cuts pays for it in the space they are in, with as
// many reads as it has nodes. Levels where no key is a boundary any more (6 and above) still get lower by rule 2.

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

/** How high a key stands: it is a boundary of the levels below. */
export function rankOf(key: string): number {
  return Math.floor((Math.clz32(draw(key)) - LEAF_BITS) / INNER_BITS) + 1;
}

/** Whether a row is the last of its node on a level, wherever it stands. */
export function isBoundary({ key, rank = rankOf(key) }: Omit<Row, "text">, level: number): boolean {
  return rank > level;
}

/** Cuts whole stretches between boundaries into the rows of nodes. */
export function cut<R extends Row>(level: number, rows: readonly R[]): R[][] {
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

/** How many rows come before the cut. When one row fills the middle, the cut is before it, or behind it if it is first. */
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

/** 32 bits from a key: FNV-1a, and a finish that lets every bit of it count for the leading ones. */
function draw(key: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) bits = Math.imul(bits ^ key.charCodeAt(i), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
