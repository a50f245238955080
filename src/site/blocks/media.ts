// Images, files, embeds and reference cards. Images carry their dimensions, so that the layout does not shift while they load.

import type { Block, BlockOf, InlineData } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import type { BlockRenderContext, ReferenceLink, ResolvedFile } from "../pages/block-context";
import { findEmbedUrl } from "./embed-frames";
import { findFragment, type RenderBlocks } from "./fragments";

interface ImageSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

const SIZE_UNITS = ["B", "KB", "MB", "GB", "TB"];

const NATURAL_SIZE: ImageSize = { width: undefined, height: undefined };

export function renderImages(block: BlockOf<"images">, context: BlockRenderContext, blocks: RenderBlocks): Markup {
  const { align = "center", fullWidth } = block.data ?? {};
  const figures = ((block.nodes as BlockOf<"image">[] | undefined) ?? []).map((image) => {
    const { ref, refDark, alt = "", width, height } = image.data!;
    const size = { width: parsePixels(width), height: parsePixels(height) };
    const light = context.resolveFile(ref);
    const dark = refDark && context.resolveFile(refDark);
    // The stylesheet has a class for every five percent.
    const percent = typeof width === "string" ? width.match(/^([0-9.]+)%$/)?.[1] : undefined;
    const share =
      percent !== undefined && Number.isFinite(Number(percent))
        ? Math.min(100, Math.max(5, Math.round(Number(percent) / 5) * 5))
        : undefined;
    const content = html`${renderThemedImage(light, dark, alt, size)}${renderCaption(image, blocks)}`;
    return html`<figure${share !== undefined && html` class="share-${share}"`}>${content}</figure>`;
  });
  return html`<div class="images ${align}${fullWidth && " full"}">${figures}</div>`;
}

function renderCaption(block: Pick<BlockOf<"image">, "fragments">, blocks: RenderBlocks): Markup | undefined {
  const caption = findFragment(block.fragments, "caption");
  return caption && html`<figcaption>${blocks(caption.nodes)}</figcaption>`;
}

/**
 * Renders an image, or one for each theme. The stylesheet chooses between the two, because the reader may have chosen another
 * theme than the device.
 */
function renderThemedImage(
  light: ResolvedFile | undefined,
  dark: ResolvedFile | undefined,
  alt: string,
  size: ImageSize,
): Markup {
  if (!light) return html`<span class="gone">${alt}</span>`;
  if (!dark) return renderImage(light, alt, size, "");
  return html`${renderImage(light, alt, size, "in-light")}${renderImage(dark, alt, size, "in-dark")}`;
}

/** Renders an image in the given size. A missing dimension is computed from the proportions of the file. */
function renderImage(file: ResolvedFile, alt: string, size: ImageSize, className: string): Markup {
  let { width, height } = size;
  const ratio = file.width && file.height ? file.height / file.width : undefined;
  if (width === undefined && height === undefined) ({ width, height } = file);
  else if (height === undefined) height = ratio && Math.round(width! * ratio);
  else if (width === undefined) width = ratio && Math.round(height / ratio);
  return html`<img src="${file.url}" alt="${alt}"${className !== "" && html` class="${className}"`}${
    width !== undefined && html` width="${width}"`
  }${height !== undefined && html` height="${height}"`} loading="lazy" decoding="async">`;
}

function parsePixels(size: number | string | undefined): number | undefined {
  const digits = typeof size === "number" ? String(size) : size?.match(/^([0-9.]+)(?:px)?$/)?.[1];
  const value = Number(digits);
  return digits !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : undefined;
}

/** Renders an image within a line of text. */
export function renderInlineImage(data: InlineData["inline-image"], context: BlockRenderContext): Markup {
  const { ref, refDark, alt = "", caption, size } = data;
  const image = renderThemedImage(context.resolveFile(ref), refDark && context.resolveFile(refDark), alt, NATURAL_SIZE);
  return html`<span class="inline-image${size === "line" && " as-line"}"${
    caption !== undefined && html` title="${caption}"`
  }>${image}</span>`;
}

export function renderFile(block: BlockOf<"file">, context: BlockRenderContext, blocks: RenderBlocks): Markup {
  const { ref } = block.data!;
  const file = context.resolveFile(ref);
  const caption = renderCaption(block, blocks);
  if (!file) {
    const name = ref.kind === "url" && html`<span class="gone">${ref.url}</span>`;
    return html`${(name || caption) && html`<figure class="file">${name}${caption}</figure>`}`;
  }
  let size = "";
  if (file.bytes !== undefined) {
    // Such as `1.2 MB`.
    const step = Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, file.bytes)) / 3));
    const value = file.bytes / 1000 ** step;
    size = `${value >= 10 || step === 0 ? Math.round(value) : value.toFixed(1)} ${SIZE_UNITS[step]}`;
  }
  const link = html`<span class="name">${file.name}</span><span class="size">${size}</span>`;
  return html`<figure class="file"><a href="${file.url}" download="${file.name}">${link}</a>${caption}</figure>`;
}

/**
 * Renders content of another host as a link, which the script of the page replaces with a frame when the reader opens it. The
 * host learns nothing of the reader before that.
 */
export function renderEmbed(block: BlockOf<"embed">, context: BlockRenderContext, blocks: RenderBlocks): Markup {
  const { url, fullWidth } = block.data!;
  const host = tryParseUrl(url)?.host ?? url;
  const embedUrl = findEmbedUrl(url);
  const data = embedUrl !== undefined && html` data-embed="${embedUrl}"`;
  const content = html`<span class="host">${host}</span><span class="url">${url}</span>`;
  const link = html`<a ${context.renderLinkAttributes(url)}>${content}</a>`;
  return html`<figure class="embed${fullWidth && " full"}"${data}>${link}${renderCaption(block, blocks)}</figure>`;
}

/** Renders a reference to a page or to other content as a card. */
export function renderReferenceCard(link: ReferenceLink | undefined, context: BlockRenderContext): Markup {
  if (!link) return html``;
  const { description = "" } = link;
  const hasDescription = description !== "" && context.budget.take(description.length);
  const icon = link.emoji ?? (link.icon === undefined ? undefined : context.renderIcon(link.icon));
  return html`<a class="reference" ${context.renderLinkAttributes(link.href)}>${
    icon && html`<span class="sign" aria-hidden="true">${icon}</span>`
  }<span class="title">${link.title}</span>${
    hasDescription && html`<span class="description">${description}</span>`
  }</a>`;
}

/** Renders a drawing, which is an image without dimensions of its own. */
export function renderDrawing(block: Extract<Block, { type: "drawing" }>, context: BlockRenderContext): Markup {
  const file = block.data?.ref && context.resolveFile(block.data.ref);
  return file ? html`<figure>${renderImage(file, "", NATURAL_SIZE, "")}</figure>` : html``;
}
