// HTML over several blocks. Markdown ends HTML at a blank line, so a table, a list or code with one in it arrives in pieces,
// and some of its tags arrive in paragraphs or as indented code. Here the pieces become one block of HTML again, with the
// Markdown between its tags.

import type { Block, Html, Inline, Paragraph, Span } from "../nodes";
import { HOLE, isSpace } from "./html-tree";

/** Elements whose parts belong together, wherever blank lines stand between them. */
const WHOLES = new Set(["table", "ul", "ol", "dl", "blockquote", "pre", "textarea", "xmp", "details", "summary"]);

/** Elements that show their content as it is written. */
const CODE = new Set(["pre", "textarea", "xmp"]);

/** Elements that hold nothing but parts: what is indented in them is HTML, and no code of Markdown. */
const HOLDERS = new Set(["table", "thead", "tbody", "tfoot", "tr", "colgroup", "ul", "ol", "dl"]);

/** Parts, each with those that end where it begins. */
const PARTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ["td th caption colgroup", "td th caption colgroup"],
    ["tr", "tr td th caption colgroup"],
    ["thead tbody tfoot", "thead tbody tfoot tr td th caption colgroup"],
    ["li", "li"],
    ["dt dd", "dt dd"],
  ].flatMap(([names, ends]) => names!.split(" ").map((name) => [name, new Set(ends!.split(" "))] as const)),
);

const TAG = `<(/?)(${[...WHOLES, ...PARTS.keys()].join("|")})(?=[\\s>])`;
const TAGS = new RegExp(`<!--|-->|${TAG}`, "gi");
const FIRST_TAG = new RegExp(`^${TAG}`, "i");

/** Joins the blocks from one that opens a whole to the one that closes it. */
export function joinHtml(blocks: readonly Block[], text: string): Block[] {
  const joiner = new Joiner(text);
  for (const [at, block] of blocks.entries()) joiner.read(block, at);
  const result: Block[] = [];
  for (let at = 0; at < blocks.length; ) {
    const end = joiner.ends.get(at);
    result.push(end === undefined ? blocks[at]! : joiner.join(blocks, at, end));
    at = (end ?? at) + 1;
  }
  return result;
}

/** HTML as it stands, line by line. */
interface Source {
  readonly values: readonly string[];
  readonly lines: readonly Span[];
}

/** A piece of joined HTML: HTML, or Markdown between its tags. */
type Piece = Source | Block;

/** Finds out which blocks belong together while it reads them one after another. */
class Joiner {
  /** For each block that opens a whole of several blocks, the one that closes it. */
  readonly ends = new Map<number, number>();
  readonly #pieces = new Map<number, readonly Piece[]>();
  readonly #open: { readonly name: string; readonly at: number }[] = [];
  /** How many elements of a name are open. */
  readonly #waiting = new Map<string, number>();
  #marks: string | undefined;
  /** The end of the block before. */
  #before = 0;

  constructor(readonly text: string) {}

