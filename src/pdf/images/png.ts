// PNG pictures. Most are embedded with their compressed pixels, because a PDF supports the same compression. An alpha channel is
// split from the colors without undoing the filters, because a filter relates a sample only to the same sample of other
// pixels. Every picture is inflated once, a few rows at a time, to check that it is complete. The cost of this is known from the
// header, and is taken from a budget before.

import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { createDeflater } from "../file/deflate";
import { MAX_IMAGE_RASTER, MAX_INTERLACED_RASTER } from "../limits";
import { type PdfPicture, type Raster, UPRIGHT } from "./picture";
import { type PngChunks, type PngHeader, readPngChunks } from "./png-chunks";
import { countBytesPerRow, countRasterBytes, createOpaqueCheck, Unfilter, unpackRows } from "./png-raster";
import { createChannelSplitter } from "./split-channels";

/** Takes the number of bytes to process from a budget. Returns false if not enough are left. */
export type SpendImageWork = (bytes: number) => boolean;

/** The cost of undoing the filter of a byte, compared with inflating it. */
const FILTER_WORK = 4;

/** Reads a PNG. Returns undefined if the bytes are not a PNG, or if it is too large. */
export async function readPng(bytes: Uint8Array, spendWork: SpendImageWork): Promise<PdfPicture | undefined> {
  const chunks = readPngChunks(bytes);
  if (!chunks) return undefined;
  const { header, palette, transparency } = chunks;
  if (header.colorType === 3 && (palette.length === 0 || palette.length % 3 !== 0)) return undefined;
  const size = countRasterBytes(header);
  // With a palette of transparent colors, the opacity of each pixel is looked up.
  const hasLookup = header.colorType === 3 && transparency.some((value) => value < 255);
  const opacityBytes = hasLookup ? header.width * header.height : 0;
  if (size > (header.isInterlaced ? MAX_INTERLACED_RASTER : MAX_IMAGE_RASTER) || opacityBytes > MAX_IMAGE_RASTER)
    return undefined;
  const hasAlpha = (header.colorType & 4) !== 0;
  // The work is the number of bytes that are inflated, unfiltered, merged from passes, and deflated again.
  const mergeWork = header.isInterlaced ? (FILTER_WORK + 2) * size : 0;
  const lookupWork = opacityBytes > 0 ? FILTER_WORK * size + opacityBytes : 0;
  if (!spendWork(size + mergeWork + lookupWork + (hasAlpha ? size : 0))) return undefined;
  const rasters = hasAlpha ? await createTransparentRasters(chunks) : await createOpaqueRasters(chunks, hasLookup);
  return { width: header.width, height: header.height, orientation: UPRIGHT, ...rasters };
}

/** Creates the rasters of a picture without an alpha channel. */
async function createOpaqueRasters(chunks: PngChunks, hasLookup: boolean) {
  const { header, palette, transparency, compressedPixels } = chunks;
  const space = formatColorSpace(header, palette);
  const { samples } = header;
  // The color that is transparent has two bytes for each sample. A palette has an opacity for each color instead.
  const hasColorKey = header.colorType !== 3 && transparency.length === 2 * samples;
  const colorKey = Array.from({ length: samples }, (_, at) => {
    const sample = (transparency[2 * at]! << 8) | transparency[2 * at + 1]!;
    return `${sample} ${sample}`;
  });
  const entries = {
    ...createFilteredEntries(header, space, samples),
    Mask: hasColorKey ? `[${colorKey.join(" ")}]` : undefined,
  };
  const colors = header.isInterlaced ? createDeflater() : undefined;
  const opacities = hasLookup ? createDeflater() : undefined;
  const opacityEntries = {
    Width: header.width,
    Height: header.height,
    ColorSpace: "/DeviceGray",
    BitsPerComponent: 8,
    Filter: "/FlateDecode",
  };
  const unfilter = new Unfilter(countBytesPerRow(header), 1);
  const lookUp = createOpacityLookup(header, transparency);
  for await (const rows of unpackRows(header, compressedPixels)) {
    await colors?.write(rows);
    await opacities?.write(lookUp(unfilter.next(rows)));
    await yieldToEventLoop();
  }
  return {
    color: { bytes: (await colors?.finish()) ?? compressedPixels, entries },
    opacity: opacities && { bytes: await opacities.finish(), entries: opacityEntries },
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

/** Creates a lookup of the opacity of palette pixels. Its table covers the up to eight pixels of a byte at once. */
function createOpacityLookup(header: PngHeader, transparency: Uint8Array): (pixels: Uint8Array) => Uint8Array {
  const { width, depth } = header;
  const perByte = 8 / depth;
  const rowBytes = countBytesPerRow(header);
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
async function createTransparentRasters({ header, palette, compressedPixels }: PngChunks) {
  const splitChannels = createChannelSplitter(header);
  const [colors, opacities] = [createDeflater(), createDeflater()];
  const isOpaqueSoFar = createOpaqueCheck((header.width * header.depth) / 8, header.depth / 8);
  let isOpaque = true;
  for await (const rows of unpackRows(header, compressedPixels)) {
    const parts = splitChannels(rows);
    // Most pictures with transparency have a transparent corner, which is found at once.
    isOpaque &&= isOpaqueSoFar(parts.opacities);
    await Promise.all([colors.write(parts.colors), opacities.write(parts.opacities)]);
    await yieldToEventLoop();
  }
  const [colorBytes, opacityBytes] = await Promise.all([colors.finish(), opacities.finish()]);
  const entries = createFilteredEntries(header, formatColorSpace(header, palette), header.samples - 1);
  const color: Raster = { bytes: colorBytes, entries };
  if (isOpaque) return { color };
  return { color, opacity: { bytes: opacityBytes, entries: createFilteredEntries(header, "/DeviceGray", 1) } };
}
