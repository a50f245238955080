// Joins HTML of several blocks. Markdown ends an HTML block at a blank line, so a table, a list or code that contains one is
// parsed as several blocks, and some of its tags as paragraphs or indented code. Here they become one HTML block again, with
// the Markdown between its tags.

import type { BlockNode, HtmlBlockNode, InlineNode, ParagraphNode, SourceSpan } from "../nodes";
import { HOLE, isSpace } from "./html-tree";

/** Elements whose parts belong together, with or without blank lines between them. */
const WHOLES = new Set(["table", "ul", "ol", "dl", "blockquote", "pre", "textarea", "xmp", "details", "summary"]);

/** Elements that show their content verbatim. */
const CODE = new Set(["pre", "textarea", "xmp"]);

/** Elements that contain only parts: indented lines in them are HTML, not code. */
const PART_CONTAINERS = new Set(["table", "thead", "tbody", "tfoot", "tr", "colgroup", "ul", "ol", "dl"]);

/** The parts of elements, each with the parts that end where it begins. */
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

/** Joins the blocks from one that opens an element with parts to the one that closes it. */
export function joinHtml(blocks: readonly BlockNode[], text: string): BlockNode[] {
  const joiner = new Joiner(text);
  for (const [at, block] of blocks.entries()) joiner.read(block, at);
  const result: BlockNode[] = [];
  for (let at = 0; at < blocks.length; ) {
    const end = joiner.ends.get(at);
    result.push(end === undefined ? blocks[at]! : joiner.join(blocks, at, end));
    at = (end ?? at) + 1;
  }
  return result;
}

/** Lines of HTML, and their places in the source. */
interface HtmlLines {
  readonly values: readonly string[];
  readonly lines: readonly SourceSpan[];
}

/** A part of joined HTML: HTML, or Markdown between its tags. */
type JoinedPart = HtmlLines | BlockNode;

/** Finds the blocks that belong together while it reads them one after another. */
class Joiner {
  /** The index of the block that closes an element, by that of the block that opens it. */
  readonly ends = new Map<number, number>();
  readonly #pieces = new Map<number, readonly JoinedPart[]>();
  readonly #open: { readonly name: string; readonly at: number }[] = [];
  /** The number of open elements, by their names. */
  readonly #waiting = new Map<string, number>();
  /** The markers of the block quotes and list items around the first HTML block. */
  #marks: string | undefined;
  /** The end of the previous block. */
  #before = 0;

  constructor(readonly text: string) {}

  read(block: BlockNode, at: number): void {
    const isInside = this.#open.length > 0;
    if (block.type === "html" || isInside) {
      if (this.#marks === undefined && block.type === "html") {
        const offset = block.lines[0]?.start ?? block.start;
        const lead = this.text.slice(Math.max(0, offset - MAX_LEAD), offset);
        const line = lead.slice(Math.max(lead.lastIndexOf("\n"), lead.lastIndexOf("\r")) + 1);
        this.#marks = /^(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))*/.exec(line)![0];
      }
      const pieces = this.#getParts(block, at);
      if (isInside || this.#open.length > 0) this.#pieces.set(at, pieces);
    }
    this.#before = block.end;
  }

  #getParts(block: BlockNode, at: number): readonly JoinedPart[] {
    const { start, end } = block;
    if (block.type === "html") {
      // Blank lines are part of code.
      const gap = this.#isInCode ? sliceLines(this.#getLines(this.#before, start), 1, -1) : undefined;
      if (!block.value.startsWith("<!--")) this.#readTags(block.value, at);
      return [...(gap ? [gap] : []), { values: block.value.split("\n"), lines: block.lines }];
    }
    if (block.type === "paragraph") return this.#splitParagraph(block, at);
    const isInCode = this.#isInCode;
    if (!isInCode && !(block.type === "code" && this.#isIndentedHtml(block))) return [block];
    const source = isInCode ? sliceLines(this.#getLines(this.#before, end), 1) : this.#getLines(start, end);
    this.#readTags(source.values.join("\n"), at);
    return [source];
  }

  get #isInCode(): boolean {
    return CODE.has(this.#open.at(-1)?.name ?? "");
  }

  /** Returns true for indented code that continues HTML. */
  #isIndentedHtml({ start }: SourceSpan): boolean {
    const begins = this.text.slice(start, start + 200).trimStart();
    return FIRST_TAG.test(begins) || (PART_CONTAINERS.has(this.#open.at(-1)?.name ?? "") && /^<[/a-z]/i.test(begins));
  }

  /** Splits a paragraph at the tags that belong to the HTML around it. */
  #splitParagraph(paragraph: ParagraphNode, at: number): readonly JoinedPart[] {
    const pieces: JoinedPart[] = [];
    let run: InlineNode[] = [];
    const flush = () => {
      const [first, last] = [run[0], run.at(-1)];
      if (first && last && !run.every(isSpace))
        pieces.push({ type: "paragraph", children: run, start: first.start, end: last.end });
      run = [];
    };
    /** The start of the code that is being read. */
    let code = this.#isInCode ? this.#before : undefined;
    const addCode = (from: number, to: number) =>
      pieces.push(sliceLines(this.#getLines(from, to), from === this.#before ? 1 : 0));
    for (const child of paragraph.children) {
      const tag = child.type === "html" ? FIRST_TAG.exec(child.value) : null;
      const isClosing = tag !== null && tag[1] !== "" && this.#isOpen(tag[2]!);
      const isPart = isClosing || (tag !== null && tag[1] === "" && code === undefined);
      if (child.type !== "html" || !isPart) {
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

  /** Returns the lines between two offsets, without the markers of the block quotes and list items around them. */
  #getLines(from: number, to: number): HtmlLines {
    const [values, lines]: [string[], SourceSpan[]] = [[], []];
    let start = from;
    // Lines and line endings alternate.
    for (const [i, part] of this.text
      .slice(from, to)
      .split(/(\r\n?|\n)/)
      .entries()) {
      if (i % 2 === 0) {
        // The markers that match those of the earlier lines are left out. Each may be missing.
        let own = 0;
        for (const mark of i === 0 ? "" : (this.#marks ?? "")) {
          if (part[own] === " " || part[own] === "\t" || (mark === ">" && part[own] === ">")) own++;
          else if (mark === ">") break;
        }
        values.push(part.slice(own));
        lines.push({ start: start + own, end: start + part.length });
      }
      start += part.length;
    }
    return { values, lines };
  }

  join(blocks: readonly BlockNode[], from: number, to: number): HtmlBlockNode {
    const [values, lines, inside]: [string[], SourceSpan[], BlockNode[]] = [[], [], []];
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
            // It continues the last line.
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

function sliceLines({ values, lines }: HtmlLines, from: number, to?: number): HtmlLines {
  return { values: values.slice(from, to), lines: lines.slice(from, to) };
}

/** The maximum distance at which the start of a line is searched for. */
const MAX_LEAD = 500;
