// Prints a job, from the first page to the last byte: pages are laid out as they arrive, each sheet is written when it is
// full, and the title and the table of contents are put before them at the end.

import type { PrintedPage, PrintJob } from "../content/print-job";
import { concatBytes } from "../utils/bytes";
import { runSteps } from "../utils/concurrency/event-loop";
import type { Steps } from "../utils/concurrency/steps";
import { layOutBlocks } from "./blocks";
import type { LayoutContext } from "./blocks/layout-context";
import { PageNotes } from "./blocks/notes";
import { collectRequirements } from "./blocks/requirements";
import { PdfBook, type WrittenSheet } from "./file/book";
import { Sheet } from "./file/sheet";
import { PdfWriter } from "./file/writer";
import { SheetFiller } from "./flow/sheet-filler";
import { drawStack } from "./flow/stack";
import type { Strip } from "./flow/strip";
import { type FontCatalog, Typeset } from "./fonts/typeset";
import { type FormulaParser, loadFormulaParser } from "./formulas/parse-formula";
import {
  createContentsSheets,
  createEndNote,
  createTitleSheet,
  drawFooter,
  drawSheetNumber,
  type PrintedContentsEntry,
} from "./front";
import { Album } from "./images/album";
import { layOutPage, type PageAncestors, type TitledPage, toTitledPage } from "./lay-out-page";
import { MAX_BYTES, MAX_PAGE_SHEETS, MAX_PAGES, MAX_SHEETS, MAX_TITLE } from "./limits";
import { toPrintableLine, toPrintableText } from "./text/runs";
import { COLORS, PAPER, SIZES, TEXT_HEIGHT, TEXT_WIDTH } from "./theme";
import type { PrinterMessages } from "./words";

/** The fonts, texts and language of a printer. */
export interface PrinterSettings {
  readonly fonts: FontCatalog;
  readonly words: PrinterMessages;
  /** As in HTML: "en", "pt-BR". */
  readonly language: string;
}

/** The characters that are printed in addition to the text of the pages. */
const COMMON_CHARACTERS = `${String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))}…•–›·`;

/** The levels of headings in the table of contents of a single page. */
const HEADING_LEVELS = 2;

/** The size from which finished bytes are sent. A failure before the first are sent is a failure of the whole job. */
const MIN_SENT_BYTES = 256 * 1024;

export async function printPdf(job: PrintJob, settings: PrinterSettings): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of new Printing(job, settings).run()) chunks.push(chunk);
  return concatBytes(chunks);
}

/** The printing of one job, which yields finished parts of the file. */
export class Printing {
  readonly #job: PrintJob;
  readonly #settings: PrinterSettings;
  readonly #title: string;
  readonly #writer = new PdfWriter();
  readonly #book = new PdfBook(this.#writer);
  readonly #typeset: Typeset;
  readonly #album: Album;
  readonly #titles = new Map<string, string>();
  readonly #sheets: WrittenSheet[] = [];
  readonly #filler = new SheetFiller(TEXT_HEIGHT, (strips, next) => this.#finishSheet(strips, next));
  #formulas: FormulaParser | undefined;
  #path: TitledPage[] = [];
  #groups: PrintedPage[] = [];

  constructor(job: PrintJob, settings: PrinterSettings) {
    this.#job = job;
    this.#settings = settings;
    this.#title = toPrintableLine(job.title, MAX_TITLE) || "–";
    this.#typeset = new Typeset(settings.fonts);
    this.#album = new Album(this.#writer, job.file);
  }

