// Lines of text: what stands inside a paragraph, a heading or a cell, with its marks. Space is as a browser would show it.

import type { Inline, Mark, Phrasing, PlainMark } from "../../content/document";
import { Phrases, sameMark, withMark } from "../../content/markdown/reader/leaves";
import { saidBy } from "../../content/markdown/reader/words";
import { omitUndefined } from "../../utils/objects";
import { Addresses, darkSource, isEmojiImage, isPixel } from "./addresses";
import { anchorInline, PageAnchors } from "./anchors";
import { formulaOf } from "./formulas";
import { attribute, find, oneLine, rawText } from "./looking";
import { isHeadingAnchor, isNoise } from "./noise";
import type { Element, Node } from "./tree";

const MARKS: ReadonlyMap<string, PlainMark> = new Map([
  ...["b", "strong"].map((name) => [name, "bold"] as const),
  ...["i", "em", "cite", "dfn", "var"].map((name) => [name, "italic"] as const),
  ...["s", "del", "strike"].map((name) => [name, "strikethrough"] as const),
  ...["code", "tt", "samp"].map((name) => [name, "code"] as const),
  ["kbd", "keyboard"],
  ["sub", "subscript"],
  ["sup", "superscript"],
]);
const HIGHLIGHT: Mark = { object: "mark", type: "color", data: { text: "default", background: "default" } };
/** Elements that end a line when they are inside one. */
const APART =
  /^(?:p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|h[1-6]|section|article|blockquote|pre|figure|figcaption|header|address|summary|details)$/;

/** What surrounds a piece of a line. */
interface Around {
  readonly marks: readonly Mark[];
  readonly isInLink: boolean;
  readonly isInHeading: boolean;
  /** The element of code that it stands in. */
  readonly code?: Element;
}

/** Reads a line piece by piece. */
export class LineReader {
  #phrases = new Phrases();
  #hasAny = false;
  /** Whether a space was seen. It is written if something follows on the line. */
  #isSpaceDue = false;
  #isAtStart = true;
  #lastMarks: readonly Mark[] = [];
  #lastCode: Element | undefined;

  /** `isApart`: anchors are left waiting for what is around the line, a heading or a link. */
  constructor(
    readonly addresses: Addresses,
    readonly anchors: PageAnchors,
    readonly isInHeading = false,
    readonly isApart = isInHeading,
  ) {}

  /** Whether nothing was read but space. */
  get isEmpty(): boolean {
    return !this.#hasAny;
  }

  /** Reads one more piece. */
  add(node: Node, marks: readonly Mark[] = []): void {
    this.#read(node, { marks, isInLink: false, isInHeading: this.isInHeading });
  }

  /** What was read, and begins again. */
  take(): Phrasing[] {
    if (this.#hasAny) this.#addAnchors();
    const phrasing = this.#phrases.finish(true);
    this.#phrases = new Phrases();
    this.#hasAny = false;
    this.#isSpaceDue = false;
    this.#isAtStart = true;
    this.#lastCode = undefined;
    return phrasing;
  }

  #read(node: Node, around: Around): void {
    if (typeof node === "string") {
      this.#addText(node, around.marks, around.code);
      return;
    }
    const formula = formulaOf(node);
    if (formula)
      this.#addInline({ object: "inline", type: "inline-math", isVoid: true, data: { formula: formula.tex } });
    else if (!isNoise(node)) this.#readElement(node, around);
  }

