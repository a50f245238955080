// Paragraphs of a Word document as what they are: headings, items, code, quotations, or plain.

import type { Block, BlockOf, InlineOf, Phrasing } from "../../content/document";
import { isEmpty, textNode } from "../../content/markdown/reader/leaves";
import { saidBy } from "../../content/markdown/reader/words";
import { omitUndefined } from "../../utils/objects";
import { elementAt, elementsIn } from "../xml/elements";
import type { XmlElement } from "../xml/xml";
import type { Manuscript } from "./manuscript";
import type { ListPlace } from "./numbering";
import type { RunReader } from "./runs";
import { isOn, type ParagraphKind, type Style, valueAt } from "./styles";

/** A paragraph that was read. */
export interface Paragraph {
  readonly kind: ParagraphKind;
  /** 1 to 9 for a heading. */
  readonly heading: number | undefined;
  readonly place: ListPlace | undefined;
  readonly nodes: Phrasing[];
  /** Its lines as they stand, for code. */
  readonly lines: readonly string[];
  readonly bookmarks: readonly string[];
  readonly boxes: readonly XmlElement[];
  /** Whether it stands under an item without being one. */
  readonly isIndented: boolean;
}

/** Reads a paragraph; undefined when its end was deleted and it became part of the next one. */
export function readParagraph(element: XmlElement, runs: RunReader, manuscript: Manuscript): Paragraph | undefined {
  const properties = elementAt(element, "w:pPr");
  const style = manuscript.styles.get(valueAt(properties, "w:pStyle"));
  const marks = elementAt(properties, "w:rPr");
  if (elementAt(marks, "w:del") || elementAt(marks, "w:moveFrom")) {
    runs.carry(element);
    return undefined;
  }
  const heading = headingOf(properties, style);
  if (heading !== undefined) runs.fields.reset();
  const content = runs.read(element, heading !== undefined || style.kind === "title");
  const place = heading === undefined ? listPlaceOf(properties, style, manuscript) : undefined;
  const isCode = style.kind === "code" || (content.isTyped && !place && heading === undefined);
  return {
    ...content,
    kind: isCode ? "code" : style.kind,
    heading,
    place,
    lines: isCode ? content.text.split("\n") : [],
    isIndented: isIndented(properties, style),
  };
}

function headingOf(properties: XmlElement | undefined, style: Style): number | undefined {
  const stated = valueAt(properties, "w:outlineLvl");
  if (stated === undefined) return style.heading;
  return /^[0-8]$/.test(stated) ? Number(stated) + 1 : undefined;
}

function listPlaceOf(
  properties: XmlElement | undefined,
  style: Style,
  { numbering }: Manuscript,
): ListPlace | undefined {
  const all = [...(properties ? [properties] : []), ...style.paragraphs];
  const stated = all.map((it) => elementAt(it, "w:numPr"));
  const list = stated.map((it) => valueAt(it, "w:numId")).find((it) => it !== undefined);
  const level = stated.map((it) => valueAt(it, "w:ilvl")).find((it) => it !== undefined);
  return numbering.place(list, level);
}

function isIndented(properties: XmlElement | undefined, style: Style): boolean {
  const all = [...(properties ? [properties] : []), ...style.paragraphs];
  const indents = all.map((it) => elementAt(it, "w:ind")?.attributes);
  const left = indents.map((it) => it?.get("w:left") ?? it?.get("w:start")).find((it) => it !== undefined);
  return left !== undefined && Number(left) > 0;
}

/** A plain paragraph as a block: images that stand alone are a block of their own. */
export function blockOf(nodes: Phrasing[]): Block {
  const images = nodes.filter(isImage);
  const others = nodes.filter((node) => !isImage(node));
  if (images.length === 0 || saidBy(others).trim() !== "" || others.some(({ object }) => object === "inline"))
    return { object: "block", type: "paragraph", data: {}, nodes };
  const figures = images.map(({ data: { ref, alt } }) => {
    const data = { ref, ...omitUndefined({ alt }) };
    return { object: "block", type: "image", isVoid: true, data } satisfies BlockOf<"image">;
  });
  return { object: "block", type: "images", data: {}, nodes: figures };
}

function isImage(node: Phrasing): node is InlineOf<"inline-image"> {
  return node.object === "inline" && node.type === "inline-image";
}

/** Images with a caption under the last one. */
export function withCaption(images: BlockOf<"images">, nodes: Phrasing[]): BlockOf<"images"> {
  const [last, ...others] = (images.nodes as BlockOf<"image">[]).toReversed();
  if (!last || isEmpty(nodes)) return images;
  const paragraph: Block = { object: "block", type: "paragraph", data: {}, nodes };
  const captioned = {
    ...last,
    fragments: [{ object: "fragment" as const, type: "caption" as const, nodes: [paragraph] }],
  };
  return { ...images, nodes: [...others.toReversed(), captioned] };
}

/** Lines as a block of code. */
export function codeBlock(lines: readonly string[]): BlockOf<"code"> {
  const nodes = lines.map((line): Block => ({ object: "block", type: "code-line", data: {}, nodes: [textNode(line)] }));
  return { object: "block", type: "code", data: {}, nodes };
}

/** Whether a row or a paragraph was deleted, its deletion being accepted. */
export function isDeletedRow(row: XmlElement): boolean {
  const properties = elementAt(row, "w:trPr");
  return elementAt(properties, "w:del") !== undefined || isOn(properties, "w:hidden") === true;
}

/** Elements of a body, without the wrappers for forms and tracked changes. */
export function bodyElements(element: XmlElement): XmlElement[] {
  return elementsIn(element).flatMap((child) => {
    if (child.name === "w:sdt") return isContents(child) ? [] : bodyElements(child);
    if (/^(?:w:sdtContent|w:ins|w:moveTo|w:customXml|w:smartTag)$/.test(child.name)) return bodyElements(child);
    return [child];
  });
}

/** A table of contents is left out: pages have their own. */
function isContents(element: XmlElement): boolean {
  const gallery = valueAt(element, "w:sdtPr", "w:docPartObj", "w:docPartGallery");
  return gallery !== undefined && /^Table of Contents$/i.test(gallery);
}
