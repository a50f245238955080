// The bytes of a backup. It begins with a line that names the format; then come frames, each with a kind, a length, a checksum and its
// content, which is compressed. A checksum covers the one before it, so a frame that was changed, removed, moved or inserted shows at
// its place.

import { concatBytes } from "../../utils/bytes";
import { sha256Hex } from "../../utils/sha256";
import { StorageToolError } from "../errors";

/** The first line of a backup. A format that older versions cannot read gets another number. */
const FORMAT = "octavo-backup 2\n";

/** The formats that can be read. In the first one, entries came as `list`. */
const READABLE_FORMATS: ReadonlySet<string> = new Set(["octavo-backup 1\n", FORMAT]);

/** The kinds of frames. Numbers are never used again. */
export const frameKinds = {
  /** JSON: the id of the backup, and the earlier ones that it needs. The first frame. */
  header: 1,
  /** JSON: the name and the size of a blob. Its bytes follow. */
  blob: 2,
  /** Bytes of the blob. */
  bytes: 3,
  /** JSON: the names of blobs that an earlier backup has. */
  keptBlobs: 4,
  /** JSON: the name and the version of a partition. Its entries follow. */
  partition: 5,
  /** JSON: a list of entries, each as in `entries`. Only the first format has it. */
  list: 6,
  /** JSON: the number of the partition's entries, and their digest. */
  whole: 7,
  /** JSON: the facts that are known at the end. The last frame. */
  end: 8,
  /**
   * Lines of JSON: [key, value], or [key] of an object that an earlier backup has. Their keys come after those of the frame before.
   * Similar objects are next to each other, because that is how they compress.
   */
  entries: 9,
} as const;

export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

/** Marks the kind of a frame whose content is not compressed, because that would not make it smaller. */
const UNCOMPRESSED = 0x80;
const CHECKSUM_BYTES = 16;
const HEAD_BYTES = 1 + 4 + CHECKSUM_BYTES;

/** The most bytes of a frame, stored and unpacked. A frame that announces more is damaged, and is not read. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

const utf8 = new TextEncoder();

/** Writes frames to a sink. */
export class FrameWriter {
  readonly #sink: WritableStreamDefaultWriter<Uint8Array>;
  #checksum: Uint8Array = new Uint8Array();
  /** The number of bytes so far. */
  bytes = 0;

  constructor(sink: WritableStream<Uint8Array>) {
    this.#sink = sink.getWriter();
  }

  async begin(): Promise<void> {
    await this.#writeBytes(utf8.encode(FORMAT));
  }

  async writeJson(kind: FrameKind, value: unknown): Promise<void> {
    await this.writeFrame(kind, [JSON.stringify(value)]);
  }

  /** Writes a frame with the given chunks as its content. */
  async writeFrame(kind: FrameKind, chunks: readonly (Uint8Array | string)[]): Promise<void> {
    const content = new Blob(chunks as (Uint8Array<ArrayBuffer> | string)[]);
    const compressed = await pipeContent(content, new CompressionStream("deflate-raw"));
    const isSmaller = compressed.length < content.size;
    const stored = isSmaller ? compressed : new Uint8Array(await content.arrayBuffer());
    const storedKind = isSmaller ? kind : kind | UNCOMPRESSED;
    this.#checksum = computeChecksum(this.#checksum, storedKind, stored);

    const head = new Uint8Array(HEAD_BYTES);
    head[0] = storedKind;
    new DataView(head.buffer).setUint32(1, stored.length);
    head.set(this.#checksum, 5);
    await this.#writeBytes(head);
    await this.#writeBytes(stored);
  }

  async #writeBytes(bytes: Uint8Array): Promise<void> {
    await this.#sink.ready;
    await this.#sink.write(bytes);
    this.bytes += bytes.length;
  }

  async close(): Promise<void> {
    await this.#sink.close();
  }

  async abort(reason: unknown): Promise<void> {
    await this.#sink.abort(reason).catch(() => {});
  }
}

export interface BackupFrame {
  readonly kind: FrameKind;
  readonly content: Uint8Array;
}

/** Yields the frames of a backup. `describePlace` says what was read last, for the message about damage. */
export async function* readFrames(
  source: ReadableStream<Uint8Array>,
  describePlace: () => string,
): AsyncGenerator<BackupFrame, void> {
  const reader = new ByteReader(source);
  try {
    const format = new TextDecoder().decode(await reader.read(FORMAT.length));
    if (!READABLE_FORMATS.has(format))
      throw new StorageToolError(
        format.startsWith("octavo-backup ")
          ? `The backup is of a later format than this version reads: ${JSON.stringify(format.trim())}.`
          : "This is no backup.",
      );

    let checksum: Uint8Array = new Uint8Array();
    for (let isEnd = false; !isEnd; ) {
      const { offset } = reader;
      const createDamagedError = () =>
        new StorageToolError(`The backup is damaged at byte ${offset}, ${describePlace()}.`);
      const createCutError = () =>
        new StorageToolError(`The backup is cut: it ends at byte ${reader.offset}, ${describePlace()}.`);

      const head = await reader.read(HEAD_BYTES);
      if (head.length < HEAD_BYTES) throw createCutError();
      const length = new DataView(head.buffer, head.byteOffset).getUint32(1);
      if (length > MAX_FRAME_BYTES) throw createDamagedError();
      const stored = await reader.read(length);
      if (stored.length < length) throw createCutError();
      checksum = computeChecksum(checksum, head[0]!, stored);
      if (!checksum.every((byte, i) => byte === head[5 + i])) throw createDamagedError();

      const kind = (head[0]! & ~UNCOMPRESSED) as FrameKind;
      const content =
        head[0]! & UNCOMPRESSED
          ? stored
          : await pipeContent(new Blob([stored as Uint8Array<ArrayBuffer>]), new DecompressionStream("deflate-raw"));
      isEnd = kind === frameKinds.end;
      yield { kind, content };
    }
    if ((await reader.read(1)).length > 0)
      throw new StorageToolError(`The backup goes on after its end, at byte ${reader.offset - 1}.`);
  } finally {
    await reader.cancel();
  }
}

function computeChecksum(before: Uint8Array, kind: number, stored: Uint8Array): Uint8Array {
  const hex = sha256Hex(concatBytes([before, Uint8Array.of(kind), stored]));
  return Uint8Array.from({ length: CHECKSUM_BYTES }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** Returns the content after it was compressed or decompressed. */
async function pipeContent(content: Blob, transform: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content.stream().pipeThrough(transform)) {
    size += chunk.length;
    if (size > MAX_FRAME_BYTES) throw new StorageToolError("A frame of the backup is larger than any that is written.");
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}

/** Reads given numbers of bytes from a stream. */
class ByteReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #chunks: Uint8Array[] = [];
  #bufferedBytes = 0;
  /** The number of bytes that were read. */
  offset = 0;

  constructor(source: ReadableStream<Uint8Array>) {
    this.#reader = source.getReader();
  }

  /** Returns the next bytes; fewer if the stream ends before. */
  async read(count: number): Promise<Uint8Array> {
    while (this.#bufferedBytes < count) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      this.#chunks.push(value);
      this.#bufferedBytes += value.length;
    }

    const taken: Uint8Array[] = [];
    let missing = Math.min(count, this.#bufferedBytes);
    this.#bufferedBytes -= missing;
    this.offset += missing;
    while (missing > 0) {
      const chunk = this.#chunks[0]!;
      taken.push(chunk.subarray(0, missing));
      if (chunk.length <= missing) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(missing);
      missing -= Math.min(chunk.length, missing);
    }
    return concatBytes(taken);
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}
