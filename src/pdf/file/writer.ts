// A PDF file as it is written. Objects are written in the order in which they are finished, and what is written may be taken
// away at any time, so a long document is never in memory as a whole. Small objects are packed together, which keeps links
// and bookmarks small.

import { concatBytes } from "../../utils/bytes";
import { packSmall } from "./packing";
import { dictionary, type ObjectId, refer } from "./syntax";

/** Objects that are packed into one stream. */
const PACKED = 200;

/** Streams that are shorter, such as the number of a sheet, would not get any shorter. */
const WORTH_PACKING = 100;

/** Pieces that are shorter are given away together. */
const SHORT = 64 * 1024;

/** Where an object is: at an offset of the file, or at a place in a packed stream. */
type ObjectPlace =
  | readonly [kind: 1, offset: number, generation: 0]
  | readonly [kind: 2, stream: ObjectId, index: number];

/** A file that grows. */
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

  /** How many bytes there are so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of an object that is written later, or never. */
  reserve(): ObjectId {
    return this.#next++;
  }

  /** Writes an object. */
  object(body: string, id: ObjectId = this.reserve()): ObjectId {
    this.#waiting.push({ id, body });
    if (this.#waiting.length === PACKED) this.#pack();
    return id;
  }

  /** Writes a stream; its bytes are deflated unless they are very few, or `entries` name a filter of their own. */
  stream(
    bytes: Uint8Array | string,
    entries: Readonly<Record<string, string | number | undefined>> = {},
    id: ObjectId = this.reserve(),
  ): ObjectId {
    const plain = typeof bytes === "string" ? this.#encoder.encode(bytes) : bytes;
    const isAsItIs = "Filter" in entries || plain.length < WORTH_PACKING;
    const data = isAsItIs ? plain : packSmall(plain);
    this.#places[id] = [1, this.#bytes, 0];
    this.#append(`${id} 0 obj\n`);
    this.#append(
      `${dictionary({ Filter: isAsItIs ? undefined : "/FlateDecode", ...entries, Length: data.length })}\nstream\n`,
    );
    this.#append(data);
    this.#append("\nendstream\nendobj\n");
    return id;
  }

  /** What was written since it was last taken, if that is at least so many bytes. */
  *take(least = 0): Generator<Uint8Array> {
    if (this.#bytes - this.#taken < least) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#taken = this.#bytes;
    let [together, length]: [Uint8Array[], number] = [[], 0];
    for (const chunk of chunks) {
      if (length > 0 && length + chunk.length > SHORT) {
        yield concatBytes(together);
        [together, length] = [[], 0];
      }
      if (chunk.length > SHORT) yield chunk;
      else {
        together.push(chunk);
        length += chunk.length;
      }
    }
    if (length > 0) yield concatBytes(together);
  }

  /** Writes the end of the file. */
  finish(root: ObjectId, info: ObjectId): void {
    this.#pack();
    const id = this.reserve();
    const start = this.#bytes;
    this.#places[id] = [1, start, 0];
    this.stream(
      this.#table(),
      { Type: "/XRef", Size: this.#next, W: "[1 4 2]", Root: refer(root), Info: refer(info) },
      id,
    );
    this.#append(`startxref\n${start}\n%%EOF\n`);
  }

  #append(part: Uint8Array | string): void {
    const bytes = typeof part === "string" ? this.#encoder.encode(part) : part;
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
  }

  #pack(): void {
    const objects = this.#waiting;
    if (objects.length === 0) return;
    this.#waiting = [];
    const id = this.reserve();
    let offset = 0;
    const index = objects.map((object, at) => {
      this.#places[object.id] = [2, id, at];
      const entry = `${object.id} ${offset}`;
      offset += object.body.length + 1;
      return entry;
    });
    const head = `${index.join(" ")}\n`;
    const bodies = objects.map(({ body }) => `${body}\n`).join("");
    this.stream(head + bodies, { Type: "/ObjStm", N: objects.length, First: head.length }, id);
  }

  /** Where every object is, in seven bytes each. */
  #table(): Uint8Array {
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
