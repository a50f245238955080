// Figures: images, code, tables and embeds with a caption.

import type { Block, BlockOf } from "../../content/document";
import { createCaption, isEmpty, readParagraphImages } from "../../content/markdown/document-parts";
import type { Steps } from "../../utils/concurrency/steps";
import {
  createParagraph,
  type ElementReader,
  enterBlock,
  type HtmlBlockContext,
  takeAnchorParagraph,
} from "./block-context";
import { findElement, findElements } from "./elements";
import type { HtmlElement } from "./parse-html";

export function* readFigureInSteps(
  reader: ElementReader,
  element: HtmlElement,
  context: HtmlBlockContext,
): Steps<Block[]> {
  for (const each of [element, ...findElements(element, ({ name }) => name === "img")]) reader.anchors.collect(each);
  const [captionElement] = findElements(element, ({ name }) => name === "figcaption");
  const pictures = findElements(element, ({ name }) => name === "img" || name === "picture");
  const other = findElement(element, ({ name }) =>
    /^(?:pre|table|iframe|video|audio|blockquote|figure|ul|ol)$/.test(name),
  );
  const hasOnlyPictures = pictures.length > 0 && !other;
  const anchors = hasOnlyPictures ? takeAnchorParagraph(reader.anchors) : [];
  const caption = captionElement ? reader.readLine(captionElement.children) : [];
  const captionBlocks = isEmpty(caption) ? [] : [createParagraph(caption)];
  if (hasOnlyPictures) {
    const images = readParagraphImages(reader.readLine(pictures));
    if (!images) return [...anchors, ...captionBlocks];
    if (isEmpty(caption)) return [...anchors, images];
    // The caption goes under the last image.
    const nodes = images.nodes as BlockOf<"image">[];
    const last = { ...nodes.at(-1)!, fragments: [createCaption(caption)] };
    return [...anchors, { ...images, nodes: [...nodes.slice(0, -1), last] }];
  }

  const content = yield* reader.read(
    element.children.filter((child) => child !== captionElement),
    enterBlock(element, context),
  );
  const hasTitle = content.length === 1 && content[0]!.type === "code" && content[0]!.data?.title !== undefined;
  return hasTitle ? content : [...content, ...captionBlocks];
}
