// What stands inside a paragraph of a Word document: runs of text with their marks, links, images and notes. Changes that
// were tracked are accepted; comments are left out.

import { encodeLinkPath } from "../../content/book/paths";
import type { Block, Mark, Phrasing } from "../../content/document";
import { textNode, withMark } from "../../content/markdown/reader/leaves";
import { omitUndefined } from "../../utils/objects";
import { elementAt, elementsIn, findElement, isElement, textIn } from "../xml/elements";
import type { XmlElement } from "../xml/xml";
import { Fields, hrefIn } from "./fields";
import type { Manuscript } from "./manuscript";
import type { Part } from "./package";
import { assembled, type Piece } from "./pieces";
import { isOn, valueAt } from "./styles";

/** Reads blocks of a note or a text box, which stand in a part of their own. */
export type ReadBlocks = (elements: readonly XmlElement[], part: Part) => Block[];

/** What a paragraph holds. */
export interface Content {
  readonly nodes: Phrasing[];
  /** Its text as it stands. */
  readonly text: string;
  /** Names by which links lead here. */
  readonly bookmarks: readonly string[];
  /** Text boxes that hang on the paragraph. */
  readonly boxes: readonly XmlElement[];
  /** All text is in a font of fixed width, and there is some. */
  readonly isTyped: boolean;
}

const HOLDERS = new Set("w:ins w:moveTo w:smartTag w:customXml w:sdtContent w:sdt w:dir w:bdo".split(" "));
const TYPED =
  /^(?:consolas|courier|courier new|menlo|monaco|lucida console|liberation mono|dejavu sans mono|source code pro|fira (?:code|mono)|jetbrains mono|roboto mono|cascadia (?:code|mono)|sf mono|noto (?:sans )?mono)\b/i;

/** Reads paragraphs of one part, in their order. */
export class RunReader {
  readonly fields = new Fields();
  #pieces: Piece[] = [];
  #bookmarks: string[] = [];
  #boxes: XmlElement[] = [];
  /** Whether text was seen outside of, and in, fonts of fixed width. */
  #seen = { typed: false, other: false };
  #isPlain = false;

  constructor(
    readonly manuscript: Manuscript,
    readonly part: Part,
    readonly readBlocks: ReadBlocks,
  ) {}

  /** What a paragraph holds. `isPlain` leaves out marks that a heading has anyway. */
  read(paragraph: XmlElement, isPlain: boolean): Content {
    this.#isPlain = isPlain;
    this.#bookmarks = [];
    this.#boxes = [];
    this.#seen = { typed: false, other: false };
    this.#walkAll(paragraph, undefined);
    const nodes = assembled(this.#pieces, this.manuscript.mayWrite);
    const text = this.#pieces.map((piece) => ("text" in piece ? piece.text : "")).join("");
    this.#pieces = [];
    const { typed, other } = this.#seen;
    return { nodes, text, bookmarks: this.#bookmarks, boxes: this.#boxes, isTyped: typed && !other };
  }

  /** Reads a paragraph whose end was deleted: what it holds becomes part of the next one. */
  carry(paragraph: XmlElement): void {
    this.#walkAll(paragraph, undefined);
  }

  #walkAll(element: XmlElement, href: string | undefined): void {
    for (const child of elementsIn(element)) this.#walk(child, href);
  }

  #walk(element: XmlElement, href: string | undefined): void {
    const { name, attributes } = element;
    if (name === "w:r") this.#run(element, href);
    else if (name === "w:hyperlink") this.#walkAll(element, this.#hrefOf(element) ?? href);
    else if (name === "w:fldSimple") this.#simpleField(element, href);
    else if (name === "mc:AlternateContent") this.#alternative(element, (it) => this.#walkAll(it, href));
    else if (name === "m:oMath" || name === "m:oMathPara") this.#addText(mathIn(element), [], href);
    else if (name === "w:bookmarkStart") this.#bookmarks.push(attributes.get("w:name") ?? "");
    else if (HOLDERS.has(name)) this.#walkAll(element, href);
  }

