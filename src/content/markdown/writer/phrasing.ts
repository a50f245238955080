// Writes the content of a paragraph, a heading or a cell as Markdown.

import type { Inline, InlineOf, Leaf, Mark, Phrasing } from "../../document";
import { writeEmoji } from "../emoji";
import { escapeAttribute, escapeEverything, escapeMarkdown } from "../escape";
import { buildHref } from "../hrefs";
import { getAbbreviationTags, getMarkTags, writeInlineTag } from "./html";
import { groupByMarks, type Marked, type PhrasingPiece, splitPieces } from "./marks";

/** The amount of escaping: as people write, or so that no text can be read as syntax. */
export type Care = "usual" | "utmost";

/** Collects a note, and returns its label. */
export type TakeNote = (inline: Inline) => string;

/** The place of phrasing: only a paragraph has several lines. */
export type PhrasingPlace = "paragraph" | "line";

/** Writes phrasing as Markdown. `tagged` are the URLs of links and images that are written as tags. */
export function writePhrasing(
  nodes: readonly Phrasing[],
  place: PhrasingPlace,
  care: Care,
  takeNote: TakeNote,
  tagged: ReadonlySet<string>,
): string {
  const writer = new PhrasingWriter(place, care, takeNote, tagged);
  writer.write(groupByMarks(splitPieces(nodes), []), [], false);
  return writer.parts.join("");
}

/** An empty comment, which separates what is beside it. */
const EMPTY_COMMENT = "<!---->";

const SIGNS: Partial<Record<Mark["type"], string>> = { bold: "**", italic: "*", strikethrough: "~~" };

class PhrasingWriter {
  readonly parts: string[] = [];
  /** The last character that is written. */
  #last = "";
  /** True after an emoji that must be separated from the next text. */
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
    if (this.#endsInEmoji && /^[A-Za-z0-9]/.test(text)) this.parts.push(EMPTY_COMMENT);
    this.#endsInEmoji = false;
    this.parts.push(text);
    this.#last = text.slice(-1);
  }

