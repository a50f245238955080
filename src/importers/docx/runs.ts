// Reads the content of paragraphs of a Word document: runs of text with their marks, links, images and notes. Tracked changes count
// as accepted; comments are left out.

import { encodeLinkPath } from "../../content/book/paths";
import type { Block, Inline, Mark, Phrasing } from "../../content/document";
import { isSafeUrl } from "../../content/document/safe-url";
import { addMark, createTextNode, Phrases } from "../../content/markdown/document-parts";
import { omitUndefined } from "../../utils/objects";
import { findXmlElement, getElement, getXmlText, isXmlElement, listElements, type XmlElement } from "../xml/parse-xml";
import type { DocxContext } from "./docx-context";
import type { DocxPart } from "./docx-package";
import { getXmlValue, isPropertyEnabled } from "./styles";

/** Reads the blocks of a note or a text box, which may be in another part. */
export type ReadBlocks = (elements: readonly XmlElement[], part: DocxPart) => Block[];

export interface ParagraphContent {
  readonly nodes: Phrasing[];
  readonly text: string;
  /** Names by which links lead here. */
  readonly bookmarks: readonly string[];
  /** Text boxes that are anchored to the paragraph. */
  readonly boxes: readonly XmlElement[];
  /** It has text, all of it in a font of fixed width. */
  readonly isTyped: boolean;
}

const WRAPPERS = new Set("w:ins w:moveTo w:smartTag w:customXml w:sdtContent w:sdt w:dir w:bdo".split(" "));
const FIXED_WIDTH_FONTS = [
  ...["consolas", "courier", "courier new", "menlo", "monaco", "lucida console", "liberation mono"],
  ...["dejavu sans mono", "source code pro", "fira (?:code|mono)", "jetbrains mono", "roboto mono"],
  ...["cascadia (?:code|mono)", "sf mono", "noto (?:sans )?mono"],
];
const FIXED_WIDTH_FONT = new RegExp(`^(?:${FIXED_WIDTH_FONTS.join("|")})\\b`, "i");
/** The few symbols that texts use, by their code in the font Wingdings. */
const WINGDINGS = new Map([
  [0xe0, "→"],
  [0xdf, "←"],
  [0xfc, "✓"],
  [0xfb, "✗"],
  [0xfe, "☑"],
  [0xfd, "☒"],
  [0xa8, "☐"],
  [0x4a, "☺"],
]);

/** Reads paragraphs of one part, in their order. */
export class RunReader {
  readonly fields = new FieldStack();
  #pieces: LinePiece[] = [];
  #bookmarks: string[] = [];
  #boxes: XmlElement[] = [];
  #hasTypedText = false;
  #hasOtherContent = false;
  #isHeading = false;

  constructor(
    readonly context: DocxContext,
    readonly part: DocxPart,
    readonly readBlocks: ReadBlocks,
  ) {}

  /** Reads a paragraph. Marks that a heading has anyway are left out. */
  read(paragraph: XmlElement, isHeading: boolean): ParagraphContent {
    this.#isHeading = isHeading;
    this.#bookmarks = [];
    this.#boxes = [];
    this.#hasTypedText = false;
    this.#hasOtherContent = false;
    this.#readChildren(paragraph, undefined);
    const nodes = assembleLine(this.#pieces, this.context.reserveUrl);
    const text = this.#pieces.map((piece) => ("text" in piece ? piece.text : "")).join("");
    this.#pieces = [];
    const isTyped = this.#hasTypedText && !this.#hasOtherContent;
    return { nodes, text, bookmarks: this.#bookmarks, boxes: this.#boxes, isTyped };
  }

  /** Reads a paragraph whose end was deleted. Its content becomes part of the next one. */
  carry(paragraph: XmlElement): void {
    this.#readChildren(paragraph, undefined);
  }

  #readChildren(element: XmlElement, href: string | undefined): void {
    for (const child of listElements(element)) this.#readElement(child, href);
  }

  #readElement(element: XmlElement, href: string | undefined): void {
    const { name, attributes } = element;
    if (name === "w:r") {
      const properties = getElement(element, "w:rPr");
      if (isPropertyEnabled(properties, "w:vanish")) return;
      const marks = this.#getMarks(properties, href !== undefined);
      for (const child of listElements(element)) this.#readRunPart(child, marks, href);
    } else if (name === "w:hyperlink") {
      const relationship = this.part.relationships.get(attributes.get("r:id") ?? "");
      const anchor = attributes.get("w:anchor");
      const ownHref = (relationship?.isOutside ? relationship.target : "") + (anchor ? `#${anchor}` : "");
      this.#readChildren(element, ownHref === "" ? href : ownHref);
    } else if (name === "w:fldSimple") {
      const instruction = attributes.get("w:instr") ?? "";
      this.fields.begin();
      this.fields.instruct(instruction);
      this.fields.separate();
      this.#readChildren(element, parseHyperlink(instruction) ?? href);
      this.fields.end();
    } else if (name === "mc:AlternateContent") this.#readAlternative(element, (it) => this.#readChildren(it, href));
    else if (name === "m:oMath" || name === "m:oMathPara") this.#addText(getMathText(element), [], href);
    else if (name === "w:bookmarkStart") this.#bookmarks.push(attributes.get("w:name") ?? "");
    else if (WRAPPERS.has(name)) this.#readChildren(element, href);
  }