  #hrefOf({ attributes }: XmlElement): string | undefined {
    const relationship = this.part.relationships.get(attributes.get("r:id") ?? "");
    const anchor = attributes.get("w:anchor");
    const href = (relationship?.isOutside ? relationship.target : "") + (anchor ? `#${anchor}` : "");
    return href === "" ? undefined : href;
  }

  #simpleField(element: XmlElement, href: string | undefined): void {
    const instruction = element.attributes.get("w:instr") ?? "";
    this.fields.begin();
    this.fields.instruct(instruction);
    this.fields.separate();
    this.#walkAll(element, hrefIn(instruction) ?? href);
    this.fields.end();
  }

  /** The first alternative with content, else the fallback for old readers. */
  #alternative(element: XmlElement, read: (chosen: XmlElement) => void): void {
    for (const chosen of elementsIn(element)) {
      const before = this.#pieces.length + this.#boxes.length;
      read(chosen);
      if (this.#pieces.length + this.#boxes.length > before) return;
    }
  }

  #run(run: XmlElement, href: string | undefined): void {
    const properties = elementAt(run, "w:rPr");
    if (isOn(properties, "w:vanish")) return;
    const marks = this.#marksOf(properties, href !== undefined);
    for (const child of elementsIn(run)) this.#runPart(child, marks, href);
  }

  #runPart(element: XmlElement, marks: readonly Mark[], href: string | undefined): void {
    const { name, attributes } = element;
    switch (name) {
      case "w:t":
        this.#addText(textIn(element), marks, href);
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
      case "w:sym":
        this.#addText(symbolOf(attributes.get("w:char")), marks, href);
        break;
      case "w:fldChar":
        this.#fieldMark(attributes.get("w:fldCharType"));
        break;
      case "w:instrText":
        this.fields.instruct(textIn(element));
        break;
      case "w:footnoteReference":
      case "w:endnoteReference":
        this.#note(name.slice(2, name.indexOf("Reference")), attributes.get("w:id"));
        break;
      case "w:drawing":
      case "w:pict":
      case "w:object":
        this.#drawing(element, href);
        break;
      case "mc:AlternateContent":
        this.#alternative(element, (chosen) => {
          for (const child of elementsIn(chosen)) this.#runPart(child, marks, href);
        });
    }
  }

  #fieldMark(type: string | undefined): void {
    if (type === "begin") this.fields.begin();
    else if (type === "separate") this.fields.separate();
    else if (type === "end") this.fields.end();
  }

  #marksOf(properties: XmlElement | undefined, isLink: boolean): readonly Mark[] {
    const style = this.manuscript.styles.get(valueAt(properties, "w:rStyle"));
    const stated = [...(properties ? [properties] : []), ...style.runs];
    const has = (name: string) => stated.map((it) => isOn(it, name)).find((it) => it !== undefined) === true;
    const font = stated.map((it) => elementAt(it, "w:rFonts")?.attributes.get("w:ascii")).find(Boolean);
    const isCode = style.isCode || (font !== undefined && TYPED.test(font));
    const vertical = stated.map((it) => valueAt(it, "w:vertAlign")).find(Boolean);
    let marks: readonly Mark[] = [];
    const add = (isSet: boolean, mark: Parameters<typeof withMark>[1]) => {
      if (isSet) marks = withMark(marks, mark);
    };
    add(isCode, "code");
    add(has("w:strike") || has("w:dstrike"), "strikethrough");
    add(vertical === "superscript", "superscript");
    add(vertical === "subscript", "subscript");
    if (this.#isPlain) return marks;
    add(has("w:b"), "bold");
    // Pages have no underlining, so it becomes emphasis. Links are underlined anyway.
    add(has("w:i") || (has("w:u") && !isLink && this.fields.href === undefined), "italic");
    return marks;
  }

  #addText(text: string, marks: readonly Mark[], href: string | undefined): void {
    if (text === "" || !this.fields.isShown) return;
    const isTyped = marks.some(({ type }) => type === "code");
    if (text.trim() !== "") this.#seen[isTyped ? "typed" : "other"] = true;
    this.#pieces.push({ text, marks, href: href ?? this.fields.href });
  }

  #note(kind: string, id: string | undefined): void {
    const found = this.fields.isShown ? this.manuscript.takeNote(kind, id) : undefined;
    if (!found) return;
    const blocks = this.readBlocks(elementsIn(found.note), found.part);
    const fragments = [{ object: "fragment" as const, type: "annotation-body" as const, nodes: blocks }];
    const nodes = [textNode("")];
    this.#pieces.push({
      inline: { object: "inline", type: "annotation", isVoid: false, data: {}, nodes, fragments },
      href: undefined,
    });
  }

  #drawing(element: XmlElement, href: string | undefined): void {
    const box = findElement(element, "w:txbxContent");
    if (box) this.#boxes.push(box);
    const blip = findElement(element, "a:blip")?.attributes ?? findElement(element, "v:imagedata")?.attributes;
    const named = blip && (blip.get("r:embed") ?? blip.get("r:id") ?? blip.get("r:link"));
    if (named !== undefined) this.#image(element, named, href);
    else if (!box) this.#unknownDrawing(element);
  }

  #image(element: XmlElement, named: string, href: string | undefined): void {
    const relationship = this.part.relationships.get(named);
    if (!relationship || !this.fields.isShown) return;
    const isLinked = relationship.isOutside && /^https?:/i.test(relationship.target);
    const path = isLinked ? undefined : this.manuscript.image(relationship);
    const url = isLinked ? relationship.target : path && encodeLinkPath(path);
    if (url === undefined || !this.manuscript.mayWrite(url)) return;
    const described = findElement(element, "wp:docPr")?.attributes;
    const alt = (described?.get("descr") ?? findElement(element, "v:shape")?.attributes.get("alt") ?? "").trim();
    const data = { ref: { kind: "url" as const, url }, ...omitUndefined({ alt: alt === "" ? undefined : alt }) };
    this.#seen.other = true;
    this.#pieces.push({ inline: { object: "inline", type: "inline-image", isVoid: true, data }, href });
  }

  #unknownDrawing(element: XmlElement): void {
    const data = findElement(element, "a:graphicData");
    if (!data) return;
    const kind = /\/([a-z]+)$/i.exec(data.attributes.get("uri") ?? "")?.[1] ?? "drawing";
    const id = findElement(element, "wp:docPr")?.attributes.get("name") ?? kind;
    this.manuscript.skip(id, `It is a ${kind}, which Word draws itself.`);
  }
}

/** Formulas are written as their characters, because Word stores no text form of them. */
function mathIn(element: XmlElement): string {
  return element.children
    .map((child) => (isElement(child) ? (child.name === "m:t" ? textIn(child) : mathIn(child)) : ""))
    .join("");
}

/** Symbol fonts have their characters in the private area of Unicode; other characters mean what they are. */
function symbolOf(code: string | undefined): string {
  const value = /^[0-9A-Fa-f]{1,5}$/.test(code ?? "") ? Number.parseInt(code!, 16) : 0;
  const isPrivate = value >= 0xe000 && value <= 0xf8ff;
  if (value < 0x20 || (value >= 0xd800 && value <= 0xdfff)) return "";
  return isPrivate ? (WINGDINGS.get(value & 0xff) ?? "•") : String.fromCodePoint(value);
}

/** The few symbols that texts use. */
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
