// Writes blocks of images: as `![]()` where that is sufficient, otherwise as `<figure>`.

import { omitUndefined } from "../../../utils/objects";
import type { BlockOf, Phrasing } from "../../document";
import { formatHtmlAttributes } from "../escape";
import { buildHref } from "../hrefs";
import { isEmpty } from "../reader/leaves";
import { isPlainPhrasing } from "../reader/tables";
import { getPhrasingText } from "../reader/words";
import { HTML_ALIGNMENTS, writeInlineHtml, writePictureTag } from "./html";
import { writeMarkdownImage } from "./phrasing";

/** Writes images, or a drawing. With `asHtml` they are always written as HTML. */
export function writeFigures(block: BlockOf<"images"> | BlockOf<"drawing">, asHtml: boolean): string {
  if (block.type === "drawing") {
    const src = block.data?.ref ? { src: buildHref(block.data.ref) } : {};
    return `<figure><img ${formatHtmlAttributes({ ...src, alt: "", class: "gitbook-drawing" })}></figure>`;
  }
  const images = ((block.nodes ?? []) as BlockOf<"image">[]).map(({ data, fragments = [] }) => {
    return { ...data!, caption: (fragments[0]?.nodes[0]?.nodes ?? []) as Phrasing[] };
  });
  const { align, fullWidth } = block.data ?? {};
  const isSimple = images.every(
    ({ refDark, width, height, caption }) =>
      !refDark && width === undefined && height === undefined && isPlainPhrasing(caption),
  );
  if (!asHtml && !align && !fullWidth && isSimple) {
    const written = images.map(({ ref, alt, caption }) =>
      writeMarkdownImage(buildHref(ref), alt, isEmpty(caption) ? undefined : getPhrasingText(caption)),
    );
    return written.join(" ");
  }
  const figures = images
    .map(({ ref, refDark, width, height, alt, caption }) => {
      const size = omitUndefined({ width, height });
      const tag = `<img ${formatHtmlAttributes({ src: buildHref(ref), alt: alt ?? "", ...size })}>`;
      const figcaption = isEmpty(caption) ? "" : `<figcaption><p>${writeInlineHtml(caption)}</p></figcaption>`;
      return `<figure>${refDark ? writePictureTag(buildHref(refDark), tag) : tag}${figcaption}</figure>`;
    })
    .join("");
  if (!align && !fullWidth) return figures;
  const attributes = {
    ...omitUndefined({
      align: align ? HTML_ALIGNMENTS[align] : undefined,
      "data-full-width": fullWidth ? "true" : undefined,
    }),
  };
  return `<div ${formatHtmlAttributes(attributes)}>${figures}</div>`;
}
