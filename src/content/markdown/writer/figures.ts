// Images that stand by themselves, as `![]()` where that says everything, else as `<figure>`.

import { omitUndefined } from "../../../utils/objects";
import type { BlockOf, Phrasing } from "../../document";
import { isEmpty } from "../reader/leaves";
import { saidBy } from "../reader/words";
import { attributesOf, htmlOf, pictureTag } from "./html";
import { imageMarkdown } from "./phrasing";
import { urlOf } from "./urls";

const ALIGNMENTS = { start: "left", center: "center", end: "right" } as const;

/** Images, or a drawing; `asHtml` says that they are written as HTML in any case. */
export function writeFigures(block: BlockOf<"images"> | BlockOf<"drawing">, asHtml: boolean): string {
  if (block.type === "drawing") {
    const src = block.data?.ref ? { src: urlOf(block.data.ref) } : {};
    return `<figure><img ${attributesOf({ ...src, alt: "", class: "gitbook-drawing" })}></figure>`;
  }
  const images = (block.nodes ?? []) as BlockOf<"image">[];
  const { align, fullWidth } = block.data ?? {};
  if (!asHtml && !align && !fullWidth && images.every(isSimple)) return images.map(writeSimple).join(" ");
  const figures = images.map(writeFigure).join("");
  if (!align && !fullWidth) return figures;
  const attributes = {
    ...omitUndefined({
      align: align ? ALIGNMENTS[align] : undefined,
      "data-full-width": fullWidth ? "true" : undefined,
    }),
  };
  return `<div ${attributesOf(attributes)}>${figures}</div>`;
}

function captionIn({ fragments = [] }: BlockOf<"image">): Phrasing[] {
  return (fragments[0]?.nodes[0]?.nodes ?? []) as Phrasing[];
}

function isSimple(image: BlockOf<"image">): boolean {
  const { refDark, width, height } = image.data!;
  const isPlain = captionIn(image).every(
    (node) =>
      node.object === "text" && node.leaves.every(({ text, marks }) => marks.length === 0 && !text.includes("\n")),
  );
  return !refDark && width === undefined && height === undefined && isPlain;
}

function writeSimple(image: BlockOf<"image">): string {
  const caption = captionIn(image);
  return imageMarkdown(urlOf(image.data!.ref), image.data!.alt, isEmpty(caption) ? undefined : saidBy(caption));
}

function writeFigure(image: BlockOf<"image">): string {
  const { ref, refDark, width, height, alt } = image.data!;
  const size = { ...omitUndefined({ width, height }) };
  const tag = `<img ${attributesOf({ src: urlOf(ref), alt: alt ?? "", ...size })}>`;
  const caption = captionIn(image);
  const words = isEmpty(caption) ? "" : `<figcaption><p>${htmlOf(caption)}</p></figcaption>`;
  return `<figure>${refDark ? pictureTag(urlOf(refDark), tag) : tag}${words}</figure>`;
}
