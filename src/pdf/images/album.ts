// The pictures of one printing. A file is read once, however often it is shown, and only by its id: an address is never
// fetched. Files of the same bytes are one picture.

import type { ContentRef } from "../../content/document";
import type { PrintJob } from "../../content/print-job";
import { sha256Hex } from "../../utils/sha256";
import { dictionary, refer } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { MAX_BYTES, MAX_FILE_PICTURE_WORK, MAX_IMAGE_BYTES, MAX_IMAGES, MAX_PAGE_PICTURE_WORK } from "../limits";
import { writePicture } from "./picture";
import type { TakeWork } from "./png";
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
  /** Files that were read and are not the same as another one. */
  #attempts = 0;
  /** Bytes that may still be gone through for pictures of the file. */
  #work = MAX_FILE_PICTURE_WORK;
  readonly #objects: Record<string, string> = {};

  constructor(writer: PdfWriter, file: PrintJob["file"]) {
    this.#writer = writer;
    this.#file = file;
  }

  /** Reads the files of a page that are not read yet. A picture beyond the budget of this page may be in that of another one. */
  async add(files: Iterable<string>): Promise<void> {
    const budget = { left: Math.min(MAX_PAGE_PICTURE_WORK, this.#work) };
    const wanted = [...new Set(files)].filter((id) => !this.#pictures.has(id));
    for (let at = 0; at < wanted.length && this.#hasRoom; at += FILES_AT_ONCE) {
      const ids = wanted.slice(at, at + FILES_AT_ONCE);
      const read = await Promise.all(ids.map((id) => this.#file(id)));
      for (const [index, id] of ids.entries()) {
        const picture = await this.#place(read[index]?.bytes, budget);
        if (picture !== "beyond budget") this.#pictures.set(id, picture);
      }
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
    return this.#attempts < MAX_IMAGES && this.#writer.bytes < MAX_BYTES;
  }

  async #place(bytes: Uint8Array | undefined, budget: { left: number }) {
    if (bytes === undefined || bytes.length > MAX_IMAGE_BYTES) return undefined;
    const name = sha256Hex(bytes);
    if (this.#byBytes.has(name)) return this.#byBytes.get(name);
    let isBeyondBudget = false;
    const picture = await this.#readPicture(bytes, (work) => {
      isBeyondBudget = work > budget.left;
      if (isBeyondBudget) return false;
      budget.left -= work;
      this.#work -= work;
      return true;
    });
    if (isBeyondBudget) return "beyond budget";
    this.#byBytes.set(name, picture);
    return picture;
  }

  async #readPicture(bytes: Uint8Array, takeWork: TakeWork): Promise<PlacedPicture | undefined> {
    if (!this.#hasRoom) return undefined;
    this.#attempts++;
    const picture = await readPicture(bytes, takeWork);
    if (!picture) return undefined;
    const resource = `P${this.#attempts}`;
    this.#objects[resource] = refer(writePicture(this.#writer, picture));
    return { resource, width: picture.width, height: picture.height, turn: picture.turn };
  }
}
