// The pictures of one printing. A file is read once, however often it is shown, and only by its id: an address is never
// fetched. Files of the same bytes are one picture.

import type { ContentRef } from "../../content/document";
import type { PrintJob } from "../../content/print-job";
import { sha256Hex } from "../../utils/sha256";
import { dictionary, refer } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { MAX_BYTES, MAX_FILE_RASTER, MAX_IMAGE_BYTES, MAX_IMAGES } from "../limits";
import { writePicture } from "./picture";
import { readPicture } from "./read";

/** A picture that is in the file. */
export interface PlacedPicture {
  readonly resource: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly turn: readonly number[];
}

/** Files that are asked for at the same time. */
const FILES_AT_ONCE = 4;

/** The pictures of a printing. */
export class Album {
  readonly #writer: PdfWriter;
  readonly #file: PrintJob["file"];
  readonly #pictures = new Map<string, PlacedPicture | undefined>();
  readonly #byBytes = new Map<string, PlacedPicture | undefined>();
  /** Bytes of pictures that may still be unpacked. */
  #raster = MAX_FILE_RASTER;
  readonly #objects: Record<string, string> = {};

  constructor(writer: PdfWriter, file: PrintJob["file"]) {
    this.#writer = writer;
    this.#file = file;
  }

  /** Reads the files that are not read yet. */
  async add(files: Iterable<string>): Promise<void> {
    const wanted = [...new Set(files)].filter((id) => !this.#pictures.has(id));
    for (let at = 0; at < wanted.length && this.#hasRoom; at += FILES_AT_ONCE) {
      const ids = wanted.slice(at, at + FILES_AT_ONCE);
      const read = await Promise.all(ids.map((id) => this.#file(id)));
      for (const [index, id] of ids.entries()) this.#pictures.set(id, await this.#place(read[index]?.bytes));
    }
  }

  /** The picture that a reference leads to, if it was read and is one. */
  picture(ref: ContentRef | undefined): PlacedPicture | undefined {
    return ref?.kind === "file" ? this.#pictures.get(ref.file) : undefined;
  }

  /** The dictionary of all pictures. */
  write(): string {
    return dictionary(this.#objects);
  }

  get #hasRoom(): boolean {
    return this.#byBytes.size < MAX_IMAGES && this.#writer.bytes < MAX_BYTES;
  }

  async #place(bytes: Uint8Array | undefined): Promise<PlacedPicture | undefined> {
    if (bytes === undefined || bytes.length > MAX_IMAGE_BYTES) return undefined;
    const name = sha256Hex(bytes);
    if (!this.#byBytes.has(name)) this.#byBytes.set(name, this.#hasRoom ? await this.#read(bytes) : undefined);
    return this.#byBytes.get(name);
  }

  async #read(bytes: Uint8Array): Promise<PlacedPicture | undefined> {
    const picture = await readPicture(bytes, (size) => {
      if (size > this.#raster) return false;
      this.#raster -= size;
      return true;
    });
    if (!picture) return undefined;
    const resource = `P${this.#byBytes.size + 1}`;
    this.#objects[resource] = refer(writePicture(this.#writer, picture));
    return { resource, width: picture.width, height: picture.height, turn: picture.turn };
  }
}
