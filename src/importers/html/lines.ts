// Lines of text: the content of a paragraph, a heading or a cell, with its marks. Whitespace is as a browser would show it.

import type { Inline, Mark, Phrasing, PlainMark } from "../../content/document";
import { addMark, getPhrasingText, isSameMark, Phrases } from "../../content/markdown/document-parts";
import { omitUndefined } from "../../utils/objects";
import { createAnchor, PageAnchors } from "./anchors";
import { collapseWhitespace, filterElements, findElement, getAttribute, getClasses, getText } from "./elements";
import { readFormula } from "./formulas";
import { isHeadingAnchor, isNoise } from "./noise";
import { PageUrls } from "./page-urls";
import type { HtmlElement, HtmlNode } from "./parse-html";

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
/** Elements that are separated by a space from the rest of a line. */
const SEPARATE_ELEMENT =
  /^(?:p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|h[1-6]|section|article|blockquote|pre|figure|figcaption|header|address|summary|details)$/;

/** The state that the elements around a node set. */
interface LineContext {
  readonly marks: readonly Mark[];
  readonly isInLink: boolean;
  readonly isInHeading: boolean;
  /** The outermost code element around. */
  readonly code?: HtmlElement;
}

/** Reads a line node by node. */
export class LineReader {
  #phrases = new Phrases();
  #hasContent = false;
  /** A space was read. It is written if something follows on the line. */
  #hasPendingSpace = false;
  #isAtStart = true;
  #lastMarks: readonly Mark[] = [];
  #lastCode: HtmlElement | undefined;

  /** With `leavesAnchors`, anchors stay pending for what is around the line, a heading or a link. */
  constructor(
    readonly urls: PageUrls,
    readonly anchors: PageAnchors,
    readonly isInHeading = false,
    readonly leavesAnchors = isInHeading,
  ) {}

  /** Nothing but whitespace was read. */
  get isEmpty(): boolean {
    return !this.#hasContent;
  }

  add(node: HtmlNode, marks: readonly Mark[] = []): void {
    this.#read(node, { marks, isInLink: false, isInHeading: this.isInHeading });
  }

  take(): Phrasing[] {
    if (this.#hasContent) this.#addAnchors();
    const phrasing = this.#phrases.finish(true);
    this.#phrases = new Phrases();
    this.#hasContent = false;
    this.#hasPendingSpace = false;
    this.#isAtStart = true;
    this.#lastCode = undefined;
    return phrasing;
  }

  #read(node: HtmlNode, context: LineContext): void {
    if (typeof node === "string") {
      this.#addText(node, context.marks, context.code);
      return;
    }
    const formula = readFormula(node);
    if (formula)
      this.#addInline({ object: "inline", type: "inline-math", isVoid: true, data: { formula: formula.tex } });
    else if (!isNoise(node)) this.#readElement(node, context);
  }

  #readElement(element: HtmlElement, context: LineContext): void {
    this.anchors.collect(element);
    const { name, children } = element;
    const mark = MARKS.get(name);
    if (mark) {
      const code = mark === "code" ? (context.code ?? element) : context.code;
      const marks = addMark(context.marks, mark);
      this.#readAll(children, { ...context, ...omitUndefined({ code }), marks });
    } else if (name === "mark") this.#readAll(children, { ...context, marks: addMark(context.marks, HIGHLIGHT) });
    else if (name === "br") {
      if (this.#isAtStart) return;
      this.#phrases.addText("\n", []);
      this.#hasPendingSpace = false;
      this.#isAtStart = true;
    } else if (name === "img" || name === "picture") this.#readImage(element, context.marks);
    else if (name === "a") this.#readLink(element, context);
    else if (name === "q") {
      this.#addText("“", context.marks);
      this.#readAll(children, context);
      this.#hasPendingSpace = false;
      this.#addText("”", context.marks);
    } else if (name === "iframe" || name === "video" || name === "audio") return;
    else {
      const isSeparate = SEPARATE_ELEMENT.test(name);
      if (isSeparate) this.#hasPendingSpace ||= !this.#isAtStart;
      this.#readAll(children, context);
      if (isSeparate) this.#hasPendingSpace ||= !this.#isAtStart;
    }
  }

