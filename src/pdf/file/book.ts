// The sheets of a file. Their content is written at once, and only the positions of links and headings stay in memory. The page
// tree is written at the end, because only then the number of sheets and the targets of links are known.

import type { Steps } from "../../utils/concurrency/steps";
import type { PdfLinkTarget } from "../targets";
import { PAPER } from "../theme";
import { type OutlineEntry, writeOutline } from "./outline";
import { type Bookmark, type LinkArea, type Sheet, toPdfY } from "./sheet";
import {
  formatAscii,
  formatDictionary,
  formatNumber,
  formatNumbers,
  formatReference,
  formatText,
  type ObjectId,
} from "./syntax";
import type { PdfWriter } from "./writer";

export interface WrittenSheet {
  readonly id: ObjectId;
  readonly contents: readonly ObjectId[];
  readonly links: readonly LinkArea[];
}

export interface BookInfo {
  readonly title: string;
  readonly subtitle?: string | undefined;
  readonly date: Date;
  readonly language: string;
}

export interface SheetResources {
  readonly fonts: string;
  readonly pictures: string;
}

export interface BookHeading extends OutlineEntry {
  readonly isPage: boolean;
  /** The name of its link target. */
  readonly place: string;
  readonly sheetsBefore: number;
}

export class PdfBook {
  readonly #places = new Map<string, { readonly sheet: ObjectId; readonly y: number }>();
  readonly #headings: BookHeading[] = [];
  #sheets = 0;

  constructor(readonly writer: PdfWriter) {}

  get headings(): readonly BookHeading[] {
    return this.#headings;
  }

  writeSheet(sheet: Sheet): WrittenSheet {
    const id = this.writer.reserveId();
    for (const { name, top } of sheet.places)
      if (!this.#places.has(name)) this.#places.set(name, { sheet: id, y: toPdfY(top) });
    for (const bookmark of sheet.bookmarks) this.#addHeading(bookmark, id);
    this.#sheets++;
    return { id, contents: [this.writer.writeStream(sheet.content)], links: sheet.links };
  }

  #addHeading({ title, level, isPage, top }: Bookmark, sheet: ObjectId): void {
    const place = `heading:${this.#headings.length}`;
    const y = toPdfY(top);
    this.#places.set(place, { sheet, y });
    this.#headings.push({ title, level, isPage, sheet, y, place, sheetsBefore: this.#sheets });
  }

  /** Writes the page tree, the outline and the catalog, in steps. */
  *writeStructure(sheets: readonly WrittenSheet[], info: BookInfo, resources: SheetResources): Steps<void> {
    const { writer } = this;
    const shared = writer.writeObject(formatDictionary({ Font: resources.fonts, XObject: resources.pictures }));
    const tree = writer.reserveId();
    for (const sheet of sheets) {
      this.#writePage(sheet, tree);
      yield;
    }
    writer.writeObject(
      formatDictionary({
        Type: "/Pages",
        Count: sheets.length,
        Kids: `[${sheets.map(({ id }) => formatReference(id)).join(" ")}]`,
        MediaBox: `[${formatNumbers(0, 0, PAPER.width, PAPER.height)}]`,
        Resources: formatReference(shared),
      }),
      tree,
    );
    const outline = yield* writeOutline(writer, this.#headings);
    const root = writer.writeObject(
      formatDictionary({
        Type: "/Catalog",
        Pages: formatReference(tree),
        Outlines: outline === undefined ? undefined : formatReference(outline),
        PageMode: outline === undefined ? undefined : "/UseOutlines",
        Lang: formatAscii(info.language),
        ViewerPreferences: "<</DisplayDocTitle true>>",
      }),
    );
    const about = writer.writeObject(
      formatDictionary({
        Title: formatText(info.title),
        Subject: info.subtitle ? formatText(info.subtitle) : undefined,
        CreationDate: Number.isNaN(info.date.getTime())
          ? "()"
          : `(D:${info.date.toISOString().replace(/\D/g, "").slice(0, 14)}Z)`,
        Producer: formatAscii("Octavo"),
      }),
    );
    writer.finish(root, about);
  }

  #writePage({ id, contents, links }: WrittenSheet, parent: ObjectId): void {
    const annotations = links.flatMap((area) => this.#writeLink(area) ?? []);
    this.writer.writeObject(
      formatDictionary({
        Type: "/Page",
        Parent: formatReference(parent),
        Contents: `[${contents.map(formatReference).join(" ")}]`,
        Annots: annotations.length > 0 ? `[${annotations.map(formatReference).join(" ")}]` : undefined,
      }),
      id,
    );
  }

  #writeLink({ left, top, right, bottom, target }: LinkArea): ObjectId | undefined {
    const linkEntries = this.#createLinkEntries(target);
    if (!linkEntries) return undefined;
    return this.writer.writeObject(
      formatDictionary({
        Type: "/Annot",
        Subtype: "/Link",
        Rect: `[${formatNumbers(left, toPdfY(bottom), right, toPdfY(top))}]`,
        Border: "[0 0 0]",
        ...linkEntries,
      }),
    );
  }

  #createLinkEntries({ place, url }: PdfLinkTarget): Record<string, string> | undefined {
    const inside =
      place === undefined ? undefined : (this.#places.get(place) ?? this.#places.get(place.split("#")[0]!));
    if (inside) return { Dest: `[${formatReference(inside.sheet)} /XYZ null ${formatNumber(inside.y)} null]` };
    return url === undefined ? undefined : { A: `<</S /URI /URI ${formatAscii(url)}>>` };
  }
}
