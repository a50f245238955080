// Prints a job, from the first page to the last byte: pages are laid out as they arrive, each sheet is written when it is
// full, and the title and the table of contents are put before them at the end.

import type { PrintedPage, PrintJob } from "../content/print-job";
import { concatBytes } from "../utils/bytes";
import { runSteps } from "../utils/concurrency/event-loop";
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
  estimateContentsSheets,
  type PrintedContentsEntry,
} from "./front";
import { Album } from "./images/album";
import { layOutPage, type PageAncestors, type TitledPage, toTitledPage } from "./lay-out-page";
import { MAX_BYTES, MAX_PAGE_SHEETS, MAX_PAGES, MAX_SHEETS, MAX_TITLE } from "./limits";
import { toPrintableText, toSingleLine } from "./text/printable";
import { COLORS, PAPER, SIZES, TEXT_HEIGHT, TEXT_WIDTH } from "./theme";
import type { PrinterWords } from "./words";

/** The fonts, texts and language of a printer. */
export interface PrinterSettings {
  readonly fonts: FontCatalog;
  readonly words: PrinterWords;
  /** As in HTML: "en", "pt-BR". */
  readonly language: string;
}

/** The characters that are printed in addition to the text of the pages. */
const ALWAYS = `${String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))}…•–›·`;

/** The levels of headings in the table of contents of a single page. */
const HEADINGS = 2;

/** The size from which finished bytes are sent. A failure before the first are sent is a failure of the whole job. */
const WORTH_SENDING = 256 * 1024;

/** Prints a job, and returns the file. */
export async function printPdf(job: PrintJob, tools: PrinterSettings): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of streamPdf(job, tools)) pieces.push(piece);
  return concatBytes(pieces);
}

/** Prints a job, and yields finished parts of the file. */
export function streamPdf(job: PrintJob, tools: PrinterSettings): AsyncGenerator<Uint8Array> {
  return new Printing(job, tools).run();
}

class Printing {
  readonly #job: PrintJob;
  readonly #tools: PrinterSettings;
  readonly #title: string;
  readonly #writer = new PdfWriter();
  readonly #book = new PdfBook(this.#writer);
  readonly #typeset: Typeset;
  readonly #album: Album;
  readonly #titles = new Map<string, string>();
  readonly #leaves: WrittenSheet[] = [];
  readonly #filler = new SheetFiller(TEXT_HEIGHT, (strips, next) => this.#finishSheet(strips, next));
  #formulas: FormulaParser | undefined;
  #path: TitledPage[] = [];
  #groups: PrintedPage[] = [];

  constructor(job: PrintJob, tools: PrinterSettings) {
    this.#job = job;
    this.#tools = tools;
    this.#title = toSingleLine(job.title, MAX_TITLE) || "–";
    this.#typeset = new Typeset(tools.fonts);
    this.#album = new Album(this.#writer, job.file);
  }

