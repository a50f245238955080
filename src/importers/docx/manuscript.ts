// What is known while a Word document is read, and what is collected on the way.

import type { BookFile, SkippedItem } from "../../content/book/book";
import { getBaseName } from "../../content/book/paths";
import { describeFile } from "../../content/files";
import { endingOf } from "../archive/paths";
import { ImportedFiles } from "../imported-files";
import { elementsIn } from "../xml/elements";
import type { XmlElement } from "../xml/xml";
import type { Numbering } from "./numbering";
import type { Package, Part, Relationship } from "./package";
import type { Styles } from "./styles";

/** Picture formats that only Windows shows. */
const METAFILES = /^(?:emf|wmf|emz|wmz)$/;

/** The longest address of a link, and how long all of them may be together. */
const MAX_ADDRESS = 4096;
const MAX_ADDRESSES = 500_000;

/** The document as a whole. */
export class Manuscript {
  readonly #assets = new ImportedFiles();
  #addresses = MAX_ADDRESSES;
  readonly skipped: SkippedItem[] = [];
  readonly #notes = new Map<string, XmlElement>();
  readonly #noteParts = new Map<string, Part>();
  readonly #paths = new Map<string, string | undefined>();

  constructor(
    readonly parts: Package,
    main: Part,
    readonly styles: Styles,
    readonly numbering: Numbering,
  ) {
    for (const kind of ["footnote", "endnote"]) {
      const part = parts.related(main, `${kind}s`);
      if (part) this.#noteParts.set(kind, part);
      for (const note of elementsIn(part?.root, `w:${kind}`))
        this.#notes.set(`${kind} ${note.attributes.get("w:id")}`, note);
    }
  }

  /** The images of the document, by path. */
  get files(): ReadonlyMap<string, BookFile> {
    return this.#assets.files;
  }

  /** Whether an address may be written once more. Many links may repeat a long one, and a small file must not become a
   * huge text. */
  readonly mayWrite = (address: string): boolean => {
    this.#addresses -= address.length;
    return address.length <= MAX_ADDRESS && this.#addresses >= 0;
  };

  /** A footnote or an endnote, and its part. Each is given once, so that none can contain itself. */
  takeNote(kind: string, id: string | undefined): { note: XmlElement; part: Part } | undefined {
    const [note, part] = [this.#notes.get(`${kind} ${id}`), this.#noteParts.get(kind)];
    this.#notes.delete(`${kind} ${id}`);
    return note && part && { note, part };
  }

  /** The path of an image in the book; undefined when it is not taken. */
  image({ target, isOutside }: Relationship): string | undefined {
    if (isOutside) return undefined;
    if (!this.#paths.has(target)) this.#paths.set(target, this.#take(target));
    return this.#paths.get(target);
  }

  /** Says that something is not taken. */
  skip(resource: string, reason: string): void {
    if (!this.skipped.some((it) => it.resource === resource)) this.skipped.push({ resource, reason });
  }

  #take(target: string): string | undefined {
    if (METAFILES.test(endingOf(target))) {
      this.skip(target, "It is a drawing in a format that only Windows shows.");
      return undefined;
    }
    const bytes = this.parts.zip.read(target);
    if (!bytes) {
      this.skip(target, "The document names this image but does not hold it.");
      return undefined;
    }
    const { contentType } = describeFile(bytes, { name: getBaseName(target) });
    if (!contentType.startsWith("image/")) {
      this.skip(target, "It is not an image.");
      return undefined;
    }
    return this.#assets.add(target, getBaseName(target), () => bytes);
  }
}
