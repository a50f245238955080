// What one call keeps for the next: the commit and its directories, deflated, after a signature and a version. Every
// object is found by the hash of its bytes, so a damaged state is detected and ignored.

import { Deflate, Inflate } from "fflate";
import { concatBytes } from "../utils/bytes";
import { type ParsedCommit, parseCommit } from "./commits";
import { Breaks } from "./effort";
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
export async function writeState(commit: Uint8Array, trees: Iterable<Uint8Array>): Promise<Uint8Array> {
  const records = concatBytes([commit, ...trees].flatMap((bytes) => [size(bytes.length), bytes]));
  return concatBytes([MARK, size(records.length), await throughAll(new Deflate(), records, records.length)]);
}

/** Bytes that go through a stream at once: others wait no longer than that takes. */
const PIECE = 64 * 1024;

/** All bytes through a stream, piece by piece. More than `most` is an error. */
async function throughAll(stream: Deflate | Inflate, bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const breaks = new Breaks();
  let length = 0;
  stream.ondata = (piece) => {
    length += piece.length;
    pieces.push(piece);
  };
  const step = stream instanceof Inflate ? PIECE / 64 : PIECE;
  for (let at = 0; at === 0 || at < bytes.length; at += step) {
    stream.push(bytes.slice(at, at + step), at + step >= bytes.length);
    if (length > most + SPARE) throw new RangeError("There is more than was said.");
    await breaks.take();
  }
  return concatBytes(pieces);
}

/** What is deflated may be a little longer than before. */
const SPARE = 1024 * 1024;

/** Decodes a state; undefined when it has another version or is damaged. */
export async function readState(state: Uint8Array): Promise<Known | undefined> {
  if (MARK.some((byte, index) => state[index] !== byte)) return undefined;
  try {
    const view = new DataView(state.buffer, state.byteOffset + MARK.length);
    const length = view.getUint32(0);
    if (length > MAX_UNPACKED) return undefined;
    const records = await throughAll(new Inflate(), state.subarray(MARK.length + 4), length);
    if (records.length !== length) return undefined;
    const [bytes, ...all] = split(records);
    const commit = bytes && parseCommit(objectId("commit", bytes), bytes);
    if (!commit) return undefined;
    const trees = new Map<string, Uint8Array>();
    const breaks = new Breaks();
    for (const tree of all) {
      trees.set(objectId("tree", tree), tree);
      await breaks.take();
    }
    return { commit, bytes, trees };
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
