// Images, files and embeds. An image has its measures, so that nothing jumps when it arrives.

import type { Block, BlockOf, InlineData } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import type { Place, RenderContext, ShownFile } from "../scene";
import { type DrawBlocks, fragmentOf } from "./fragments";
import { frameOfEmbed } from "./frames";

/** A row of images, or one. */
export function images(block: BlockOf<"images">, scene: RenderContext, blocks: DrawBlocks): Markup {
  const shown = (block.nodes as BlockOf<"image">[] | undefined) ?? [];
  const { align = "center", fullWidth } = block.data ?? {};
  return html`<div class="images ${align}${fullWidth && " full"}">${shown.map((it) => figure(it, scene, blocks))}</div>`;
}

function figure(block: BlockOf<"image">, scene: RenderContext, blocks: DrawBlocks): Markup {
  const { ref, refDark, alt = "", width, height } = block.data!;
  const caption = fragmentOf(block.fragments, "caption");
  const light = scene.file(ref);
  const dark = refDark && scene.file(refDark);
  const wanted = { width: pixels(width), height: pixels(height), share: percent(width) };
  return html`<figure${wanted.share !== undefined && html` class="share-${wanted.share}"`}>${picture(light, dark, alt, wanted)}${caption && html`<figcaption>${blocks(caption.nodes)}</figcaption>`}</figure>`;
}

interface Wanted {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** One image, or two of which the reader's theme chooses. The choice is made by the style sheet, because the reader may have
 * another theme than the device. */
function picture(light: ShownFile | undefined, dark: ShownFile | undefined, alt: string, wanted: Wanted): Markup {
  if (!light) return html`<span class="gone">${alt}</span>`;
  if (!dark) return image(light, alt, wanted, "");
  return html`${image(light, alt, wanted, "in-light")}${image(dark, alt, wanted, "in-dark")}`;
}

function image(file: ShownFile, alt: string, wanted: Wanted, name: string): Markup {
  const { width, height } = measures(file, wanted);
  return html`<img src="${file.url}" alt="${alt}"${name !== "" && html` class="${name}"`}${width !== undefined && html` width="${width}"`}${height !== undefined && html` height="${height}"`} loading="lazy" decoding="async">`;
}

/** The measures that an image is shown in: those that were asked for, in the proportions of the file. */
function measures(file: ShownFile, { width, height }: Wanted): Wanted {
  const ratio = file.width && file.height ? file.height / file.width : undefined;
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined) return { width, height: ratio && Math.round(width * ratio) };
  if (height !== undefined) return { width: ratio && Math.round(height / ratio), height };
  return { width: file.width, height: file.height };
}

function pixels(size: number | string | undefined): number | undefined {
  const match = typeof size === "number" ? String(size) : size?.match(/^([0-9.]+)(?:px)?$/)?.[1];
  const value = Number(match);
  return match !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : undefined;
}

/** A width in percent, in steps of five that the style sheet knows. */
function percent(size: number | string | undefined): number | undefined {
  const match = typeof size === "string" ? size.match(/^([0-9.]+)%$/)?.[1] : undefined;
  const value = Number(match);
  if (match === undefined || !Number.isFinite(value)) return undefined;
  return Math.min(100, Math.max(5, Math.round(value / 5) * 5));
}

/** An image within a line. */
export function inlineImage(data: InlineData["inline-image"], scene: RenderContext): Markup {
  const { ref, refDark, alt = "", caption, size } = data;
  const drawn = picture(scene.file(ref), refDark && scene.file(refDark), alt, { width: undefined, height: undefined });
  return html`<span class="inline-image${size === "line" && " as-line"}"${caption !== undefined && html` title="${caption}"`}>${drawn}</span>`;
}

/** A file to download. */
export function file(block: BlockOf<"file">, scene: RenderContext, blocks: DrawBlocks): Markup {
  const found = scene.file(block.data!.ref);
  const caption = fragmentOf(block.fragments, "caption");
  if (!found) {
    const name = block.data!.ref.kind === "url" && html`<span class="gone">${block.data!.ref.url}</span>`;
    return html`${(name || caption) && html`<figure class="file">${name}${caption && html`<figcaption>${blocks(caption.nodes)}</figcaption>`}</figure>`}`;
  }
  const size = found.bytes === undefined ? "" : bytesText(found.bytes);
  return html`<figure class="file"><a href="${found.url}" download="${found.name}"><span class="name">${found.name}</span><span class="size">${size}</span></a>${caption && html`<figcaption>${blocks(caption.nodes)}</figcaption>`}</figure>`;
}

/** A number of bytes as a person says it. */
export function bytesText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** step;
  return `${value >= 10 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/** Something of another host. It is loaded when the reader asks for it, and not before: until then that host learns nothing. */
export function embed(block: BlockOf<"embed">, scene: RenderContext, blocks: DrawBlocks): Markup {
  const { url, fullWidth } = block.data!;
  const host = hostOf(url);
  const frame = frameOfEmbed(url);
  const caption = fragmentOf(block.fragments, "caption");
  return html`<figure class="embed${fullWidth && " full"}"${frame !== undefined && html` data-embed="${frame}"`}><a ${scene.link(url)}><span class="host">${host}</span><span class="url">${url}</span></a>${caption && html`<figcaption>${blocks(caption.nodes)}</figcaption>`}</figure>`;
}

function hostOf(url: string): string {
  return tryParseUrl(url)?.host ?? url;
}

/** A reference to a page or to anything else, as a card of its own. */
export function reference(place: Place | undefined, scene: RenderContext): Markup {
  if (!place) return html``;
  const { description = "" } = place;
  const isDescribed = description !== "" && scene.budget.take(description.length);
  const sign = place.emoji ?? (place.icon === undefined ? undefined : scene.icon(place.icon));
  return html`<a class="reference" ${scene.link(place.href)}>${sign && html`<span class="sign" aria-hidden="true">${sign}</span>`}<span class="title">${place.title}</span>${isDescribed && html`<span class="description">${description}</span>`}</a>`;
}

/** A drawing is an image without measures of its own. */
export function drawing(block: Extract<Block, { type: "drawing" }>, scene: RenderContext): Markup {
  const found = block.data?.ref && scene.file(block.data.ref);
  if (!found) return html``;
  return html`<figure>${image(found, "", { width: undefined, height: undefined }, "")}</figure>`;
}
