// PNG pictures. Most are embedded with their compressed pixels, because a PDF supports the same compression. An alpha channel is
// split from the colors without undoing the filters, because a filter relates a sample only to the same sample of other
// pixels. Every picture is inflated once, a few rows at a time, to check that it is complete. The cost of this is known from the
// header, and is taken from a budget before.

import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { createDeflater } from "../file/deflate";
import { MAX_IMAGE_RASTER, MAX_INTERLACED_RASTER } from "../limits";
import { type PdfPicture, type Raster, UPRIGHT } from "./picture";
import { type PngChunks, type PngHeader, readPngChunks } from "./png-chunks";
import {
  countBytesPerRow,
  countRasterBytes,
  countSamplesPerPixel,
  createOpaqueCheck,
  Unfilter,
  unpackRows,
} from "./png-raster";
import { createChannelSplitter } from "./split-channels";

/** Takes the number of bytes to process from a budget. Returns false if not enough are left. */
export type SpendImageWork = (bytes: number) => boolean;

/** Reads a PNG. Returns undefined if the bytes are not a PNG, or if it is too large. */
export async function readPng(bytes: Uint8Array, takeWork: SpendImageWork): Promise<PdfPicture | undefined> {
  const chunks = readPngChunks(bytes);
  if (!chunks) return undefined;
  const { header: head, palette } = chunks;
  if (head.colorType === 3 && (palette.length === 0 || palette.length % 3 !== 0)) return undefined;
  const size = countRasterBytes(head);
  const opacityBytes = hasLookedUpOpacity(chunks) ? head.width * head.height : 0;
  if (size > (head.isInterlaced ? MAX_INTERLACED_RASTER : MAX_IMAGE_RASTER) || opacityBytes > MAX_IMAGE_RASTER)
    return undefined;
  if (!takeWork(countPngWork(chunks, size, opacityBytes))) return undefined;
  const rasters =
    (head.colorType & 4) !== 0 ? await createTransparentRasters(chunks) : await createOpaqueRasters(chunks);
  return { width: head.width, height: head.height, orientation: UPRIGHT, ...rasters };
}

/** The cost of undoing the filter of a byte, compared with inflating it. */
const FILTER_WORK = 4;

/** Returns the number of bytes to process: inflated, unfiltered, merged from passes, and deflated again. */
function countPngWork({ header: head }: PngChunks, size: number, opacityBytes: number): number {
  const passes = head.isInterlaced ? (FILTER_WORK + 2) * size : 0;
  const lookedUp = opacityBytes > 0 ? FILTER_WORK * size + opacityBytes : 0;
  const parted = (head.colorType & 4) !== 0 ? size : 0;
  return size + passes + lookedUp + parted;
}

/** Checks for a palette with transparent colors, for which the opacity of each pixel is looked up. */
function hasLookedUpOpacity({ header: head, transparency }: PngChunks): boolean {
  return head.colorType === 3 && transparency.some((value) => value < 255);
}

/** Creates the rasters of a picture without an alpha channel. */
async function createOpaqueRasters(chunks: PngChunks) {
  const { header: head, palette, transparency, compressedPixels: packed } = chunks;
  const space = formatColorSpace(head, palette);
  const entries = {
    ...createFilteredEntries(head, space, countSamplesPerPixel(head)),
    Mask: formatColorKey(head, transparency),
  };
  const colors = head.isInterlaced ? createDeflater() : undefined;
  const opacities = hasLookedUpOpacity(chunks) ? createDeflater() : undefined;
  const unfilter = new Unfilter(countBytesPerRow(head), 1);
  const lookUp = createOpacityLookup(head, transparency);
  for await (const rows of unpackRows(head, packed)) {
    await colors?.write(rows);
    await opacities?.write(lookUp(unfilter.next(rows)));
    await yieldToEventLoop();
  }
  return {
    color: { bytes: (await colors?.finish()) ?? packed, entries },
    opacity: opacities && { bytes: await opacities.finish(), entries: createOpacityEntries(head) },
  };
}