  async *run(): AsyncGenerator<Uint8Array> {
    const subtitle = toSingleLine(this.#job.subtitle ?? "", MAX_TITLE);
    const date = formatDate(this.#job.date, this.#tools.language);
    const words = Object.values(this.#tools.words).join("");
    await this.#typeset.loadFontsFor(ALWAYS + words + this.#title + subtitle + date);
    for await (const page of this.#job.pages) {
      await this.#add(page);
      yield* this.#writer.takeChunks(WORTH_SENDING);
      if (this.#isFull) break;
    }
    await this.#addGroups(0);
    this.#end();
    const title = createTitleSheet(this.#title, subtitle, date, this.#createContext({ id: "", title: "", depth: 0 }));
    await runSteps(this.#bind(title));
    yield* this.#writer.takeChunks();
  }

  /** True if there is only room left for a note. */
  get #isFull(): boolean {
    const front = 1 + estimateContentsSheets(this.#titles.size);
    return (
      front + this.#leaves.length >= MAX_SHEETS - 1 || this.#writer.bytes >= MAX_BYTES || this.#titles.size >= MAX_PAGES
    );
  }

  /** Adds a page or a group. A group waits for the first page in it. */
  async #add(page: PrintedPage): Promise<void> {
    const it = toTitledPage(page);
    this.#titles.set(page.id, it.title);
    await this.#addGroups(it.depth);
    if (page.document === undefined && page.description === undefined) this.#groups.push(page);
    else await this.#addPage(page);
  }

  /** Prints the waiting groups of this depth and deeper, which have no page, on a sheet each. */
  async #addGroups(depth: number): Promise<void> {
    const at = this.#groups.findIndex((group) => toTitledPage(group).depth >= depth);
    if (at < 0) return;
    const [outer, empty] = [this.#groups.slice(0, at), this.#groups.slice(at)];
    this.#groups = outer;
    for (const group of empty) await this.#addPage(group);
  }

  async #addPage(page: PrintedPage): Promise<void> {
    const it = toTitledPage(page);
    const above = this.#above(it);
    const { characters, files, hasFormulas } = collectRequirements(page.document);
    this.#formulas = hasFormulas ? await loadFormulaParser() : undefined;
    await this.#typeset.loadFontsFor(characters + toPrintableText(it.title + (page.description ?? "")));
    await this.#album.add(files);
    this.#filler.endSheet();
    await runSteps(this.#fill(page, it, above));
  }

  /** Fills sheets with a page, strip by strip. */
  *#fill(page: PrintedPage, it: TitledPage, above: PageAncestors): Generator<void> {
    const last = this.#leaves.length + MAX_PAGE_SHEETS;
    for (const strip of layOutPage(page, it, above, this.#createContext(it))) {
      this.#filler.add(strip);
      if (this.#isFull) return;
      if (this.#leaves.length >= last) {
        for (const note of createEndNote(this.#tools.words.cutPage, this.#createContext(it))) this.#filler.add(note);
        return;
      }
      yield;
    }
  }

  #above(it: TitledPage): PageAncestors {
    const groups = this.#groups.map(toTitledPage);
    this.#groups = [];
    for (const each of [...groups, it]) {
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
      words: this.#tools.words,
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
    if (this.#isFull) return;
    this.#leaves.push(this.#book.writeSheet(createSheet(strips, next)));
  }

  /** Finishes the last sheet, with notes for the reader. */
  #end(): void {
    const { cut, boxes } = this.#tools.words;
    const context = this.#createContext({ id: "", title: "", depth: 0 });
    const notes = this.#typeset.hasGaps ? createEndNote(boxes, context) : [];
    if (!this.#isFull) for (const strip of notes) this.#filler.add(strip);
    this.#filler.endSheet();
    if (this.#isFull) this.#leaves.push(this.#book.writeSheet(createSheet([...createEndNote(cut, context), ...notes])));
  }

  *#bind(title: Sheet): Generator<void> {
    const contents = yield* createContentsSheets(
      this.#contents(),
      this.#createContext({ id: "", title: "", depth: 0 }),
    );
    const [first, ...others] = [title, ...contents].map((sheet) => this.#book.writeSheet(sheet));
    const foot = new Sheet();
    drawFooter(foot, this.#title, this.#typeset);
    const footer = this.#writer.writeStream(foot.content);
    const leaves = [first!];
    for (const leaf of [...others, ...this.#leaves]) {
      const number = new Sheet();
      drawSheetNumber(number, leaves.length + 1, this.#typeset);
      leaves.push({ ...leaf, contents: [...leaf.contents, footer, this.#writer.writeStream(number.content)] });
      yield;
    }
    const subtitle = toSingleLine(this.#job.subtitle ?? "", MAX_TITLE) || undefined;
    yield* this.#book.writeStructure(
      leaves,
      { title: this.#title, subtitle, date: this.#job.date, language: this.#tools.language },
      { fonts: this.#typeset.write(this.#writer), pictures: this.#album.write() },
    );
  }

  /** Returns the entries of the table of contents: pages and groups, or the headings of a single page. */
  #contents(): readonly PrintedContentsEntry[] {
    const { headings } = this.#book;
    const pages = headings.filter(({ isPage }) => isPage);
    if (pages.length !== 1) return pages;
    const lowest = pages[0]!.level + 1;
    return headings
      .filter(({ isPage, level }) => !isPage && level < lowest + HEADINGS)
      .map((heading) => ({ ...heading, level: heading.level - lowest }));
  }
}

function createSheet(strips: readonly Strip[], next?: Strip): Sheet {
  const sheet = new Sheet();
  drawStack(sheet, strips, PAPER.left, PAPER.top, next);
  return sheet;
}

function formatDate(date: Date, language: string): string {
  if (Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(date);
}
