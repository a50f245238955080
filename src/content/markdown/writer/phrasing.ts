// What stands inside a paragraph, a heading or a cell, as Markdown.

import type { Inline, InlineData, Leaf, Mark, Phrasing } from "../../document";
import { writtenEmoji } from "../emoji";
import { escapeAttribute, escapeEverything, escapeMarkdown } from "./escape";
import { abbreviationTags, imageTag, inlineTag, markTags } from "./html";
import { type Marked, type Piece, piecesOf, underMarks } from "./marks";
import { urlOf } from "./urls";

/** How carefully text is written: as people write it, or so that nothing in it can be taken for anything. */
export type Care = "usual" | "utmost";

/** Takes a note, and gives the label under which it is written down. */
export type TakeNote = (inline: Inline) => string;

/** Where phrasing stands: only a paragraph has lines. */
export type PhrasingPlace = "paragraph" | "line";

/** Phrasing as Markdown; `tagged` are addresses of links and images that are written as tags. */
export function markdownOf(
  nodes: readonly Phrasing[],
  place: PhrasingPlace,
  care: Care,
  takeNote: TakeNote,
  tagged: ReadonlySet<string>,
): string {
  const writer = new PhrasingWriter(place, care, takeNote, tagged);
  writer.write(underMarks(piecesOf(nodes), []), [], false);
  return writer.parts.join("");
}

/** A comment, which shows nothing and keeps apart what stands beside it. */
const NOTHING = "<!---->";

const SIGNS: Partial<Record<Mark["type"], string>> = { bold: "**", italic: "*", strikethrough: "~~" };

class PhrasingWriter {
  /** What has been written. */
  readonly parts: string[] = [];
  /** The last character of it. */
  #last = "";
  /** Whether it ends with an emoji that must stand apart from what follows. */
  #endsInEmoji = false;

  constructor(
    readonly place: PhrasingPlace,
    readonly care: Care,
    readonly takeNote: TakeNote,
    readonly tagged: ReadonlySet<string>,
  ) {}

  write(marked: readonly Marked[], around: readonly Mark[], isInLink: boolean): void {
    for (const [i, part] of marked.entries()) {
      if ("mark" in part) this.#writeMark(part.mark, part.inside, around, isInLink);
      else this.#writePiece(part.piece, around, isInLink, i < marked.length - 1 || around.length > 0);
    }
  }

  #add(text: string): void {
    if (text === "") return;
    if (this.#endsInEmoji && /^[A-Za-z0-9]/.test(text)) this.parts.push(NOTHING);
    this.#endsInEmoji = false;
    this.parts.push(text);
    this.#last = text.slice(-1);
  }

  /** An emoji is one only if no word touches its colons. */
  #addEmoji(emoji: string): void {
    const isApart = this.care === "utmost";
    if (isApart && /[A-Za-z0-9_:]/.test(this.#last)) this.#add(NOTHING);
    this.#add(emoji);
    this.#endsInEmoji = isApart;
  }

  #writeMark(mark: Mark, inside: readonly Marked[], around: readonly Mark[], isInLink: boolean): void {
    if (mark.type === "code") {
      this.#add(codeSpan(inside.map((part) => ("piece" in part ? (part.piece.node as Leaf).text : "")).join("")));
      return;
    }
    const sign = this.care === "usual" ? SIGNS[mark.type] : undefined;
    const [opening, closing] = sign ? [sign, sign] : markTags(mark);
    this.#add(opening);
    this.write(inside, [...around, mark], isInLink);
    this.#add(closing);
  }

