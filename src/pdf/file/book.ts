// The sheets of a file, bound together at the end, because only then their number and the targets of links are known.
// The content of a sheet is written at once; only the places of its links and headings stay in memory.

import { getPagePlace, type LinkTarget } from "../targets";
import { PAPER } from "../theme";
import { type OutlineEntry, writeOutline } from "./outline";
import { type Bookmark, flip, type LinkArea, type Sheet } from "./sheet";
import { ascii, dictionary, moment, number, numbers, type ObjectId, refer, text } from "./syntax";
import type { PdfWriter } from "./writer";

/** A sheet of which the content is written. */
export interface Leaf {
  readonly id: ObjectId;
  readonly contents: readonly ObjectId[];
  readonly links: readonly LinkArea[];
}

/** What a file says about itself. */
export interface BookInfo {
  readonly title: string;
  readonly subtitle?: string | undefined;
  readonly date: Date;
  readonly language: string;
}

/** What all sheets have in common. */
export interface Resources {
  readonly fonts: string;
  readonly pictures: string;
}

/** A heading that is in the file. */
export interface Heading extends OutlineEntry {
  readonly isPage: boolean;
  /** The name of its place. */
  readonly place: string;
  /** How many sheets were written before its own. */
  readonly sheetsBefore: number;
}

/** Sheets that become a file. */
export class Book {
  readonly #places = new Map<string, { readonly sheet: ObjectId; readonly y: number }>();
  readonly #headings: Heading[] = [];
  #sheets = 0;

  constructor(readonly writer: PdfWriter) {}

  /** The headings of all sheets that were written. */
  get headings(): readonly Heading[] {
    return this.#headings;
  }

  /** Writes the content of a sheet. */
  write(sheet: Sheet): Leaf {
    const id = this.writer.reserve();
    for (const { name, top } of sheet.places)
      if (!this.#places.has(name)) this.#places.set(name, { sheet: id, y: flip(top) });
    for (const bookmark of sheet.bookmarks) this.#addHeading(bookmark, id);
    this.#sheets++;
    return { id, contents: [this.writer.stream(sheet.content)], links: sheet.links };
  }

  #addHeading({ title, level, isPage, top }: Bookmark, sheet: ObjectId): void {
    const place = `heading:${this.#headings.length}`;
    const y = flip(top);
    this.#places.set(place, { sheet, y });
    this.#headings.push({ title, level, isPage, sheet, y, place, sheetsBefore: this.#sheets });
  }

  /** Writes what holds the sheets together, in steps. */
  *bind(leaves: readonly Leaf[], info: BookInfo, resources: Resources): Generator<void> {
    const { writer } = this;
    const shared = writer.object(dictionary({ Font: resources.fonts, XObject: resources.pictures }));
    const tree = yield* this.#writeTree(leaves, shared);
    const outline = yield* writeOutline(writer, this.#headings);
    const root = writer.object(
      dictionary({
        Type: "/Catalog",
        Pages: refer(tree),
        Outlines: outline === undefined ? undefined : refer(outline),
        PageMode: outline === undefined ? undefined : "/UseOutlines",
        Lang: ascii(info.language),
        ViewerPreferences: "<</DisplayDocTitle true>>",
      }),
    );
    const about = writer.object(
      dictionary({
        Title: text(info.title),
        Subject: info.subtitle ? text(info.subtitle) : undefined,
        CreationDate: moment(info.date),
        Producer: ascii("Octavo"),
      }),
    );
    writer.finish(root, about);
  }

  *#writeTree(leaves: readonly Leaf[], resources: ObjectId): Generator<void, ObjectId> {
    const tree = this.writer.reserve();
    for (const leaf of leaves) {
      this.#writeLeaf(leaf, tree);
      yield;
    }
    return this.writer.object(
      dictionary({
        Type: "/Pages",
        Count: leaves.length,
        Kids: `[${leaves.map(({ id }) => refer(id)).join(" ")}]`,
        MediaBox: `[${numbers(0, 0, PAPER.width, PAPER.height)}]`,
        Resources: refer(resources),
      }),
      tree,
    );
  }

  #writeLeaf({ id, contents, links }: Leaf, parent: ObjectId): void {
    const annotations = links.flatMap((area) => this.#writeLink(area) ?? []);
    this.writer.object(
      dictionary({
        Type: "/Page",
        Parent: refer(parent),
        Contents: `[${contents.map(refer).join(" ")}]`,
        Annots: annotations.length > 0 ? `[${annotations.map(refer).join(" ")}]` : undefined,
      }),
      id,
    );
  }

  #writeLink({ left, top, right, bottom, target }: LinkArea): ObjectId | undefined {
    const leads = this.#leads(target);
    if (!leads) return undefined;
    return this.writer.object(
      dictionary({
        Type: "/Annot",
        Subtype: "/Link",
        Rect: `[${numbers(left, flip(bottom), right, flip(top))}]`,
        Border: "[0 0 0]",
        ...leads,
      }),
    );
  }

  /** A place in the file if it is there; the page that it should be on; an address; or nothing. */
  #leads({ place, url }: LinkTarget): Record<string, string> | undefined {
    const inside = place === undefined ? undefined : (this.#places.get(place) ?? this.#places.get(getPagePlace(place)));
    if (inside) return { Dest: `[${refer(inside.sheet)} /XYZ null ${number(inside.y)} null]` };
    return url === undefined ? undefined : { A: `<</S /URI /URI ${ascii(url)}>>` };
  }
}