  /** Reads the first alternative with content, or else the fallback for old readers. */
  #readAlternative(element: XmlElement, read: (alternative: XmlElement) => void): void {
    for (const alternative of listElements(element)) {
      const countBefore = this.#pieces.length + this.#boxes.length;
      read(alternative);
      if (this.#pieces.length + this.#boxes.length > countBefore) return;
    }
  }

  #readRunPart(element: XmlElement, marks: readonly Mark[], href: string | undefined): void {
    const { name, attributes } = element;
    switch (name) {
      case "w:t":
        this.#addText(getXmlText(element), marks, href);
        break;
      case "w:tab":
      case "w:ptab":
        this.#addText("\t", marks, href);
        break;
      case "w:br":
        if (!/^(?:page|column)$/.test(attributes.get("w:type") ?? "")) this.#addText("\n", marks, href);
        break;
      case "w:cr":
        this.#addText("\n", marks, href);
        break;
      case "w:noBreakHyphen":
        this.#addText("\u2011", marks, href);
        break;
      case "w:sym": {
        // Symbol fonts have their characters in the private area of Unicode. Other characters mean themselves.
        const code = attributes.get("w:char") ?? "";
        const value = /^[0-9A-Fa-f]{1,5}$/.test(code) ? Number.parseInt(code, 16) : 0;
        const isPrivate = value >= 0xe000 && value <= 0xf8ff;
        if (isPrivate) this.#addText(WINGDINGS.get(value & 0xff) ?? "•", marks, href);
        else if (value >= 0x20 && (value < 0xd800 || value > 0xdfff))
          this.#addText(String.fromCodePoint(value), marks, href);
        break;
      }
      case "w:fldChar": {
        const type = attributes.get("w:fldCharType");
        if (type === "begin") this.fields.begin();
        else if (type === "separate") this.fields.separate();
        else if (type === "end") this.fields.end();
        break;
      }
      case "w:instrText":
        this.fields.instruct(getXmlText(element));
        break;
      case "w:footnoteReference":
      case "w:endnoteReference":
        this.#readNote(name.slice(2, name.indexOf("Reference")), attributes.get("w:id"));
        break;
      case "w:drawing":
      case "w:pict":
      case "w:object":
        this.#readDrawing(element, href);
        break;
      case "mc:AlternateContent":
        this.#readAlternative(element, (alternative) => {
          for (const child of listElements(alternative)) this.#readRunPart(child, marks, href);
        });
    }
  }

  #getMarks(properties: XmlElement | undefined, isLink: boolean): readonly Mark[] {
    const style = this.context.styles.get(getXmlValue(properties, "w:rStyle"));
    const all = properties ? [properties, ...style.runs] : style.runs;
    const isOn = (name: string) => all.map((it) => isPropertyEnabled(it, name)).find((it) => it !== undefined) === true;
    const font = all.map((it) => getElement(it, "w:rFonts")?.attributes.get("w:ascii")).find(Boolean);
    const isCode = style.isCode || (font !== undefined && FIXED_WIDTH_FONT.test(font));
    const verticalAlignment = all.map((it) => getXmlValue(it, "w:vertAlign")).find(Boolean);

    let marks: readonly Mark[] = [];
    if (isCode) marks = addMark(marks, "code");
    if (isOn("w:strike") || isOn("w:dstrike")) marks = addMark(marks, "strikethrough");
    if (verticalAlignment === "superscript") marks = addMark(marks, "superscript");
    if (verticalAlignment === "subscript") marks = addMark(marks, "subscript");
    if (this.#isHeading) return marks;
    if (isOn("w:b")) marks = addMark(marks, "bold");
    // Pages have no underlining, so it becomes emphasis. Links are underlined anyway.
    if (isOn("w:i") || (isOn("w:u") && !isLink && this.fields.href === undefined)) marks = addMark(marks, "italic");
    return marks;
  }

  #addText(text: string, marks: readonly Mark[], href: string | undefined): void {
    if (text === "" || !this.fields.isShown) return;
    if (text.trim() !== "") {
      if (marks.some(({ type }) => type === "code")) this.#hasTypedText = true;
      else this.#hasOtherContent = true;
    }
    this.#pieces.push({ text, marks, href: href ?? this.fields.href });
  }

  #readNote(kind: string, id: string | undefined): void {
    const found = this.fields.isShown ? this.context.takeNote(kind, id) : undefined;
    if (!found) return;
    const blocks = this.readBlocks(listElements(found.note), found.part);
    const fragments = [{ object: "fragment" as const, type: "annotation-body" as const, nodes: blocks }];
    const nodes = [createTextNode("")];
    this.#pieces.push({
      inline: { object: "inline", type: "annotation", isVoid: false, data: {}, nodes, fragments },
      href: undefined,
    });
  }

  #readDrawing(element: XmlElement, href: string | undefined): void {
    const box = findXmlElement(element, "w:txbxContent");
    if (box) this.#boxes.push(box);
    const image = findXmlElement(element, "a:blip")?.attributes ?? findXmlElement(element, "v:imagedata")?.attributes;
    const relationshipId = image && (image.get("r:embed") ?? image.get("r:id") ?? image.get("r:link"));
    if (relationshipId !== undefined) this.#addImage(element, relationshipId, href);
    else if (!box) {
      const graphic = findXmlElement(element, "a:graphicData");
      if (!graphic) return;
      const kind = /\/([a-z]+)$/i.exec(graphic.attributes.get("uri") ?? "")?.[1] ?? "drawing";
      const name = findXmlElement(element, "wp:docPr")?.attributes.get("name") ?? kind;
      this.context.skip(name, `It is a ${kind}, which Word draws itself.`);
    }
  }

  #addImage(element: XmlElement, relationshipId: string, href: string | undefined): void {
    const relationship = this.part.relationships.get(relationshipId);
    if (!relationship || !this.fields.isShown) return;
    const isLinked = relationship.isOutside && /^https?:/i.test(relationship.target);
    const path = isLinked ? undefined : this.context.takeImage(relationship);
    const url = isLinked ? relationship.target : path && encodeLinkPath(path);
    if (url === undefined || !this.context.reserveUrl(url)) return;
    const description = findXmlElement(element, "wp:docPr")?.attributes.get("descr");
    const alt = (description ?? findXmlElement(element, "v:shape")?.attributes.get("alt") ?? "").trim();
    const data = { ref: { kind: "url" as const, url }, ...omitUndefined({ alt: alt === "" ? undefined : alt }) };
    this.#hasOtherContent = true;
    this.#pieces.push({ inline: { object: "inline", type: "inline-image", isVoid: true, data }, href });
  }
}

