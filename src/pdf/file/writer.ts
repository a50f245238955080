// Writes a PDF file. Objects are written in the order in which they are finished, and the written bytes can be taken at any
// time, so a long document is never completely in memory. Small objects are compressed together.

import { concatBytes } from "../../utils/bytes";
import { deflateAtOnce } from "./deflate";
import { formatDictionary, formatReference, type ObjectId } from "./syntax";

const OBJECTS_PER_STREAM = 200;

/** Shorter streams, such as a page number, would not become smaller. */
const MIN_DEFLATED_BYTES = 100;

/** Shorter chunks are joined up to this size. */
const MAX_CHUNK_BYTES = 64 * 1024;

type ObjectPlace =
  | readonly [kind: 1, offset: number, generation: 0]
  | readonly [kind: 2, stream: ObjectId, index: number];

export class PdfWriter {
  readonly #encoder = new TextEncoder();
  #chunks: Uint8Array[] = [];
  readonly #places: ObjectPlace[] = [];
  #waiting: { readonly id: ObjectId; readonly body: string }[] = [];
  #next = 1;
  #bytes = 0;
  #taken = 0;

  constructor() {
    this.#append("%PDF-1.7\n");
    // Four bytes above 127 tell transfer programs that this is not text.
    this.#append(Uint8Array.of(0x25, 0xe2, 0xe3, 0xcf, 0xd3, 0x0a));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Reserves the number of an object that is written later, or never. */
  reserveId(): ObjectId {
    return this.#next++;
  }

  writeObject(body: string, id: ObjectId = this.reserveId()): ObjectId {
    this.#waiting.push({ id, body });
    if (this.#waiting.length === OBJECTS_PER_STREAM) this.#writeObjectStream();
    return id;
  }

  /** Writes a stream. Its bytes are compressed unless they are very few, or `entries` specify a filter. */
  writeStream(
    bytes: Uint8Array | string,
    entries: Readonly<Record<string, string | number | undefined>> = {},
    id: ObjectId = this.reserveId(),
  ): ObjectId {
    const plain = typeof bytes === "string" ? this.#encoder.encode(bytes) : bytes;
    const isStoredUnchanged = "Filter" in entries || plain.length < MIN_DEFLATED_BYTES;
    const data = isStoredUnchanged ? plain : deflateAtOnce(plain);
    this.#places[id] = [1, this.#bytes, 0];
    this.#append(`${id} 0 obj\n`);
    this.#append(
      `${formatDictionary({ Filter: isStoredUnchanged ? undefined : "/FlateDecode", ...entries, Length: data.length })}\nstream\n`,
    );
    this.#append(data);
    this.#append("\nendstream\nendobj\n");
    return id;
  }

  /** Takes the chunks that were written since the last call, if they have at least this number of bytes. */
  *takeChunks(least = 0): Generator<Uint8Array> {
    if (this.#bytes - this.#taken < least) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#taken = this.#bytes;
    let [together, length]: [Uint8Array[], number] = [[], 0];
    for (const chunk of chunks) {
      if (length > 0 && length + chunk.length > MAX_CHUNK_BYTES) {
        yield concatBytes(together);
        [together, length] = [[], 0];
      }
      if (chunk.length > MAX_CHUNK_BYTES) yield chunk;
      else {
        together.push(chunk);
        length += chunk.length;
      }
    }
    if (length > 0) yield concatBytes(together);
  }

  finish(root: ObjectId, info: ObjectId): void {
    this.#writeObjectStream();
    const id = this.reserveId();
    const start = this.#bytes;
    this.#places[id] = [1, start, 0];
    this.writeStream(
      this.#createCrossReferences(),
      { Type: "/XRef", Size: this.#next, W: "[1 4 2]", Root: formatReference(root), Info: formatReference(info) },
      id,
    );
    this.#append(`startxref\n${start}\n%%EOF\n`);
  }

  #append(part: Uint8Array | string): void {
    const bytes = typeof part === "string" ? this.#encoder.encode(part) : part;
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
  }

  #writeObjectStream(): void {
    const objects = this.#waiting;
    if (objects.length === 0) return;
    this.#waiting = [];
    const id = this.reserveId();
    let offset = 0;
    const index = objects.map((object, at) => {
      this.#places[object.id] = [2, id, at];
      const entry = `${object.id} ${offset}`;
      offset += object.body.length + 1;
      return entry;
    });
    const head = `${index.join(" ")}\n`;
    const bodies = objects.map(({ body }) => `${body}\n`).join("");
    this.writeStream(head + bodies, { Type: "/ObjStm", N: objects.length, First: head.length }, id);
  }

  /** Returns the cross-reference table, with seven bytes for each object. */
  #createCrossReferences(): Uint8Array {
    const table = new Uint8Array(this.#next * 7);
    const view = new DataView(table.buffer);
    for (let id = 0; id < this.#next; id++) {
      const [kind, where, rest] = this.#places[id] ?? [0, 0, id === 0 ? 65_535 : 0];
      view.setUint8(id * 7, kind);
      view.setUint32(id * 7 + 1, where);
      view.setUint16(id * 7 + 5, rest);
    }
    return table;
  }
}