  /** Reads the next block. */
  read(block: Block, at: number): void {
    const isInside = this.#open.length > 0;
    if (block.type === "html" || isInside) {
      this.#marks ??= block.type === "html" ? marksBefore(this.text, block.lines[0]?.start ?? block.start) : undefined;
      const pieces = this.#piecesOf(block, at);
      if (isInside || this.#open.length > 0) this.#pieces.set(at, pieces);
    }
    this.#before = block.end;
  }

  #piecesOf(block: Block, at: number): readonly Piece[] {
    const { start, end } = block;
    if (block.type === "html") {
      // Blank lines mean something in code.
      const gap = this.#isInCode ? slice(this.#sourceOf(this.#before, start), 1, -1) : undefined;
      if (!block.value.startsWith("<!--")) this.#readTags(block.value, at);
      return [...(gap ? [gap] : []), { values: block.value.split("\n"), lines: block.lines }];
    }
    if (block.type === "paragraph") return this.#paragraph(block, at);
    const isInCode = this.#isInCode;
    if (!isInCode && !(block.type === "code" && this.#isHtml(block))) return [block];
    const source = isInCode ? slice(this.#sourceOf(this.#before, end), 1) : this.#sourceOf(start, end);
    this.#readTags(source.values.join("\n"), at);
    return [source];
  }

  get #isInCode(): boolean {
    return CODE.has(this.#open.at(-1)?.name ?? "");
  }

  /** Whether indented code is HTML that goes on. */
  #isHtml({ start }: Span): boolean {
    const begins = this.text.slice(start, start + 200).trimStart();
    return FIRST_TAG.test(begins) || (HOLDERS.has(this.#open.at(-1)?.name ?? "") && /^<[/a-z]/i.test(begins));
  }

  /** The pieces of a paragraph, cut at the tags that belong to what stands around it. */
  #paragraph(paragraph: Paragraph, at: number): readonly Piece[] {
    const pieces: Piece[] = [];
    let run: Inline[] = [];
    const flush = () => {
      const [first, last] = [run[0], run.at(-1)];
      if (first && last && !run.every(isSpace))
        pieces.push({ type: "paragraph", children: run, start: first.start, end: last.end });
      run = [];
    };
    /** The place where code begins that is read at the moment. */
    let code = this.#isInCode ? this.#before : undefined;
    const addCode = (from: number, to: number) =>
      pieces.push(slice(this.#sourceOf(from, to), from === this.#before ? 1 : 0));
    for (const child of paragraph.children) {
      const tag = child.type === "html" ? FIRST_TAG.exec(child.value) : null;
      const isOurs =
        tag !== null && (code === undefined ? tag[1] === "" || this.#isOpen(tag[2]!) : this.#endsCode(tag));
      if (child.type !== "html" || !isOurs) {
        if (code === undefined) run.push(child);
        continue;
      }
      flush();
      if (code !== undefined) addCode(code, child.start);
      const { value, start, end } = child;
      const values = value.split("\n");
      pieces.push({ values, lines: values.map(() => ({ start, end })) });
      this.#readTags(value, at);
      code = this.#isInCode ? end : undefined;
    }
    flush();
    if (code !== undefined) addCode(code, paragraph.end);
    return pieces.length === 1 && "type" in pieces[0]! ? [paragraph] : pieces;
  }

  #isOpen(name: string): boolean {
    return (this.#waiting.get(name.toLowerCase()) ?? 0) > 0;
  }

  #endsCode([, slash, name]: RegExpExecArray): boolean {
    return slash !== "" && this.#isOpen(name!);
  }

  #readTags(value: string, at: number): void {
    let isInComment = false;
    for (const [sign, slash, tag] of value.matchAll(TAGS)) {
      if (tag === undefined) isInComment = sign === "<!--";
      else if (!isInComment) this.#readTag(tag.toLowerCase(), slash !== "", at);
    }
  }

  #readTag(name: string, isClosing: boolean, at: number): void {
    if (isClosing) {
      if (!this.#isOpen(name)) return;
      let closed = this.#pop();
      while (closed.name !== name) closed = this.#pop();
      if (closed.at < at && WHOLES.has(name)) this.ends.set(closed.at, at);
    } else if (!this.#isInCode) {
      const ends = PARTS.get(name);
      while (ends?.has(this.#open.at(-1)?.name ?? "")) this.#pop();
      this.#open.push({ name, at });
      this.#waiting.set(name, (this.#waiting.get(name) ?? 0) + 1);
    }
  }

  #pop(): { readonly name: string; readonly at: number } {
    const last = this.#open.pop()!;
    this.#waiting.set(last.name, this.#waiting.get(last.name)! - 1);
    return last;
  }

  /** The lines of the source between two offsets, without the marks of the quotes and items that they stand in. */
  #sourceOf(from: number, to: number): Source {
    const [values, lines]: [string[], Span[]] = [[], []];
    let start = from;
    // Lines and their endings take turns.
    for (const [i, part] of this.text
      .slice(from, to)
      .split(/(\r\n?|\n)/)
      .entries()) {
      if (i % 2 === 0) {
        const own = i === 0 ? 0 : lengthOfMarks(part, this.#marks ?? "");
        values.push(part.slice(own));
        lines.push({ start: start + own, end: start + part.length });
      }
      start += part.length;
    }
    return { values, lines };
  }

  /** The blocks from one to another as one block of HTML. */
  join(blocks: readonly Block[], from: number, to: number): Html {
    const [values, lines, inside]: [string[], Span[], Block[]] = [[], [], []];
    for (let at = from; at <= to; at++) {
      for (const piece of this.#pieces.get(at)!) {
        if ("type" in piece) {
          values.push(HOLE);
          lines.push({ start: piece.start, end: piece.start + 1 });
          inside.push(piece);
          continue;
        }
        for (const [i, value] of piece.values.entries()) {
          const [line, last] = [piece.lines[i]!, lines.at(-1)];
          if (i > 0 || last?.end !== line.start || values.at(-1) === HOLE) {
            values.push(value);
            lines.push(line);
          } else {
            // It goes on with a line that has begun.
            values[values.length - 1] += value;
            lines[lines.length - 1] = { start: last.start, end: line.end };
          }
        }
      }
    }
    const [start, end] = [blocks[from]!.start, blocks[to]!.end];
    return { type: "html", value: values.join("\n"), lines, inside, start, end };
  }
}

function slice({ values, lines }: Source, from: number, to?: number): Source {
  return { values: values.slice(from, to), lines: lines.slice(from, to) };
}

/** How far back the beginning of a line is looked for. */
const MAX_LEAD = 500;

/** The marks of quotes and items in a line before an offset. */
function marksBefore(text: string, offset: number): string {
  const lead = text.slice(Math.max(0, offset - MAX_LEAD), offset);
  const line = lead.slice(Math.max(lead.lastIndexOf("\n"), lead.lastIndexOf("\r")) + 1);
  return /^(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))*/.exec(line)![0];
}

/** How much of a line are marks like those of an earlier one. Each may be missing. */
function lengthOfMarks(line: string, marks: string): number {
  let at = 0;
  for (const mark of marks) {
    if (line[at] === " " || line[at] === "\t" || (mark === ">" && line[at] === ">")) at++;
    else if (mark === ">") break;
  }
  return at;
}
