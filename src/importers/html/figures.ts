// Figures: images, code, tables and embeds with a caption.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import { captionOf, imagesInParagraph } from "../../content/markdown/reader/figures";
import { isEmpty } from "../../content/markdown/reader/leaves";
import type { Steps } from "../../content/markdown/steps";
import { find, findAll } from "./looking";
import { anchorLine, type BlockPlace, inner, paragraph, type ReadsBlocks } from "./reading-blocks";
import type { Element } from "./tree";

/** What a figure shows. */
export function* figureBlocks(reader: ReadsBlocks, element: Element, place: BlockPlace): Steps<Block[]> {
  for (const each of [element, ...findAll(element, ({ name }) => name === "img")]) reader.anchors.meet(each);
  const captions = findAll(element, ({ name }) => name === "figcaption");
  const pictures = findAll(element, ({ name }) => name === "img" || name === "picture");
  const isOther = find(element, ({ name }) => /^(?:pre|table|iframe|video|audio|blockquote|figure|ul|ol)$/.test(name));
  const isPictures = pictures.length > 0 && !isOther;
  const above = isPictures ? anchorLine(reader.anchors) : [];
  const caption = captions[0] ? reader.line(captions[0].children) : [];
  if (isPictures) {
    const images = imagesInParagraph(reader.line(pictures));
    return [...above, ...(images ? [withCaption(images, caption)] : captionBlock(caption))];
  }
  const shown = yield* reader.read(
    element.children.filter((child) => child !== captions[0]),
    inner(element, place),
  );
  const hasTitle = shown.length === 1 && shown[0]!.type === "code" && shown[0]!.data?.title !== undefined;
  return hasTitle ? shown : [...shown, ...captionBlock(caption)];
}

function captionBlock(caption: Phrasing[]): Block[] {
  return isEmpty(caption) ? [] : [paragraph(caption)];
}

/** Images with a caption under the last of them. */
function withCaption(images: BlockOf<"images">, caption: Phrasing[]): Block {
  if (isEmpty(caption)) return images;
  const nodes = images.nodes as BlockOf<"image">[];
  const last = { ...nodes.at(-1)!, fragments: [captionOf(caption)] };
  return { ...images, nodes: [...nodes.slice(0, -1), last] };
}