  #readAll(nodes: readonly HtmlNode[], context: LineContext): void {
    for (const node of nodes) this.#read(node, context);
  }

  #addText(text: string, marks: readonly Mark[], code?: HtmlElement): void {
    const shown = text.replace(/[\u200b\u2060\ufeff\u00ad]/g, "").replace(/[ \t\r\n\f\u00a0]+/g, " ");
    if (shown === "") return;
    const words = shown.trim();
    if (words === "") {
      this.#hasPendingSpace ||= !this.#isAtStart;
      return;
    }
    const isSameCode = code !== undefined && code === this.#lastCode;
    this.#writeSpace(shown.startsWith(" "), marks, isSameCode);
    if (!isSameCode) this.#addAnchors();
    this.#lastCode = code;
    this.#phrases.addText(words, marks);
    this.#hasPendingSpace = shown.endsWith(" ");
    this.#hasContent = true;
    this.#isAtStart = false;
  }

  /** Writes the pending space, with the marks that both sides have. Code neither begins nor ends with a space. */
  #writeSpace(hasLeadingSpace: boolean, marks: readonly Mark[], isSameCode = false): void {
    if ((this.#hasPendingSpace || hasLeadingSpace) && !this.#isAtStart) {
      const sharedMarks = marks.filter(
        (mark) =>
          (isSameCode || (mark.type !== "code" && mark.type !== "keyboard")) &&
          this.#lastMarks.some((last) => isSameMark(mark, last)),
      );
      this.#phrases.addText(" ", sharedMarks);
    }
    this.#hasPendingSpace = false;
    this.#lastMarks = marks;
    this.#lastCode = undefined;
  }

  #addAnchors(): void {
    if (this.leavesAnchors || !this.anchors.hasPending) return;
    for (const id of this.anchors.takePending()) this.#phrases.addInline(createAnchor(id));
  }

  #addInline(inline: Inline): void {
    this.#writeSpace(false, []);
    this.#addAnchors();
    this.#phrases.addInline(inline);
    this.#hasContent = true;
    this.#isAtStart = false;
  }

  #readImage(element: HtmlElement, marks: readonly Mark[]): void {
    const image = element.name === "img" ? element : findElement(element, ({ name }) => name === "img");
    // An image of a single pixel counts readers.
    if (!image || ["width", "height"].every((name) => /^[01](?:px)?$/.test(getAttribute(image, name).trim()))) return;
    const alt = collapseWhitespace(getAttribute(image, "alt")).slice(0, 1000);
    if (getClasses(image).some((name) => /^(?:emoji|emojione|twemoji|emoticon)$/i.test(name)) && alt !== "") {
      this.#addText(alt, marks);
      return;
    }
    const url = this.urls.resolveImage(image);
    if (url === undefined) return;
    // A picture may have another source for dark mode.
    const sources = filterElements(element.children).filter(({ name }) => name === "source");
    const dark = sources.find((it) => /dark/.test(getAttribute(it, "media")) && getAttribute(it, "srcset") !== "");
    const darkUrl = dark && this.urls.resolveImage(dark);
    const title = collapseWhitespace(getAttribute(image, "title")).slice(0, 1000);
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

  #readLink(element: HtmlElement, context: LineContext): void {
    if (context.isInHeading && isHeadingAnchor(element)) return;
    const href = getAttribute(element, "href");
    const isSelf = context.isInHeading && href.trim().startsWith("#");
    const url = context.isInLink || isSelf ? undefined : this.urls.resolveLink(href);
    if (url === undefined) {
      this.#readAll(element.children, context);
      return;
    }

    const content = new LineReader(this.urls, this.anchors, this.isInHeading, true);
    content.#readAll(element.children, { ...context, isInLink: true });
    if (content.isEmpty) return;
    const text = getText(element);
    if (/^\s/.test(text)) this.#hasPendingSpace ||= !this.#isAtStart;
    this.#addInline({
      object: "inline",
      type: "link",
      isVoid: false,
      data: { ref: { kind: "url", url } },
      nodes: content.take(),
    });
    this.#hasPendingSpace = /\s$/.test(text);
  }
}

/** Returns the words of nodes on one line without marks. Anchors next to headings have no words. */
export function readPlainLine(nodes: readonly HtmlNode[]): string {
  const line = new LineReader(new PageUrls({}), new PageAnchors(), true);
  for (const node of nodes) line.add(node);
  return collapseWhitespace(getPhrasingText(line.take()));
}