  #writePiece({ node }: Piece, around: readonly Mark[], isInLink: boolean, isFollowed: boolean): void {
    if (node.object === "leaf") this.#writeText(node.text, isInLink, isFollowed);
    else this.#writeInline(node, around);
  }

  #writeText(text: string, isInLink: boolean, isFollowed: boolean): void {
    if (text === "\n") {
      const isAtEdge = this.#last === "" || !isFollowed;
      this.#add(this.place === "line" || this.care === "utmost" || isAtEdge ? "<br>" : "\\\n");
    } else if (this.care === "utmost") this.#add(escapeEverything(text));
    else this.#add(escapeMarkdown(text, { before: this.#before, isFollowed, isInLink }));
  }

  /** Words between tags of HTML. */
  readonly #words = (text: string): string =>
    this.care === "utmost"
      ? escapeEverything(text)
      : escapeMarkdown(text, { before: ">", isFollowed: true, isInLink: true });

  /** The character before what is written next; only paragraphs begin with a line. */
  get #before(): string {
    return this.#last === "" && this.place === "line" ? " " : this.#last;
  }

  #writeInline(inline: Inline, around: readonly Mark[]): void {
    switch (inline.type) {
      case "link":
        this.#writeLink(inline.nodes ?? [], urlOf(inline.data.ref), around);
        break;
      case "emoji":
        this.#addEmoji(writtenEmoji(inline.data));
        break;
      case "inline-math":
        this.#add(mathSpan(inline.data.formula));
        break;
      case "inline-image":
        this.#add(this.#needsTag(inline.data) ? imageTag(inline.data) : image(inline));
        break;
      case "annotation":
        this.#writeNote(inline, around);
        break;
      default:
        this.#add(inlineTag(inline, this.#words));
    }
  }

  /** A footnote belongs to the word before it. Words that are none, or only a part of one, have tags around them. */
  #writeNote(inline: Inline, around: readonly Mark[]): void {
    const isWord = !/[^\s*_~>]/.test(this.#last) && isOneWord(inline.nodes ?? []);
    const tags = isWord ? undefined : abbreviationTags(inline);
    this.#add(tags?.[0] ?? "");
    this.write(underMarks(piecesOf(inline.nodes ?? []), around), around, false);
    this.#add(tags?.[1] ?? `[^${this.takeNote(inline)}]`);
  }

  #needsTag({ ref, refDark, size }: InlineData["inline-image"]): boolean {
    return refDark !== undefined || size !== undefined || this.tagged.has(urlOf(ref));
  }

  #writeLink(nodes: readonly Phrasing[], url: string, around: readonly Mark[]): void {
    if (this.care === "utmost" || this.tagged.has(url)) {
      this.#add(`<a href="${escapeAttribute(url)}">`);
      this.write(underMarks(piecesOf(nodes), around), around, true);
      this.#add("</a>");
      return;
    }
    const address = around.length === 0 ? autolink(nodes, url) : undefined;
    if (address !== undefined) {
      this.#add(address);
      return;
    }
    this.#add("[");
    this.write(underMarks(piecesOf(nodes), around), around, true);
    this.#add(`](${destination(url)})`);
  }
}

/** A link that shows its own address, as `<address>`. */
function autolink(nodes: readonly Phrasing[], url: string): string | undefined {
  const [text, ...others] = nodes;
  const [leaf, ...leaves] = text?.object === "text" ? text.leaves : [];
  if (!leaf || leaves.length > 0 || others.length > 0 || leaf.marks.length > 0) return undefined;
  if (!/^https?:\/\/[^\s<>\p{Cc}]+$/u.test(url) && !/^mailto:[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(url)) return undefined;
  return leaf.text === url.replace(/^mailto:/, "") ? `<${leaf.text}>` : undefined;
}

function isOneWord([text, ...others]: readonly Phrasing[]): boolean {
  if (text?.object !== "text" || others.length > 0 || text.leaves.length > 1) return false;
  return !/\s/.test(text.leaves[0]?.text ?? "");
}

function image({ data }: Extract<Inline, { type: "inline-image" }>): string {
  return imageMarkdown(urlOf(data.ref), data.alt, data.caption);
}

/** An image with its words; the caption is its title. */
export function imageMarkdown(url: string, alt = "", caption?: string): string {
  const words = escapeMarkdown(oneLine(alt), { before: "[", isFollowed: true, isInLink: true });
  const title = caption === undefined ? "" : ` "${withoutReferences(oneLine(caption).replace(/[\\"]/g, "\\$&"))}"`;
  return `![${words}](${destination(url)}${title})`;
}

/** The target of a link: as it is if it can stand alone, else in angle brackets. */
function destination(url: string): string {
  const clean = withoutReferences(url.replace(/[\r\n]+/g, "").replaceAll("\\", "\\\\"));
  return /^[^\s<>()\p{Cc}]+$/u.test(clean) ? clean : `<${clean.replace(/[<>]/g, "\\$&")}>`;
}

/** Escapes what would be read as a character reference. */
function withoutReferences(text: string): string {
  return text.replace(/&(?=#?[A-Za-z0-9]{1,32};)/g, "\\&");
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}

/** Code between enough backticks. */
export function codeSpan(code: string): string {
  return span(code, "`", 1);
}

function mathSpan(formula: string): string {
  return formula === "" ? "" : span(oneLine(formula), "$", 2);
}

function span(text: string, mark: string, least: number): string {
  const runs = new Set((text.match(mark === "`" ? /`+/g : /\$+/g) ?? []).map(({ length }) => length));
  let length = least;
  while (runs.has(length)) length++;
  const isPadded = text.startsWith(mark) || text.endsWith(mark) || (/^ .* $/.test(text) && /[^ ]/.test(text));
  const fence = mark.repeat(length);
  return isPadded ? `${fence} ${text} ${fence}` : fence + text + fence;
}
