// The state of a Word document while it is read: its parts and styles, and the images, notes and skipped items that were found.

import type { BookFile, SkippedItem } from "../../content/book/book";
import { getBaseName } from "../../content/book/paths";
import { describeFile } from "../../content/files";
import { getExtension } from "../archive/paths";
import { ImportedFiles } from "../imported-files";
import { listElements, type XmlElement } from "../xml/parse-xml";
import type { DocxPackage, DocxPart, Relationship } from "./docx-package";
import type { Numbering } from "./numbering";
import type { DocxStyles } from "./styles";

/** Image formats that only Windows shows. */
const METAFILES = /^(?:emf|wmf|emz|wmz)$/;
const MAX_LINK_LENGTH = 4096;
/** The length of all URLs together. */
const MAX_LINKS_LENGTH = 500_000;

/** A document that is being read. */
export class DocxContext {
  readonly skipped: SkippedItem[] = [];
  readonly #files = new ImportedFiles();
  readonly #notes = new Map<string, XmlElement>();
  readonly #noteParts = new Map<string, DocxPart>();
  readonly #imagePaths = new Map<string, string | undefined>();
  #urlLengthLeft = MAX_LINKS_LENGTH;

  constructor(
    readonly parts: DocxPackage,
    mainPart: DocxPart,
    readonly styles: DocxStyles,
    readonly numbering: Numbering,
  ) {
    for (const kind of ["footnote", "endnote"]) {
      const part = parts.findRelatedPart(mainPart, `${kind}s`);
      if (part) this.#noteParts.set(kind, part);
      for (const note of listElements(part?.root, `w:${kind}`))
        this.#notes.set(`${kind} ${note.attributes.get("w:id")}`, note);
    }
  }

  /** The images of the document, by path. */
  get files(): ReadonlyMap<string, BookFile> {
    return this.#files.files;
  }

  /** Returns whether a URL may be written once more. Many links may repeat a long one, and a small file must not become a huge text. */
  readonly reserveUrl = (url: string): boolean => {
    this.#urlLengthLeft -= url.length;
    return url.length <= MAX_LINK_LENGTH && this.#urlLengthLeft >= 0;
  };

  /** Returns a footnote or an endnote, and its part. Each is returned once, so that none can contain itself. */
  takeNote(kind: string, id: string | undefined): { note: XmlElement; part: DocxPart } | undefined {
    const [note, part] = [this.#notes.get(`${kind} ${id}`), this.#noteParts.get(kind)];
    this.#notes.delete(`${kind} ${id}`);
    return note && part && { note, part };
  }

  /** Takes an image, and returns its path in the book, or undefined if it is not taken. */
  takeImage({ target, isOutside }: Relationship): string | undefined {
    if (isOutside) return undefined;
    if (this.#imagePaths.has(target)) return this.#imagePaths.get(target);

    const name = getBaseName(target);
    const isMetafile = METAFILES.test(getExtension(target));
    const bytes = isMetafile ? undefined : this.parts.zip.read(target);
    let path: string | undefined;
    if (isMetafile) this.skip(target, "It is a drawing in a format that only Windows can display.");
    else if (!bytes) this.skip(target, "The document refers to this image but doesn't contain it.");
    else if (!describeFile(bytes, { name }).contentType.startsWith("image/")) this.skip(target, "It is not an image.");
    else path = this.#files.add(target, name, () => bytes);
    this.#imagePaths.set(target, path);
    return path;
  }

  /** Reports something that is not taken, once. */
  skip(resource: string, reason: string): void {
    if (!this.skipped.some((item) => item.resource === resource)) this.skipped.push({ resource, reason });
  }
}
