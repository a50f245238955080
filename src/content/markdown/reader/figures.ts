// Images that stand by themselves: `![]()` alone in a paragraph, and `<figure>`, `<picture>` and `<img>` as HTML.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Align, BlockData, BlockOf, Fragment, Phrasing } from "../../document";
import type { Span } from "../nodes";
import type { Element, Phrase } from "./elements";
import { isSpace, onlyElements } from "./html-tree";
import { isEmpty, textNode } from "./leaves";
import { pictureOf } from "./phrasing";
import type { Reading } from "./reading";

/** Reads phrases as what a paragraph says. */
export type ReadPhrases = (nodes: readonly Phrase[]) => Steps<Phrasing[]>;

const ALIGNMENTS: ReadonlyMap<string, Align> = new Map([
  ["left", "start"],
  ["center", "center"],
  ["right", "end"],
]);

/** How an element asks to be aligned. */
export function alignOf({ attributes }: Element): Align | undefined {
  return ALIGNMENTS.get((attributes.align ?? "").toLowerCase());
}

/** Images that a paragraph consists of; undefined if it says anything else. */
export function imagesInParagraph(nodes: readonly Phrasing[]): BlockOf<"images"> | undefined {
  const images: BlockOf<"image">[] = [];
  for (const node of nodes) {
    if (node.object === "text" && node.leaves.every(({ text }) => text.trim() === "" && !text.includes("\n"))) continue;
    if (node.object !== "inline" || node.type !== "inline-image" || node.data.size) return undefined;
    const { ref, refDark, alt, caption } = node.data;
    const data = { ref, ...omitUndefined({ refDark, alt }) };
    images.push(imageBlock(data, caption === undefined ? undefined : [textNode(caption)]));
  }
  return images.length > 0 ? imagesBlock(images, {}) : undefined;
}

/** Images that a block of HTML consists of. */
export function* imagesInHtml(
  reading: Reading,
  tree: readonly Phrase[],
  readPhrases: ReadPhrases,
): Steps<BlockOf<"images"> | BlockOf<"drawing"> | undefined> {
  const elements = onlyElements(tree);
  const only = elements?.length === 1 ? elements[0]! : undefined;
  const wrapper = only && (only.name === "div" || only.name === "p") ? only : undefined;
  const figures = wrapper ? onlyElements(wrapper.children) : elements;
  if (!figures || figures.length === 0 || !figures.every(isFigure)) return undefined;
  const drawing = figures.length === 1 && !wrapper ? drawingIn(reading, figures[0]!) : undefined;
  if (drawing) return drawing;
  const images: BlockOf<"image">[] = [];
  for (const figure of figures) {
    const image = yield* imageIn(reading, figure, readPhrases);
    if (!image) return undefined;
    images.push(image);
  }
  const holders = [...figures, ...(wrapper ? [wrapper] : [])];
  const align = holders.map(alignOf).find((found) => found !== undefined);
  const isWide = holders.some(({ attributes }) => attributes["data-full-width"] === "true");
  return imagesBlock(images, {
    ...omitUndefined({ align: align ? align : undefined, fullWidth: isWide ? true : undefined }),
  });
}

/** An image whose size is that of a line stands in one. */
function isFigure({ name, attributes, children }: Element): boolean {
  if (name === "figure") return true;
  if (name !== "img" && name !== "picture") return false;
  return (
    !("data-size" in attributes) &&
    children.every((child) => child.type !== "element" || isFigure(child) || child.name === "source")
  );
}

function* imageIn(reading: Reading, figure: Element, readPhrases: ReadPhrases): Steps<BlockOf<"image"> | undefined> {
  const parts = figure.name === "figure" ? onlyElements(figure.children) : [figure];
  const caption = parts?.find(({ name }) => name === "figcaption");
  const pictures = parts?.filter((part) => part !== caption) ?? [];
  if (pictures.length !== 1 || !/^(?:img|picture)$/.test(pictures[0]!.name)) return undefined;
  const picture = pictureOf(reading, pictures[0]!);
  if (!picture) return undefined;
  const { ref, refDark, alt, attributes } = picture;
  const data: BlockData["image"] = {
    ref,
    ...omitUndefined({ refDark }),
    ...sizeOf("width", attributes.width),
    ...sizeOf("height", attributes.height),
    ...omitUndefined({ alt: "alt" in attributes && alt !== "" ? alt : undefined }),
  };
  const words = caption ? yield* readPhrases(withoutParagraphs(caption.children)) : undefined;
  return imageBlock(data, words && isEmpty(words) ? undefined : words);
}

function sizeOf<Name extends "width" | "height">(name: Name, value = ""): { [Key in Name]?: number | string } {
  if (!/^[0-9]{1,5}(?:\.[0-9]{1,4})?(?:px|%)?$/.test(value)) return {};
  const size = /^[0-9.]+(?:px)?$/.test(value) ? Number.parseFloat(value) : value;
  return { [name]: size } as { [Key in Name]?: number | string };
}

function drawingIn(reading: Reading, figure: Element): BlockOf<"drawing"> | undefined {
  const parts = figure.name === "figure" ? onlyElements(figure.children) : [figure];
  const image = parts?.find(({ name }) => name === "img");
  if (image?.attributes.class !== "gitbook-drawing") return undefined;
  const { src } = image.attributes;
  const ref = src === undefined ? undefined : reading.refTo(src, "image", image.attributes.alt ?? "", image);
  return { object: "block", type: "drawing", isVoid: true, data: ref ? { ref } : {} };
}

/** Paragraphs inside a caption or a cell are lines of it. */
export function withoutParagraphs(nodes: readonly Phrase[]): Phrase[] {
  const parts: Phrase[] = [];
  let isBehindParagraph = false;
  for (const node of nodes) {
    const isParagraph = node.type === "element" && node.name === "p";
    if (!isSpace(node)) {
      if (isBehindParagraph || (isParagraph && parts.some((part) => !isSpace(part)))) parts.push(lineBreak(node));
      isBehindParagraph = isParagraph;
    }
    if (!isParagraph) parts.push(node);
    else for (const child of node.children) parts.push(child);
  }
  return parts;
}

function lineBreak({ start, end }: Span): Element {
  return { type: "element", name: "br", attributes: {}, children: [], opening: "<br>", closing: "", start, end };
}

function imagesBlock(nodes: BlockOf<"image">[], data: BlockData["images"]): BlockOf<"images"> {
  return { object: "block", type: "images", isVoid: false, data, nodes };
}

function imageBlock(data: BlockData["image"], caption: Phrasing[] | undefined): BlockOf<"image"> {
  const image: BlockOf<"image"> = { object: "block", type: "image", isVoid: true, data };
  return caption ? { ...image, fragments: [captionOf(caption)] } : image;
}

/** A caption of one paragraph. */
export function captionOf(nodes: Phrasing[]): Fragment {
  return {
    object: "fragment",
    type: "caption",
    nodes: [{ object: "block", type: "paragraph", isVoid: false, data: {}, nodes }],
  };
}