  /** Adds an emoji. It is only read as one if no word touches its colons. */
  #addEmoji(emoji: string): void {
    const isApart = this.care === "utmost";
    if (isApart && /[A-Za-z0-9_:]/.test(this.#last)) this.#add(EMPTY_COMMENT);
    this.#add(emoji);
    this.#endsInEmoji = isApart;
  }

  #writeMark(mark: Mark, inside: readonly Marked[], around: readonly Mark[], isInLink: boolean): void {
    if (mark.type === "code") {
      this.#add(
        writeSpan(inside.map((part) => ("piece" in part ? (part.piece.node as Leaf).text : "")).join(""), "`", 1),
      );
      return;
    }
    const sign = this.care === "usual" ? SIGNS[mark.type] : undefined;
    const [opening, closing] = sign ? [sign, sign] : getMarkTags(mark);
    this.#add(opening);
    this.write(inside, [...around, mark], isInLink);
    this.#add(closing);
  }

  #writePiece({ node }: PhrasingPiece, around: readonly Mark[], isInLink: boolean, isFollowed: boolean): void {
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

  /** Escapes text between tags of HTML. */
  readonly #escapeText = (text: string): string =>
    this.care === "utmost"
      ? escapeEverything(text)
      : escapeMarkdown(text, { before: ">", isFollowed: true, isInLink: true });

  /** The character before the next text. Only a paragraph begins at the start of a line. */
  get #before(): string {
    return this.#last === "" && this.place === "line" ? " " : this.#last;
  }

  #writeInline(inline: Inline, around: readonly Mark[]): void {
    switch (inline.type) {
      case "link":
        this.#writeLink(inline.nodes ?? [], buildHref(inline.data.ref), around);
        break;
      case "emoji":
        this.#addEmoji(writeEmoji(inline.data));
        break;
      case "inline-math":
        if (inline.data.formula !== "") this.#add(writeSpan(inline.data.formula.replace(/[\r\n]+/g, " "), "$", 2));
        break;
      case "inline-image":
        this.#writeImage(inline);
        break;
      case "annotation":
        this.#writeNote(inline, around);
        break;
      default:
        this.#add(writeInlineTag(inline, this.#escapeText));
    }
  }

  /** Writes a note. A footnote belongs to the word before it; other texts have tags around them. */
  #writeNote(inline: Inline, around: readonly Mark[]): void {
    const [text, ...others] = inline.nodes ?? [];
    const isText = text?.object === "text" && others.length === 0 && text.leaves.length <= 1;
    const isWord = !/[^\s*_~>]/.test(this.#last) && isText && !/\s/.test(text.leaves[0]?.text ?? "");
    const tags = isWord ? undefined : getAbbreviationTags(inline);
    this.#add(tags?.[0] ?? "");
    this.write(groupByMarks(splitPieces(inline.nodes ?? []), around), around, false);
    this.#add(tags?.[1] ?? `[^${this.takeNote(inline)}]`);
  }

  #writeImage(image: InlineOf<"inline-image">): void {
    const { ref, refDark, size, alt, caption } = image.data;
    const needsTag = refDark !== undefined || size !== undefined || this.tagged.has(buildHref(ref));
    this.#add(needsTag ? writeInlineTag(image) : writeMarkdownImage(buildHref(ref), alt, caption));
  }

  #writeLink(nodes: readonly Phrasing[], url: string, around: readonly Mark[]): void {
    if (this.care === "utmost" || this.tagged.has(url)) {
      this.#add(`<a href="${escapeAttribute(url)}">`);
      this.write(groupByMarks(splitPieces(nodes), around), around, true);
      this.#add("</a>");
      return;
    }
    // A link whose text is its URL is written as an autolink.
    const [text, ...others] = nodes;
    const [leaf, ...leaves] = text?.object === "text" ? text.leaves : [];
    const isUrl =
      leaf?.text === url.replace(/^mailto:/, "") &&
      leaf.marks.length + leaves.length + others.length + around.length === 0;
    const isAddress = /^https?:\/\/[^\s<>\p{Cc}]+$/u.test(url) || /^mailto:[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(url);
    if (isUrl && isAddress) {
      this.#add(`<${leaf.text}>`);
      return;
    }
    this.#add("[");
    this.write(groupByMarks(splitPieces(nodes), around), around, true);
    this.#add(`](${writeDestination(url)})`);
  }
}

/** The sign that begins something that would be read as a character reference. */
const REFERENCE = /&(?=#?[A-Za-z0-9]{1,32};)/g;

/** Writes an image. The caption is its title. */
export function writeMarkdownImage(url: string, alt = "", caption?: string): string {
  const text = escapeMarkdown(alt.replace(/[\r\n]+/g, " "), { before: "[", isFollowed: true, isInLink: true });
  const escapedCaption = (caption ?? "")
    .replace(/[\r\n]+/g, " ")
    .replace(/[\\"]/g, "\\$&")
    .replace(REFERENCE, "\\&");
  const title = caption === undefined ? "" : ` "${escapedCaption}"`;
  return `![${text}](${writeDestination(url)}${title})`;
}

/** Writes a link destination, in angle brackets if necessary. */
function writeDestination(url: string): string {
  const clean = url
    .replace(/[\r\n]+/g, "")
    .replaceAll("\\", "\\\\")
    .replace(REFERENCE, "\\&");
  return /^[^\s<>()\p{Cc}]+$/u.test(clean) ? clean : `<${clean.replace(/[<>]/g, "\\$&")}>`;
}

/** Writes a text between delimiters that are longer than any in it. */
function writeSpan(text: string, mark: string, least: number): string {
  const runs = new Set((text.match(mark === "`" ? /`+/g : /\$+/g) ?? []).map(({ length }) => length));
  let length = least;
  while (runs.has(length)) length++;
  const isPadded = text.startsWith(mark) || text.endsWith(mark) || (/^ .* $/.test(text) && /[^ ]/.test(text));
  const fence = mark.repeat(length);
  return isPadded ? `${fence} ${text} ${fence}` : fence + text + fence;
}