  #readElement(element: Element, around: Around): void {
    this.anchors.meet(element);
    const mark = MARKS.get(element.name);
    if (mark) {
      const code = mark === "code" ? (around.code ?? element) : around.code;
      this.#readAll(element.children, { ...around, ...omitUndefined({ code }), marks: withMark(around.marks, mark) });
    } else if (element.name === "mark")
      this.#readAll(element.children, { ...around, marks: withMark(around.marks, HIGHLIGHT) });
    else if (element.name === "br") this.#break();
    else if (element.name === "img" || element.name === "picture") this.#readImage(element, around.marks);
    else if (element.name === "a") this.#readLink(element, around);
    else if (element.name === "q") this.#readQuote(element, around);
    else if (element.name === "iframe" || element.name === "video" || element.name === "audio") return;
    else {
      const isApart = APART.test(element.name);
      if (isApart) this.#isSpaceDue ||= !this.#isAtStart;
      this.#readAll(element.children, around);
      if (isApart) this.#isSpaceDue ||= !this.#isAtStart;
    }
  }

  #readAll(nodes: readonly Node[], around: Around): void {
    for (const node of nodes) this.#read(node, around);
  }

  #addText(text: string, marks: readonly Mark[], code?: Element): void {
    const shown = text.replace(/[\u200b\u2060\ufeff\u00ad]/g, "").replace(/[ \t\r\n\f\u00a0]+/g, " ");
    if (shown === "") return;
    const body = shown.trim();
    if (body === "") {
      this.#isSpaceDue ||= !this.#isAtStart;
      return;
    }
    const isInCode = code !== undefined && code === this.#lastCode;
    this.#space(shown.startsWith(" "), marks, isInCode);
    if (!isInCode) this.#addAnchors();
    this.#lastCode = code;
    this.#phrases.addText(body, marks);
    this.#isSpaceDue = shown.endsWith(" ");
    this.#hasAny = true;
    this.#isAtStart = false;
  }

  /** Writes the pending space, with the marks that both sides have. Code neither begins nor ends with a space. */
  #space(isMore: boolean, marks: readonly Mark[], isInCode = false): void {
    if ((this.#isSpaceDue || isMore) && !this.#isAtStart) {
      const shared = marks.filter(
        (mark) =>
          (isInCode || (mark.type !== "code" && mark.type !== "keyboard")) &&
          this.#lastMarks.some((last) => sameMark(mark, last)),
      );
      this.#phrases.addText(" ", shared);
    }
    this.#isSpaceDue = false;
    this.#lastMarks = marks;
    this.#lastCode = undefined;
  }

  /** Puts down the anchors that wait. */
  #addAnchors(): void {
    if (this.isApart || !this.anchors.isWaiting) return;
    for (const id of this.anchors.take()) this.#phrases.addInline(anchorInline(id));
  }

  #addInline(inline: Inline): void {
    this.#space(false, []);
    this.#addAnchors();
    this.#phrases.addInline(inline);
    this.#hasAny = true;
    this.#isAtStart = false;
  }

  #break(): void {
    if (this.#isAtStart) return;
    this.#phrases.addText("\n", []);
    this.#isSpaceDue = false;
    this.#isAtStart = true;
  }

  #readQuote(element: Element, around: Around): void {
    this.#addText("“", around.marks);
    this.#readAll(element.children, around);
    this.#isSpaceDue = false;
    this.#addText("”", around.marks);
  }

  #readImage(element: Element, marks: readonly Mark[]): void {
    const image = element.name === "img" ? element : find(element, ({ name }) => name === "img");
    if (!image || isPixel(image)) return;
    const alt = oneLine(attribute(image, "alt")).slice(0, 1000);
    if (isEmojiImage(image) && alt !== "") {
      this.#addText(alt, marks);
      return;
    }
    const url = this.addresses.image(image);
    if (url === undefined) return;
    const dark = element === image ? undefined : darkSource(element);
    const darkUrl = dark && this.addresses.image(dark);
    const title = oneLine(attribute(image, "title")).slice(0, 1000);
    this.#addInline({
      object: "inline",
      type: "inline-image",
      isVoid: true,
      data: {
        ref: { kind: "url", url },
        ...omitUndefined({
          refDark: darkUrl === undefined ? undefined : { kind: "url" as const, url: darkUrl },
          caption: title === "" || title === alt ? undefined : title,
        }),
        alt,
      },
    });
  }

  #readLink(element: Element, around: Around): void {
    if (around.isInHeading && isHeadingAnchor(element)) return;
    const href = attribute(element, "href");
    const isSelf = around.isInHeading && href.trim().startsWith("#");
    const url = around.isInLink || isSelf ? undefined : this.addresses.link(href);
    if (url === undefined) {
      this.#readAll(element.children, around);
      return;
    }
    const inside = new LineReader(this.addresses, this.anchors, this.isInHeading, true);
    inside.#readAll(element.children, { ...around, isInLink: true });
    if (inside.isEmpty) return;
    const text = rawText(element);
    if (/^\s/.test(text)) this.#isSpaceDue ||= !this.#isAtStart;
    this.#addInline({
      object: "inline",
      type: "link",
      isVoid: false,
      data: { ref: { kind: "url", url } },
      nodes: inside.take(),
    });
    this.#isSpaceDue = /\s$/.test(text);
  }
}

/** What nodes say, on one line without marks; anchors beside headings say nothing. */
export function plainLine(nodes: readonly Node[]): string {
  const line = new LineReader(new Addresses({}), new PageAnchors(), true);
  for (const node of nodes) line.add(node);
  return oneLine(saidBy(line.take()));
}