/** Returns the characters of a formula. Word stores no other text form of it. */
function getMathText(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (!isXmlElement(child)) return "";
      return child.name === "m:t" ? getXmlText(child) : getMathText(child);
    })
    .join("");
}

// Assembles the pieces of a paragraph: equal neighbors become one, and neighbors with the same URL become a link.

/** A piece of a paragraph, and the link that it is part of. */
type LinePiece = { readonly href: string | undefined } & (
  | { readonly text: string; readonly marks: readonly Mark[] }
  | { readonly inline: Inline }
);

/** Assembles pieces into phrasing. `reserveUrl` returns whether a URL may be written once more. */
function assembleLine(pieces: readonly LinePiece[], reserveUrl: (url: string) => boolean): Phrasing[] {
  const phrases = new Phrases();
  for (let start = 0; start < pieces.length; ) {
    const { href } = pieces[start]!;
    let end = start + 1;
    while (end < pieces.length && pieces[end]!.href === href) end++;
    const isLink = href !== undefined && isSafeUrl(href) && reserveUrl(href);
    const target = isLink ? new Phrases() : phrases;
    for (const piece of pieces.slice(start, end)) {
      if ("inline" in piece) target.addInline(piece.inline);
      else target.addText(piece.text.replaceAll("\t", " "), piece.marks);
    }
    if (isLink) {
      const data = { ref: { kind: "url" as const, url: href } };
      phrases.addInline({ object: "inline", type: "link", isVoid: false, data, nodes: target.finish(false) });
    }
    start = end;
  }
  return removeMarksFromSpaces(phrases.finish(true));
}

