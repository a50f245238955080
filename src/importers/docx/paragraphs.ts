// Reads paragraphs of a Word document: headings, items, code, quotations, captions and plain ones.

import type { Block, BlockOf, InlineOf, Phrasing } from "../../content/document";
import { getPhrasingText } from "../../content/markdown/document-parts";
import { omitUndefined } from "../../utils/objects";
import { getElement, listElements, type XmlElement } from "../xml/parse-xml";
import type { DocxContext } from "./docx-context";
import type { ListPosition } from "./numbering";
import type { RunReader } from "./runs";
import { getXmlValue, type ParagraphKind } from "./styles";

export interface DocxParagraph {
  readonly kind: ParagraphKind;
  /** 1 to 9 for a heading. */
  readonly heading: number | undefined;
  readonly position: ListPosition | undefined;
  readonly nodes: Phrasing[];
  /** Its lines as they are written, for code. */
  readonly lines: readonly string[];
  readonly bookmarks: readonly string[];
  readonly boxes: readonly XmlElement[];
  /** It is indented below an item without being one. */
  readonly isIndented: boolean;
}

/** Reads a paragraph, or returns undefined if its end was deleted and it became part of the next one. */
export function readParagraph(
  element: XmlElement,
  runs: RunReader,
  { styles, numbering }: DocxContext,
): DocxParagraph | undefined {
  const properties = getElement(element, "w:pPr");
  const style = styles.get(getXmlValue(properties, "w:pStyle"));
  const marks = getElement(properties, "w:rPr");
  if (getElement(marks, "w:del") || getElement(marks, "w:moveFrom")) {
    runs.carry(element);
    return undefined;
  }

  let { heading } = style;
  const outlineLevel = getXmlValue(properties, "w:outlineLvl");
  if (outlineLevel !== undefined) heading = /^[0-8]$/.test(outlineLevel) ? Number(outlineLevel) + 1 : undefined;
  if (heading !== undefined) runs.fields.reset();
  const content = runs.read(element, heading !== undefined || style.kind === "title");

  // The paragraph's own properties come before those of its styles.
  const allProperties = properties ? [properties, ...style.paragraphs] : style.paragraphs;
  let position: ListPosition | undefined;
  if (heading === undefined) {
    const lists = allProperties.map((it) => getElement(it, "w:numPr"));
    const list = lists.map((it) => getXmlValue(it, "w:numId")).find((it) => it !== undefined);
    const level = lists.map((it) => getXmlValue(it, "w:ilvl")).find((it) => it !== undefined);
    position = numbering.takePosition(list, level);
  }
  const indents = allProperties.map((it) => getElement(it, "w:ind")?.attributes);
  const indent = indents.map((it) => it?.get("w:left") ?? it?.get("w:start")).find((it) => it !== undefined);

  const isCode = style.kind === "code" || (content.isTyped && !position && heading === undefined);
  return {
    ...content,
    kind: isCode ? "code" : style.kind,
    heading,
    position,
    lines: isCode ? content.text.split("\n") : [],
    isIndented: indent !== undefined && Number(indent) > 0,
  };
}

/** Creates the block of a plain paragraph. Images that stand alone become a block of images. */
export function createBlock(nodes: Phrasing[]): Block {
  const isImage = (node: Phrasing): node is InlineOf<"inline-image"> =>
    node.object === "inline" && node.type === "inline-image";
  const images = nodes.filter(isImage);
  const others = nodes.filter((node) => !isImage(node));
  if (images.length === 0 || getPhrasingText(others).trim() !== "" || others.some(({ object }) => object === "inline"))
    return { object: "block", type: "paragraph", data: {}, nodes };
  const imageBlocks = images.map(({ data: { ref, alt } }) => {
    const data = { ref, ...omitUndefined({ alt }) };
    return { object: "block", type: "image", isVoid: true, data } satisfies BlockOf<"image">;
  });
  return { object: "block", type: "images", data: {}, nodes: imageBlocks };
}

/** Lists the elements of a body, without the wrappers for forms and tracked changes, and without tables of contents. */
export function listBodyElements(element: XmlElement): XmlElement[] {
  return listElements(element).flatMap((child) => {
    if (child.name === "w:sdt") {
      const gallery = getXmlValue(child, "w:sdtPr", "w:docPartObj", "w:docPartGallery");
      const isContents = gallery !== undefined && /^Table of Contents$/i.test(gallery);
      return isContents ? [] : listBodyElements(child);
    }
    if (/^(?:w:sdtContent|w:ins|w:moveTo|w:customXml|w:smartTag)$/.test(child.name)) return listBodyElements(child);
    return [child];
  });
}
