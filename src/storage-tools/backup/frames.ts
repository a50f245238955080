// The bytes of a backup. It begins with a line that names the format; then come frames, each with a kind, a length, a checksum
// and its content, which is compressed. A checksum covers the one before it, so a frame that was changed, left out, moved or
// put in shows at its place.

import { concatBytes } from "../../utils/bytes";
import { sha256Hex } from "../../utils/sha256";
import { StorageToolError } from "../errors";

/** What a backup begins with. A format that older versions cannot read has another number. */
const FORMAT = "octavo-backup 2\n";

/** What is read. In the first format, entries came as `list`. */
const FORMATS: ReadonlySet<string> = new Set(["octavo-backup 1\n", FORMAT]);

/** The kinds of frames. Numbers are not used again. */
export const frameKinds = {
  /** JSON: what the backup is, and which earlier ones it needs. The first frame. */
  header: 1,
  /** JSON: the name and the size of a blob. Its bytes follow. */
  blob: 2,
  /** Bytes of the blob. */
  bytes: 3,
  /** JSON: the names of blobs that an earlier backup has. */
  keptBlobs: 4,
  /** JSON: the name and the version of a partition. Its entries follow. */
  partition: 5,
  /** JSON: a list of entries, each as in `entries`. The first format has it. */
  list: 6,
  /** JSON: the number of the partition's entries, and their digest. */
  whole: 7,
  /** JSON: what is known in the end. The last frame. */
  end: 8,
  /** Lines of JSON: [key, value], or [key] of an object that an earlier backup has. Their keys are behind those of the frame
   * before. Objects that are alike stand together, because that is how they compress. */
  entries: 9,
} as const;

export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

/** Marks the kind of a frame whose content is stored as it is, because compressing did not make it smaller. */
const AS_IT_IS = 0x80;
const CHECKSUM_BYTES = 16;
const HEAD_BYTES = 1 + 4 + CHECKSUM_BYTES;

/** The most bytes of a frame, stored and unpacked. What says more is damaged, and is not waited for. */
const MOST_BYTES = 64 * 1024 * 1024;

const utf8 = new TextEncoder();

/** Writes frames to a sink. */
export class FrameWriter {
  readonly #to: WritableStreamDefaultWriter<Uint8Array>;
  #before: Uint8Array = new Uint8Array();
  /** Bytes so far. */
  bytes = 0;

  constructor(sink: WritableStream<Uint8Array>) {
    this.#to = sink.getWriter();
  }

  async begin(): Promise<void> {
    await this.#write(utf8.encode(FORMAT));
  }

  async json(kind: FrameKind, value: unknown): Promise<void> {
    await this.frame(kind, [JSON.stringify(value)]);
  }

  /** Writes a frame; its content is given in pieces. */
  async frame(kind: FrameKind, pieces: readonly (Uint8Array | string)[]): Promise<void> {
    const content = new Blob(pieces as (Uint8Array<ArrayBuffer> | string)[]);
    const packed = await through(content, new CompressionStream("deflate-raw"));
    const isSmaller = packed.length < content.size;
    const stored = isSmaller ? packed : new Uint8Array(await content.arrayBuffer());
    const first = isSmaller ? kind : kind | AS_IT_IS;
    const head = new Uint8Array(HEAD_BYTES);
    head[0] = first;
    new DataView(head.buffer).setUint32(1, stored.length);
    this.#before = checksumOf(this.#before, first, stored);
    head.set(this.#before, 5);
    await this.#write(head);
    await this.#write(stored);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#to.ready;
    await this.#to.write(bytes);
    this.bytes += bytes.length;
  }

  async close(): Promise<void> {
    await this.#to.close();
  }

  async abort(reason: unknown): Promise<void> {
    await this.#to.abort(reason).catch(() => {});
  }
}

export interface Frame {
  readonly kind: FrameKind;
  readonly content: Uint8Array;
}

/** Reads frames. `where` says what was read last, for the sentence that tells of damage. */
export async function* readFrames(
  source: ReadableStream<Uint8Array>,
  where: () => string,
): AsyncGenerator<Frame, void> {
  const bytes = new ByteReader(source);
  try {
    const format = new TextDecoder().decode(await bytes.take(FORMAT.length));
    if (!FORMATS.has(format))
      throw new StorageToolError(
        format.startsWith("octavo-backup ")
          ? `The backup is of a later format than this version reads: ${JSON.stringify(format.trim())}.`
          : "This is no backup.",
      );
    let before: Uint8Array = new Uint8Array();
    for (let isEnd = false; !isEnd; ) {
      const at = bytes.at;
      const damaged = () => new StorageToolError(`The backup is damaged at byte ${at}, ${where()}.`);
      const cut = () => new StorageToolError(`The backup is cut: it ends at byte ${bytes.at}, ${where()}.`);
      const head = await bytes.take(HEAD_BYTES);
      if (head.length < HEAD_BYTES) throw cut();
      const length = new DataView(head.buffer, head.byteOffset).getUint32(1);
      if (length > MOST_BYTES) throw damaged();
      const stored = await bytes.take(length);
      if (stored.length < length) throw cut();
      before = checksumOf(before, head[0]!, stored);
      if (!before.every((byte, i) => byte === head[5 + i])) throw damaged();
      const kind = (head[0]! & ~AS_IT_IS) as FrameKind;
      const content =
        head[0]! & AS_IT_IS
          ? stored
          : await through(new Blob([stored as Uint8Array<ArrayBuffer>]), new DecompressionStream("deflate-raw"));
      isEnd = kind === frameKinds.end;
      yield { kind, content };
    }
    if ((await bytes.take(1)).length > 0)
      throw new StorageToolError(`The backup goes on after its end, at byte ${bytes.at - 1}.`);
  } finally {
    await bytes.cancel();
  }
}

function checksumOf(before: Uint8Array, kind: number, stored: Uint8Array): Uint8Array {
  const hex = sha256Hex(concatBytes([before, Uint8Array.of(kind), stored]));
  return Uint8Array.from({ length: CHECKSUM_BYTES }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

async function through(content: Blob, way: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = content.stream().pipeThrough(way);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    if (size > MOST_BYTES) throw new StorageToolError("A frame of the backup is larger than any that is written.");
    pieces.push(piece);
  }
  return concatBytes(pieces);
}

/** A stream, read in pieces of the wanted lengths. */
class ByteReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #pieces: Uint8Array[] = [];
  #held = 0;
  /** Bytes that were taken. */
  at = 0;

  constructor(source: ReadableStream<Uint8Array>) {
    this.#reader = source.getReader();
  }

  /** The next bytes; fewer when the stream ends before. */
  async take(count: number): Promise<Uint8Array> {
    while (this.#held < count) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      this.#pieces.push(value);
      this.#held += value.length;
    }
    const taken: Uint8Array[] = [];
    let missing = Math.min(count, this.#held);
    this.#held -= missing;
    this.at += missing;
    while (missing > 0) {
      const piece = this.#pieces[0]!;
      taken.push(piece.subarray(0, missing));
      if (piece.length <= missing) this.#pieces.shift();
      else this.#pieces[0] = piece.subarray(missing);
      missing -= Math.min(piece.length, missing);
    }
    return concatBytes(taken);
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}
