// What one call keeps for the next: the commit and its directories, deflated, after a signature and a version. Every
// object is found by the hash of its bytes, so a damaged state is detected and ignored.

import { deflateSync, inflateSync } from "fflate";
import { joined } from "../bytes";
import { type ParsedCommit, parseCommit } from "./commits";
import { objectId } from "./objects";

const MARK = new TextEncoder().encode("octavo-git\x01");
const MAX_UNPACKED = 256 * 1024 * 1024;

/** A commit that was read or pushed before. */
export interface Known {
  readonly commit: ParsedCommit;
  readonly bytes: Uint8Array;
  readonly trees: ReadonlyMap<string, Uint8Array>;
}

/** Encodes a commit and its trees. */
export function writeState(commit: Uint8Array, trees: Iterable<Uint8Array>): Uint8Array {
  const records = joined([commit, ...trees].flatMap((bytes) => [size(bytes.length), bytes]));
  return joined([MARK, size(records.length), deflateSync(records)]);
}

/** Decodes a state; undefined when it has another version or is damaged. */
export function readState(state: Uint8Array): Known | undefined {
  if (MARK.some((byte, index) => state[index] !== byte)) return undefined;
  try {
    const view = new DataView(state.buffer, state.byteOffset + MARK.length);
    const length = view.getUint32(0);
    if (length > MAX_UNPACKED) return undefined;
    const [bytes, ...trees] = split(inflateSync(state.subarray(MARK.length + 4), { out: new Uint8Array(length) }));
    const commit = bytes && parseCommit(objectId("commit", bytes), bytes);
    if (!commit) return undefined;
    return { commit, bytes, trees: new Map(trees.map((tree) => [objectId("tree", tree), tree])) };
  } catch {
    return undefined;
  }
}

function size(length: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, length);
  return bytes;
}

function split(records: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  for (let at = 0; at < records.length; ) {
    const end = at + 4 + view.getUint32(at);
    if (end > records.length) throw new RangeError("A record is cut short.");
    found.push(records.subarray(at + 4, end));
    at = end;
  }
  return found;
}