  async *run(): AsyncGenerator<Uint8Array> {
    const subtitle = toPrintableLine(this.#job.subtitle ?? "", MAX_TITLE);
    const format = new Intl.DateTimeFormat(this.#settings.language, { dateStyle: "long", timeZone: "UTC" });
    const date = Number.isNaN(this.#job.date.getTime()) ? "" : format.format(this.#job.date);
    const words = Object.values(this.#settings.words).join("");
    await this.#typeset.loadFontsFor(COMMON_CHARACTERS + words + this.#title + subtitle + date);
    for await (const page of this.#job.pages) {
      await this.#addPageOrGroup(page);
      yield* this.#writer.takeChunks(MIN_SENT_BYTES);
      if (this.#isFull) break;
    }
    await this.#addGroups(0);
    this.#finishSheets();
    const title = createTitleSheet(this.#title, subtitle, date, this.#createContext({ id: "", title: "", depth: 0 }));
    await runSteps(this.#writeBook(title));
    yield* this.#writer.takeChunks();
  }

  /** True if there is only room left for a note. */
  get #isFull(): boolean {
    // An upper bound for the sheets of the title and the table of contents.
    const front = 1 + (this.#titles.size === 0 ? 0 : Math.ceil((this.#titles.size * 27 + 60) / (TEXT_HEIGHT - 30)));
    return (
      front + this.#sheets.length >= MAX_SHEETS - 1 || this.#writer.bytes >= MAX_BYTES || this.#titles.size >= MAX_PAGES
    );
  }

  /** Adds a page or a group. A group waits for the first page in it. */
  async #addPageOrGroup(page: PrintedPage): Promise<void> {
    const titled = toTitledPage(page);
    this.#titles.set(page.id, titled.title);
    await this.#addGroups(titled.depth);
    if (page.document === undefined && page.description === undefined) this.#groups.push(page);
    else await this.#addPage(page);
  }

  /** Prints the waiting groups of this depth and deeper, which have no page, on a sheet each. */
  async #addGroups(depth: number): Promise<void> {
    const index = this.#groups.findIndex((group) => toTitledPage(group).depth >= depth);
    if (index < 0) return;
    const [outer, empty] = [this.#groups.slice(0, index), this.#groups.slice(index)];
    this.#groups = outer;
    for (const group of empty) await this.#addPage(group);
  }

  async #addPage(page: PrintedPage): Promise<void> {
    const titled = toTitledPage(page);
    const above = this.#takeAncestors(titled);
    const { characters, files, hasFormulas } = collectRequirements(page.document);
    this.#formulas = hasFormulas ? await loadFormulaParser() : undefined;
    await this.#typeset.loadFontsFor(characters + toPrintableText(titled.title + (page.description ?? "")));
    await this.#album.add(files);
    this.#filler.endSheet();
    await runSteps(this.#fill(page, titled, above));
  }

  /** Fills sheets with a page, strip by strip. */
  *#fill(page: PrintedPage, titled: TitledPage, above: PageAncestors): Steps<void> {
    const last = this.#sheets.length + MAX_PAGE_SHEETS;
    for (const strip of layOutPage(page, titled, above, this.#createContext(titled))) {
      this.#filler.add(strip);
      if (this.#isFull) return;
      if (this.#sheets.length >= last) {
        for (const note of createEndNote(this.#settings.words.cutPage, this.#createContext(titled)))
          this.#filler.add(note);
        return;
      }
      yield;
    }
  }

  /** Takes the waiting groups, which begin with a page, and moves the path to that page. */
  #takeAncestors(titled: TitledPage): PageAncestors {
    const groups = this.#groups.map(toTitledPage);
    this.#groups = [];
    for (const each of [...groups, titled]) {
      this.#path = this.#path.filter(({ depth }) => depth < each.depth);
      this.#path.push(each);
    }
    return { groups, path: this.#path.slice(0, -1).map(({ title }) => title) };
  }

  #createContext(page: TitledPage): LayoutContext {
    return {
      job: this.#job,
      typeset: this.#typeset,
      album: this.#album,
      words: this.#settings.words,
      formulas: this.#formulas,
      titles: this.#titles,
      page,
      notes: new PageNotes(),
      width: TEXT_WIDTH,
      size: SIZES.body,
      color: COLORS.ink,
      isBold: false,
      space: 8,
      depth: 0,
      lists: 0,
      layOutBlocks,
    };
  }

  #finishSheet(strips: readonly Strip[], next: Strip | undefined): void {
    if (!this.#isFull) this.#addSheet(strips, next);
  }

  /** Finishes the last sheet, with notes for the reader. */
  #finishSheets(): void {
    const { cut, boxes } = this.#settings.words;
    const context = this.#createContext({ id: "", title: "", depth: 0 });
    const notes = this.#typeset.hasGaps ? createEndNote(boxes, context) : [];
    if (!this.#isFull) for (const strip of notes) this.#filler.add(strip);
    this.#filler.endSheet();
    if (this.#isFull) this.#addSheet([...createEndNote(cut, context), ...notes]);
  }

  #addSheet(strips: readonly Strip[], next?: Strip): void {
    const sheet = new Sheet();
    drawStack(sheet, strips, PAPER.left, PAPER.top, next);
    this.#sheets.push(this.#book.writeSheet(sheet));
  }

  /** Writes the front, the footers, and the structure of the file. */
  *#writeBook(title: Sheet): Steps<void> {
    const contents = yield* createContentsSheets(
      this.#listContents(),
      this.#createContext({ id: "", title: "", depth: 0 }),
    );
    const [first, ...others] = [title, ...contents].map((sheet) => this.#book.writeSheet(sheet));
    const foot = new Sheet();
    drawFooter(foot, this.#title, this.#typeset);
    const footer = this.#writer.writeStream(foot.content);
    const sheets = [first!];
    for (const sheet of [...others, ...this.#sheets]) {
      const number = new Sheet();
      drawSheetNumber(number, sheets.length + 1, this.#typeset);
      sheets.push({ ...sheet, contents: [...sheet.contents, footer, this.#writer.writeStream(number.content)] });
      yield;
    }
    const subtitle = toPrintableLine(this.#job.subtitle ?? "", MAX_TITLE) || undefined;
    yield* this.#book.writeStructure(
      sheets,
      { title: this.#title, subtitle, date: this.#job.date, language: this.#settings.language },
      { fonts: this.#typeset.write(this.#writer), pictures: this.#album.write() },
    );
  }

  /** Returns the entries of the table of contents: pages and groups, or the headings of a single page. */
  #listContents(): readonly PrintedContentsEntry[] {
    const { headings } = this.#book;
    const pages = headings.filter(({ isPage }) => isPage);
    if (pages.length !== 1) return pages;
    const lowest = pages[0]!.level + 1;
    return headings
      .filter(({ isPage, level }) => !isPage && level < lowest + HEADING_LEVELS)
      .map((heading) => ({ ...heading, level: heading.level - lowest }));
  }
}
