// The state that one call returns for the next: the commit and its directories, deflated, after a signature and a
// version. Every object is found by the hash of its bytes, so a damaged state is detected and ignored.

import { Deflate, Inflate } from "fflate";
import { concatBytes } from "../utils/bytes";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { type ParsedCommit, parseCommit } from "./commits";
import { hashObject } from "./objects";
import { DEFLATE_PIECE_BYTES } from "./write-pack";

/** The signature; its last byte is the version. */
const SIGNATURE = new TextEncoder().encode("octavo-git\x01");
const MAX_INFLATED_BYTES = 256 * 1024 * 1024;

/** A commit that was read or pushed before. */
export interface KnownCommit {
  readonly commit: ParsedCommit;
  readonly bytes: Uint8Array;
  readonly trees: ReadonlyMap<string, Uint8Array>;
}

export async function writeState(commit: Uint8Array, trees: Iterable<Uint8Array>): Promise<Uint8Array> {
  const records = concatBytes([commit, ...trees].flatMap((bytes) => [encodeLength(bytes.length), bytes]));
  const deflated = await pipeThrough(new Deflate(), records, records.length);
  return concatBytes([SIGNATURE, encodeLength(records.length), deflated]);
}

/** Decodes a state. Returns undefined if it has another version or is damaged. */
export async function readState(state: Uint8Array): Promise<KnownCommit | undefined> {
  if (SIGNATURE.some((byte, index) => state[index] !== byte)) return undefined;
  try {
    const length = new DataView(state.buffer, state.byteOffset + SIGNATURE.length).getUint32(0);
    if (length > MAX_INFLATED_BYTES) return undefined;
    const records = await pipeThrough(new Inflate(), state.subarray(SIGNATURE.length + 4), length);
    if (records.length !== length) return undefined;

    const objects: Uint8Array[] = [];
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    for (let offset = 0; offset < records.length; ) {
      const end = offset + 4 + view.getUint32(offset);
      if (end > records.length) return undefined;
      objects.push(records.subarray(offset + 4, end));
      offset = end;
    }

    const [bytes, ...treeObjects] = objects;
    const commit = bytes && parseCommit(hashObject("commit", bytes), bytes);
    if (!commit) return undefined;
    const trees = new Map<string, Uint8Array>();
    for (const tree of treeObjects) {
      trees.set(hashObject("tree", tree), tree);
      await yieldToEventLoop();
    }
    return { commit, bytes, trees };
  } catch {
    return undefined;
  }
}

/** The bytes that are inflated between two yields to the event loop. They may become a thousand times as many. */
const INFLATE_PIECE_BYTES = 1024;
/** Deflating may make bytes a little longer. */
const SPARE_BYTES = 1024 * 1024;

/** Sends bytes through a stream, piece by piece. Throws if much more than `maxBytes` come out. */
async function pipeThrough(stream: Deflate | Inflate, bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  stream.ondata = (piece) => {
    length += piece.length;
    pieces.push(piece);
  };
  const stepBytes = stream instanceof Inflate ? INFLATE_PIECE_BYTES : DEFLATE_PIECE_BYTES;
  for (let offset = 0; offset === 0 || offset < bytes.length; offset += stepBytes) {
    stream.push(bytes.slice(offset, offset + stepBytes), offset + stepBytes >= bytes.length);
    if (length > maxBytes + SPARE_BYTES) throw new RangeError("The stream is longer than its stated length.");
    await yieldToEventLoop();
  }
  return concatBytes(pieces);
}

function encodeLength(length: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, length);
  return bytes;
}
