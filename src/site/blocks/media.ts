// Images, files and embeds. An image has its measures, so that nothing jumps when it arrives.

import type { Block, BlockOf, InlineData } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import type { BlockContext, ResolvedFile, ResolvedLink } from "../pages/block-context";
import { findEmbedFrame } from "./embed-frames";
import { findFragment, type RenderBlocks } from "./fragments";

/** A row of images, or one. */
export function renderImages(block: BlockOf<"images">, context: BlockContext, blocks: RenderBlocks): Markup {
  const shown = (block.nodes as BlockOf<"image">[] | undefined) ?? [];
  const { align = "center", fullWidth } = block.data ?? {};
  return html`<div class="images ${align}${fullWidth && " full"}">${shown.map((it) => renderFigure(it, context, blocks))}</div>`;
}

function renderFigure(block: BlockOf<"image">, context: BlockContext, blocks: RenderBlocks): Markup {
  const { ref, refDark, alt = "", width, height } = block.data!;
  const caption = findFragment(block.fragments, "caption");
  const light = context.resolveFile(ref);
  const dark = refDark && context.resolveFile(refDark);
  const wanted = { width: parsePixels(width), height: parsePixels(height), share: parsePercent(width) };
  return html`<figure${wanted.share !== undefined && html` class="share-${wanted.share}"`}>${renderThemedImage(light, dark, alt, wanted)}${caption && html`<figcaption>${blocks(caption.nodes)}</figcaption>`}</figure>`;
}

interface ImageSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** One image, or two of which the reader's theme chooses. The choice is made by the style sheet, because the reader may have
 * another theme than the device. */
function renderThemedImage(
  light: ResolvedFile | undefined,
  dark: ResolvedFile | undefined,
  alt: string,
  wanted: ImageSize,
): Markup {
  if (!light) return html`<span class="gone">${alt}</span>`;
  if (!dark) return renderImage(light, alt, wanted, "");
  return html`${renderImage(light, alt, wanted, "in-light")}${renderImage(dark, alt, wanted, "in-dark")}`;
}

function renderImage(file: ResolvedFile, alt: string, wanted: ImageSize, name: string): Markup {
  const { width, height } = computeImageSize(file, wanted);
  return html`<img src="${file.url}" alt="${alt}"${name !== "" && html` class="${name}"`}${width !== undefined && html` width="${width}"`}${height !== undefined && html` height="${height}"`} loading="lazy" decoding="async">`;
}

/** The measures that an image is shown in: those that were asked for, in the proportions of the file. */
function computeImageSize(file: ResolvedFile, { width, height }: ImageSize): ImageSize {
  const ratio = file.width && file.height ? file.height / file.width : undefined;
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined) return { width, height: ratio && Math.round(width * ratio) };
  if (height !== undefined) return { width: ratio && Math.round(height / ratio), height };
  return { width: file.width, height: file.height };
}

function parsePixels(size: number | string | undefined): number | undefined {
  const match = typeof size === "number" ? String(size) : size?.match(/^([0-9.]+)(?:px)?$/)?.[1];
  const value = Number(match);
  return match !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : undefined;
}

/** A width in percent, in steps of five that the style sheet knows. */
function parsePercent(size: number | string | undefined): number | undefined {
  const match = typeof size === "string" ? size.match(/^([0-9.]+)%$/)?.[1] : undefined;
  const value = Number(match);
  if (match === undefined || !Number.isFinite(value)) return undefined;
  return Math.min(100, Math.max(5, Math.round(value / 5) * 5));
}

/** An image within a line. */
export function renderInlineImage(data: InlineData["inline-image"], context: BlockContext): Markup {
  const { ref, refDark, alt = "", caption, size } = data;
  const drawn = renderThemedImage(context.resolveFile(ref), refDark && context.resolveFile(refDark), alt, {
    width: undefined,
    height: undefined,
  });
  return html`<span class="inline-image${size === "line" && " as-line"}"${caption !== undefined && html` title="${caption}"`}>${drawn}</span>`;
}

/** A file to download. */
export function renderFile(block: BlockOf<"file">, context: BlockContext, blocks: RenderBlocks): Markup {
  const found = context.resolveFile(block.data!.ref);
  const caption = findFragment(block.fragments, "caption");
  if (!found) {
    const name = block.data!.ref.kind === "url" && html`<span class="gone">${block.data!.ref.url}</span>`;
    return html`${(name || caption) && html`<figure class="file">${name}${caption && html`<figcaption>${blocks(caption.nodes)}</figcaption>`}</figure>`}`;
  }
  const size = found.bytes === undefined ? "" : formatBytes(found.bytes);
  return html`<figure class="file"><a href="${found.url}" download="${found.name}"><span class="name">${found.name}</span><span class="size">${size}</span></a>${caption && html`<figcaption>${blocks(caption.nodes)}</figcaption>`}</figure>`;
}

/** A number of bytes as a person says it. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** step;
  return `${value >= 10 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/** Something of another host. It is loaded when the reader asks for it, and not before: until then that host learns nothing. */
export function renderEmbed(block: BlockOf<"embed">, context: BlockContext, blocks: RenderBlocks): Markup {
  const { url, fullWidth } = block.data!;
  const host = getHost(url);
  const frame = findEmbedFrame(url);
  const caption = findFragment(block.fragments, "caption");
  return html`<figure class="embed${fullWidth && " full"}"${frame !== undefined && html` data-embed="${frame}"`}><a ${context.renderLinkAttributes(url)}><span class="host">${host}</span><span class="url">${url}</span></a>${caption && html`<figcaption>${blocks(caption.nodes)}</figcaption>`}</figure>`;
}

function getHost(url: string): string {
  return tryParseUrl(url)?.host ?? url;
}

/** A reference to a page or to anything else, as a card of its own. */
export function renderReferenceCard(place: ResolvedLink | undefined, context: BlockContext): Markup {
  if (!place) return html``;
  const { description = "" } = place;
  const isDescribed = description !== "" && context.budget.take(description.length);
  const sign = place.emoji ?? (place.icon === undefined ? undefined : context.renderIcon(place.icon));
  return html`<a class="reference" ${context.renderLinkAttributes(place.href)}>${sign && html`<span class="sign" aria-hidden="true">${sign}</span>`}<span class="title">${place.title}</span>${isDescribed && html`<span class="description">${description}</span>`}</a>`;
}

/** A drawing is an image without measures of its own. */
export function renderDrawing(block: Extract<Block, { type: "drawing" }>, context: BlockContext): Markup {
  const found = block.data?.ref && context.resolveFile(block.data.ref);
  if (!found) return html``;
  return html`<figure>${renderImage(found, "", { width: undefined, height: undefined }, "")}</figure>`;
}