function formatColorSpace({ colorType, depth }: PngHeader, palette: Uint8Array): string {
  if (colorType !== 3) return colorType & 2 ? "/DeviceRGB" : "/DeviceGray";
  const last = Math.min(palette.length / 3, 2 ** depth) - 1;
  const digits = Array.from(palette.subarray(0, 3 * (last + 1)), (byte) => byte.toString(16).padStart(2, "0"));
  return `[/Indexed /DeviceRGB ${last} <${digits.join("")}>]`;
}

/** Creates the dictionary entries for rows with PNG filters. */
function createFilteredEntries({ width, height, depth }: PngHeader, space: string, samples: number): Raster["entries"] {
  return {
    Width: width,
    Height: height,
    ColorSpace: space,
    BitsPerComponent: depth,
    Filter: "/FlateDecode",
    DecodeParms: `<</Predictor 15 /Colors ${samples} /BitsPerComponent ${depth} /Columns ${width}>>`,
  };
}

/** Formats the one color that is transparent, if there is one. */
function formatColorKey(head: PngHeader, transparency: Uint8Array): string | undefined {
  if (head.colorType === 3 || transparency.length !== 2 * countSamplesPerPixel(head)) return undefined;
  const samples = Array.from({ length: countSamplesPerPixel(head) }, (_, at) => {
    const sample = (transparency[2 * at]! << 8) | transparency[2 * at + 1]!;
    return `${sample} ${sample}`;
  });
  return `[${samples.join(" ")}]`;
}

function createOpacityEntries({ width, height }: PngHeader): Raster["entries"] {
  const entries = { Width: width, Height: height, ColorSpace: "/DeviceGray", BitsPerComponent: 8 };
  return { ...entries, Filter: "/FlateDecode" };
}

/** Creates a lookup of the opacity of palette pixels. Its table covers the up to eight pixels of a byte at once. */
function createOpacityLookup(head: PngHeader, transparency: Uint8Array): (pixels: Uint8Array) => Uint8Array {
  const { width, depth } = head;
  const perByte = 8 / depth;
  const rowBytes = countBytesPerRow(head);
  const table = new Uint8Array(256 * perByte);
  for (let entry = 0; entry < table.length; entry++) {
    const byte = Math.floor(entry / perByte);
    const index = (byte >> (8 - depth * ((entry % perByte) + 1))) & (2 ** depth - 1);
    table[entry] = transparency[index] ?? 255;
  }
  return (pixels) => {
    const height = pixels.length / rowBytes;
    const opacity = new Uint8Array(width * height);
    for (let y = 0, to = 0; y < height; y++) {
      const end = to + width;
      for (let from = y * rowBytes; to < end; from++) {
        const entry = pixels[from]! * perByte;
        for (let at = 0; at < perByte && to < end; at++) opacity[to++] = table[entry + at]!;
      }
    }
    return opacity;
  };
}

/** Creates the rasters of a picture with an alpha channel. */
async function createTransparentRasters({ header: head, palette, compressedPixels: packed }: PngChunks) {
  const part = createChannelSplitter(head);
  const [colors, opacities] = [createDeflater(), createDeflater()];
  const isOpaqueSoFar = createOpaqueCheck((head.width * head.depth) / 8, head.depth / 8);
  let isOpaque = true;
  for await (const rows of unpackRows(head, packed)) {
    const parts = part(rows);
    // Most pictures with transparency have a transparent corner, which is found at once.
    isOpaque &&= isOpaqueSoFar(parts.opacities);
    await Promise.all([colors.write(parts.colors), opacities.write(parts.opacities)]);
    await yieldToEventLoop();
  }
  const [colorBytes, opacityBytes] = await Promise.all([colors.finish(), opacities.finish()]);
  const entries = createFilteredEntries(head, formatColorSpace(head, palette), countSamplesPerPixel(head) - 1);
  const color: Raster = { bytes: colorBytes, entries };
  if (isOpaque) return { color };
  return { color, opacity: { bytes: opacityBytes, entries: createFilteredEntries(head, "/DeviceGray", 1) } };
}
