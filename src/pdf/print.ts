// One printing, from the first page to the last byte: pages are set as they come, each sheet is written when it is full, and
// the title and the contents are put before them at the end.

import type { PrintedPage, PrintJob } from "../content/print-job";
import { concatBytes } from "../utils/bytes";
import { runSteps } from "../utils/concurrency/event-loop";
import { setBlocks } from "./blocks";
import { needsOf } from "./blocks/gather";
import { PageNotes } from "./blocks/notes";
import type { Setting } from "./blocks/setting";
import { Book, type Leaf } from "./file/book";
import { Sheet } from "./file/sheet";
import { PdfWriter } from "./file/writer";
import { SheetFiller } from "./flow/sheets";
import { drawStack } from "./flow/stack";
import type { Strip } from "./flow/strip";
import { type FontShelf, Typeset } from "./fonts/typeset";
import { type FormulaReader, loadFormulas } from "./formulas/read";
import {
  type ContentsEntry,
  contentsSheets,
  drawFoot,
  drawNumber,
  endNote,
  mostContentsSheets,
  titleSheet,
} from "./front";
import { Album } from "./images/album";
import { MAX_BYTES, MAX_PAGE_SHEETS, MAX_PAGES, MAX_SHEETS, MAX_TITLE } from "./limits";
import { COLOURS, PAPER, SIZES, TEXT_HEIGHT, TEXT_WIDTH } from "./look";
import { type Above, setPage, type Titled, titled } from "./page";
import { oneLine, printable } from "./text/clean";
import type { PrinterWords } from "./words";

/** What a printing is made with. */
export interface PrintingTools {
  readonly shelf: FontShelf;
  readonly words: PrinterWords;
  /** As in HTML: "en", "pt-BR". */
  readonly language: string;
}

/** What is printed besides the text of the pages. */
const ALWAYS = `${String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))}…•–›·`;

/** The lowest heading that is in the contents of a single page. */
const HEADINGS = 2;

/** Bytes that are kept back until they are worth sending. What fails before the first are sent is a failure of the whole. */
const WORTH_SENDING = 256 * 1024;

/** Prints a job. */
export async function print(job: PrintJob, tools: PrintingTools): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of printedPieces(job, tools)) pieces.push(piece);
  return concatBytes(pieces);
}

/** Prints a job, and gives away what is finished. */
export function printedPieces(job: PrintJob, tools: PrintingTools): AsyncGenerator<Uint8Array> {
  return new Printing(job, tools).run();
}

class Printing {
  readonly #job: PrintJob;
  readonly #tools: PrintingTools;
  readonly #title: string;
  readonly #writer = new PdfWriter();
  readonly #book = new Book(this.#writer);
  readonly #typeset: Typeset;
  readonly #album: Album;
  readonly #titles = new Map<string, string>();
  readonly #leaves: Leaf[] = [];
  readonly #filler = new SheetFiller(TEXT_HEIGHT, (strips, next) => this.#finishSheet(strips, next));
  #formulas: FormulaReader | undefined;
  #path: Titled[] = [];
  #groups: PrintedPage[] = [];

  constructor(job: PrintJob, tools: PrintingTools) {
    this.#job = job;
    this.#tools = tools;
    this.#title = oneLine(job.title, MAX_TITLE) || "–";
    this.#typeset = new Typeset(tools.shelf);
    this.#album = new Album(this.#writer, job.file);
  }

