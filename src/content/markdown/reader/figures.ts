// Reads images that are blocks: `![]()` alone in a paragraph, and `<figure>`, `<picture>` and `<img>`.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Align, BlockData, BlockOf, Fragment, Phrasing } from "../../document";
import type { Element, Phrase } from "./elements";
import { getOnlyElements, isSpace } from "./html-tree";
import { createTextNode, isEmpty } from "./leaves";
import { readImageVariants } from "./phrasing";
import type { Reading } from "./reading";

const ALIGNMENTS: ReadonlyMap<string, Align> = new Map([
  ["left", "start"],
  ["center", "center"],
  ["right", "end"],
]);

export function getAlignment({ attributes }: Element): Align | undefined {
  return ALIGNMENTS.get((attributes.align ?? "").toLowerCase());
}

/** Reads a paragraph that consists of images; undefined for any other. */
export function readParagraphImages(nodes: readonly Phrasing[]): BlockOf<"images"> | undefined {
  const images: BlockOf<"image">[] = [];
  for (const node of nodes) {
    if (node.object === "text" && node.leaves.every(({ text }) => text.trim() === "" && !text.includes("\n"))) continue;
    if (node.object !== "inline" || node.type !== "inline-image" || node.data.size) return undefined;
    const { ref, refDark, alt, caption } = node.data;
    const data = { ref, ...omitUndefined({ refDark, alt }) };
    const fragments = caption === undefined ? undefined : [createCaption([createTextNode(caption)])];
    images.push({ object: "block", type: "image", isVoid: true, data, ...omitUndefined({ fragments }) });
  }
  return images.length > 0 ? { object: "block", type: "images", isVoid: false, data: {}, nodes: images } : undefined;
}

/** Reads an HTML block that consists of images or of a drawing; undefined for any other. */
export function* readHtmlImages(
  reading: Reading,
  tree: readonly Phrase[],
  readPhrases: (nodes: readonly Phrase[]) => Steps<Phrasing[]>,
): Steps<BlockOf<"images"> | BlockOf<"drawing"> | undefined> {
  const elements = getOnlyElements(tree);
  const only = elements?.length === 1 ? elements[0]! : undefined;
  const wrapper = only && (only.name === "div" || only.name === "p") ? only : undefined;
  const figures = wrapper ? getOnlyElements(wrapper.children) : elements;
  if (!figures || figures.length === 0 || !figures.every(isFigure)) return undefined;
  if (figures.length === 1 && !wrapper) {
    const [figure] = figures as [Element];
    const parts = figure.name === "figure" ? getOnlyElements(figure.children) : [figure];
    const image = parts?.find(({ name }) => name === "img");
    if (image?.attributes.class === "gitbook-drawing") {
      const { src, alt = "" } = image.attributes;
      const ref = src === undefined ? undefined : reading.addLink(src, "image", alt, image);
      return { object: "block", type: "drawing", isVoid: true, data: ref ? { ref } : {} };
    }
  }
  const images: BlockOf<"image">[] = [];
  for (const figure of figures) {
    const parts = figure.name === "figure" ? getOnlyElements(figure.children) : [figure];
    const caption = parts?.find(({ name }) => name === "figcaption");
    const pictures = parts?.filter((part) => part !== caption) ?? [];
    if (pictures.length !== 1 || !/^(?:img|picture)$/.test(pictures[0]!.name)) return undefined;
    const picture = readImageVariants(reading, pictures[0]!);
    if (!picture) return undefined;
    const { ref, refDark, alt, attributes } = picture;
    const [width, height] = [attributes.width, attributes.height].map((size = "") => {
      if (!/^[0-9]{1,5}(?:\.[0-9]{1,4})?(?:px|%)?$/.test(size)) return undefined;
      return size.endsWith("%") ? size : Number.parseFloat(size);
    });
    const data: BlockData["image"] = {
      ref,
      ...omitUndefined({ refDark, width, height, alt: "alt" in attributes && alt !== "" ? alt : undefined }),
    };
    const nodes = caption ? yield* readPhrases(unwrapParagraphs(caption.children)) : undefined;
    const fragments = nodes && !isEmpty(nodes) ? [createCaption(nodes)] : undefined;
    images.push({ object: "block", type: "image", isVoid: true, data, ...omitUndefined({ fragments }) });
  }
  const wrappers = [...figures, ...(wrapper ? [wrapper] : [])];
  const align = wrappers.map(getAlignment).find((alignment) => alignment !== undefined);
  const isWide = wrappers.some(({ attributes }) => attributes["data-full-width"] === "true");
  return {
    object: "block",
    type: "images",
    isVoid: false,
    data: {
      ...omitUndefined({ align: align ? align : undefined, fullWidth: isWide ? true : undefined }),
    },
    nodes: images,
  };
}

/** Returns true for an element that is an image of its own. An image with `data-size` belongs to a line. */
function isFigure({ name, attributes, children }: Element): boolean {
  if (name === "figure") return true;
  if (name !== "img" && name !== "picture") return false;
  return (
    !("data-size" in attributes) &&
    children.every((child) => child.type !== "element" || isFigure(child) || child.name === "source")
  );
}

/** Replaces the paragraphs in a caption or a cell by lines. */
export function unwrapParagraphs(nodes: readonly Phrase[]): Phrase[] {
  const parts: Phrase[] = [];
  let isAfterParagraph = false;
  for (const node of nodes) {
    const isParagraph = node.type === "element" && node.name === "p";
    if (!isSpace(node)) {
      if (isAfterParagraph || (isParagraph && parts.some((part) => !isSpace(part)))) {
        const { start, end } = node;
        const lineBreak = { name: "br", attributes: {}, children: [], opening: "<br>", closing: "" };
        parts.push({ type: "element", ...lineBreak, start, end });
      }
      isAfterParagraph = isParagraph;
    }
    if (!isParagraph) parts.push(node);
    else for (const child of node.children) parts.push(child);
  }
  return parts;
}

export function createCaption(nodes: Phrasing[]): Fragment {
  return {
    object: "fragment",
    type: "caption",
    nodes: [{ object: "block", type: "paragraph", isVoid: false, data: {}, nodes }],
  };
}
