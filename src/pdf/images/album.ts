// The pictures of one document. A file is read once, however often it is shown, and only by its ID: a URL is never fetched.
// Files with the same bytes are one picture.

import type { ContentRef } from "../../content/document";
import type { PrintJob } from "../../content/print-job";
import { sha256Hex } from "../../utils/sha256";
import { formatDictionary, formatReference } from "../file/syntax";
import type { PdfWriter } from "../file/writer";
import { MAX_BYTES, MAX_FILE_PICTURE_WORK, MAX_IMAGE_BYTES, MAX_IMAGES, MAX_PAGE_PICTURE_WORK } from "../limits";
import type { SpendImageWork } from "./png";
import { readPicture } from "./read";

export interface PlacedPicture {
  readonly resource: string;
  /** The size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly orientation: readonly number[];
}

/** The number of files that are read at the same time. */
const MAX_CONCURRENT_FILES = 4;

export class Album {
  readonly #writer: PdfWriter;
  readonly #file: PrintJob["file"];
  readonly #pictures = new Map<string, PlacedPicture | undefined>();
  readonly #byBytes = new Map<string, PlacedPicture | undefined>();
  /** The number of different files that were read. */
  #attempts = 0;
  /** The rest of the document's budget of bytes to process. */
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
    for (let at = 0; at < wanted.length && this.#hasRoom; at += MAX_CONCURRENT_FILES) {
      const ids = wanted.slice(at, at + MAX_CONCURRENT_FILES);
      const read = await Promise.all(ids.map((id) => this.#file(id)));
      for (const [index, id] of ids.entries()) {
        const picture = await this.#addPicture(read[index]?.bytes, budget);
        if (picture !== "beyond budget") this.#pictures.set(id, picture);
      }
    }
  }

  /** Returns the picture of a reference, if its file is a readable picture. */
  getPicture(ref: ContentRef | undefined): PlacedPicture | undefined {
    return ref?.kind === "file" ? this.#pictures.get(ref.file) : undefined;
  }

  write(): string {
    return formatDictionary(this.#objects);
  }

  get #hasRoom(): boolean {
    return this.#attempts < MAX_IMAGES && this.#writer.bytes < MAX_BYTES;
  }

  async #addPicture(bytes: Uint8Array | undefined, budget: { left: number }) {
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

  async #readPicture(bytes: Uint8Array, spendWork: SpendImageWork): Promise<PlacedPicture | undefined> {
    if (!this.#hasRoom) return undefined;
    this.#attempts++;
    const picture = await readPicture(bytes, spendWork);
    if (!picture) return undefined;
    const resource = `P${this.#attempts}`;
    const common = { Type: "/XObject", Subtype: "/Image" };
    const { color, opacity } = picture;
    const mask = opacity && this.#writer.writeStream(opacity.bytes, { ...common, ...opacity.entries });
    const SMask = mask === undefined ? undefined : formatReference(mask);
    const id = this.#writer.writeStream(color.bytes, { ...common, ...color.entries, SMask });
    this.#objects[resource] = formatReference(id);
    return { resource, width: picture.width, height: picture.height, orientation: picture.orientation };
  }
}