/** Removes marks from the spaces around words, where they have no meaning. Word sets them there too. */
function removeMarksFromSpaces(nodes: Phrasing[]): Phrasing[] {
  return nodes.map((node): Phrasing => {
    if (node.object !== "text")
      return node.type === "link" ? { ...node, nodes: removeMarksFromSpaces(node.nodes ?? []) } : node;
    const leaves = node.leaves.flatMap((leaf) => {
      const words = leaf.text.trim();
      if (leaf.marks.length === 0 || words === leaf.text) return [leaf];
      const start = leaf.text.length - leaf.text.trimStart().length;
      const parts: typeof node.leaves = [
        { object: "leaf", text: leaf.text.slice(0, start), marks: [] },
        { object: "leaf", text: words, marks: leaf.marks },
        { object: "leaf", text: leaf.text.slice(start + words.length), marks: [] },
      ];
      return parts.filter(({ text }) => text !== "");
    });
    return { ...node, leaves };
  });
}

// Fields: instructions in the text from which Word computes something, and the last result. Links are among them.

interface OpenField {
  instruction: string;
  /** The instruction is complete, and the result follows. */
  isResult: boolean;
}

const HYPERLINK = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]+))?/i;
const HYPERLINK_ANCHOR = /\\l\s+(?:"([^"]*)"|(\S+))/i;
/** Fields whose results have no meaning outside of a printed document. */
const HIDDEN = /^\s*(?:TOC|PAGEREF|PAGE|NUMPAGES|SECTIONPAGES|INDEX|XE|TC|RD|TA|TOA)\b/i;

/** The fields that are open at a place. */
class FieldStack {
  #open: OpenField[] = [];

  begin(): void {
    this.#open.push({ instruction: "", isResult: false });
  }

  separate(): void {
    const field = this.#open.at(-1);
    if (field) field.isResult = true;
  }

  end(): void {
    this.#open.pop();
  }

  /** Ends all fields. A heading is never inside of a field, so a field that was not closed ends there. */
  reset(): void {
    this.#open = [];
  }

  instruct(text: string): void {
    const field = this.#open.at(-1);
    if (field && !field.isResult) field.instruction += text;
  }

  /** Text at this place is shown. */
  get isShown(): boolean {
    return this.#open.every(({ instruction, isResult }) => isResult && !HIDDEN.test(instruction));
  }

  /** The target of text at this place. */
  get href(): string | undefined {
    const link = this.#open.findLast(({ instruction, isResult }) => isResult && HYPERLINK.test(instruction));
    return link && parseHyperlink(link.instruction);
  }
}

/** Returns the target of an instruction, or undefined if it is not a link. */
function parseHyperlink(instruction: string): string | undefined {
  const link = HYPERLINK.exec(instruction);
  if (!link) return undefined;
  const [, quotedAnchor, bareAnchor] = HYPERLINK_ANCHOR.exec(instruction) ?? [];
  const anchor = quotedAnchor ?? bareAnchor;
  const href = (link[1] ?? link[2] ?? "") + (anchor ? `#${anchor}` : "");
  return href === "" ? undefined : href;
}