  async *run(): AsyncGenerator<Uint8Array> {
    const subtitle = oneLine(this.#job.subtitle ?? "", MAX_TITLE);
    const date = dateOf(this.#job.date, this.#tools.language);
    const words = Object.values(this.#tools.words).join("");
    await this.#typeset.cover(ALWAYS + words + this.#title + subtitle + date);
    for await (const page of this.#job.pages) {
      await this.#add(page);
      yield* this.#writer.take(WORTH_SENDING);
      if (this.#isFull) break;
    }
    await this.#addGroups(0);
    this.#end();
    const title = titleSheet(this.#title, subtitle, date, this.#setting({ id: "", title: "", depth: 0 }));
    await runSteps(this.#bind(title));
    yield* this.#writer.take();
  }

  /** Whether there is only room for a note. */
  get #isFull(): boolean {
    const front = 1 + mostContentsSheets(this.#titles.size);
    return (
      front + this.#leaves.length >= MAX_SHEETS - 1 || this.#writer.bytes >= MAX_BYTES || this.#titles.size >= MAX_PAGES
    );
  }

  /** A group waits for the first page in it. */
  async #add(page: PrintedPage): Promise<void> {
    const it = titled(page);
    this.#titles.set(page.id, it.title);
    await this.#addGroups(it.depth);
    if (page.document === undefined && page.description === undefined) this.#groups.push(page);
    else await this.#addPage(page);
  }

  /** Groups of this depth and deeper that still wait have no page. Each gets a sheet. */
  async #addGroups(depth: number): Promise<void> {
    const at = this.#groups.findIndex((group) => titled(group).depth >= depth);
    if (at < 0) return;
    const [outer, empty] = [this.#groups.slice(0, at), this.#groups.slice(at)];
    this.#groups = outer;
    for (const group of empty) await this.#addPage(group);
  }

  async #addPage(page: PrintedPage): Promise<void> {
    const it = titled(page);
    const above = this.#above(it);
    const { characters, files, hasFormulas } = needsOf(page.document);
    this.#formulas = hasFormulas ? await loadFormulas() : undefined;
    await this.#typeset.cover(characters + printable(it.title + (page.description ?? "")));
    await this.#album.add(files);
    this.#filler.endSheet();
    await runSteps(this.#fill(page, it, above));
  }

  /** Fills sheets with a page, strip by strip. */
  *#fill(page: PrintedPage, it: Titled, above: Above): Generator<void> {
    const last = this.#leaves.length + MAX_PAGE_SHEETS;
    for (const strip of setPage(page, it, above, this.#setting(it))) {
      this.#filler.add(strip);
      if (this.#isFull) return;
      if (this.#leaves.length >= last) {
        for (const note of endNote(this.#tools.words.cutPage, this.#setting(it))) this.#filler.add(note);
        return;
      }
      yield;
    }
  }

  #above(it: Titled): Above {
    const groups = this.#groups.map(titled);
    this.#groups = [];
    for (const each of [...groups, it]) {
      this.#path = this.#path.filter(({ depth }) => depth < each.depth);
      this.#path.push(each);
    }
    return { groups, path: this.#path.slice(0, -1).map(({ title }) => title) };
  }

  #setting(page: Titled): Setting {
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
      colour: COLOURS.ink,
      isBold: false,
      space: 8,
      depth: 0,
      lists: 0,
      set: setBlocks,
    };
  }

  #finishSheet(strips: readonly Strip[], next: Strip | undefined): void {
    if (this.#isFull) return;
    this.#leaves.push(this.#book.write(stacked(strips, next)));
  }

  /** The last sheet, with what the reader should know. */
  #end(): void {
    const { cut, boxes } = this.#tools.words;
    const setting = this.#setting({ id: "", title: "", depth: 0 });
    const notes = this.#typeset.hasGaps ? endNote(boxes, setting) : [];
    if (!this.#isFull) for (const strip of notes) this.#filler.add(strip);
    this.#filler.endSheet();
    if (this.#isFull) this.#leaves.push(this.#book.write(stacked([...endNote(cut, setting), ...notes])));
  }

  *#bind(title: Sheet): Generator<void> {
    const contents = yield* contentsSheets(this.#contents(), this.#setting({ id: "", title: "", depth: 0 }));
    const [first, ...others] = [title, ...contents].map((sheet) => this.#book.write(sheet));
    const foot = new Sheet();
    drawFoot(foot, this.#title, this.#typeset);
    const footer = this.#writer.stream(foot.content);
    const leaves = [first!];
    for (const leaf of [...others, ...this.#leaves]) {
      const number = new Sheet();
      drawNumber(number, leaves.length + 1, this.#typeset);
      leaves.push({ ...leaf, contents: [...leaf.contents, footer, this.#writer.stream(number.content)] });
      yield;
    }
    const subtitle = oneLine(this.#job.subtitle ?? "", MAX_TITLE) || undefined;
    yield* this.#book.bind(
      leaves,
      { title: this.#title, subtitle, date: this.#job.date, language: this.#tools.language },
      { fonts: this.#typeset.write(this.#writer), pictures: this.#album.write() },
    );
  }

  /** Pages and groups; of a single page, its headings. */
  #contents(): readonly ContentsEntry[] {
    const { headings } = this.#book;
    const pages = headings.filter(({ isPage }) => isPage);
    if (pages.length !== 1) return pages;
    const lowest = pages[0]!.level + 1;
    return headings
      .filter(({ isPage, level }) => !isPage && level < lowest + HEADINGS)
      .map((heading) => ({ ...heading, level: heading.level - lowest }));
  }
}

function stacked(strips: readonly Strip[], next?: Strip): Sheet {
  const sheet = new Sheet();
  drawStack(sheet, strips, PAPER.left, PAPER.top, next);
  return sheet;
}

function dateOf(date: Date, language: string): string {
  if (Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(date);
}
