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

// Splits pixels into their colors and their opacity, which a PDF stores separately. A book can have gigabytes of pixels, so most
// pictures are split four pixels at a time.

/** Creates a function that splits blocks of rows. Both results begin each row with its filter. */
function createChannelSplitter(header: PngHeader) {
  const { width } = header;
  const sample = header.depth / 8;
  const colorBytes = (header.samples - 1) * sample;
  const stride = countBytesPerRow(header) + 1;
  const [colorStride, opacityStride] = [width * colorBytes + 1, width * sample + 1];
  let splitRow: SplitRow;
  if (sample === 1 && colorBytes === 3 && IS_LITTLE_ENDIAN) splitRow = createWordSplitter(width);
  else if (sample === 1 && colorBytes === 1)
    splitRow = (pixels, colors, opacities) => {
      for (let from = 0, to = 1; from < pixels.length; from += 2, to++) {
        colors[to] = pixels[from]!;
        opacities[to] = pixels[from + 1]!;
      }
    };
  else
    splitRow = (pixels, colors, opacities) => {
      for (let from = 0, color = 1, opacity = 1; from < pixels.length; ) {
        for (let at = 0; at < colorBytes; at++) colors[color++] = pixels[from++]!;
        for (let at = 0; at < sample; at++) opacities[opacity++] = pixels[from++]!;
      }
    };
  return (rows: Uint8Array) => {
    const height = rows.length / stride;
    const colors = new Uint8Array(colorStride * height);
    const opacities = new Uint8Array(opacityStride * height);
    for (let y = 0; y < height; y++) {
      const row = rows.subarray(y * stride, (y + 1) * stride);
      const color = colors.subarray(y * colorStride);
      const opacity = opacities.subarray(y * opacityStride);
      color[0] = opacity[0] = row[0]!;
      splitRow(row.subarray(1), color, opacity);
    }
    return { colors, opacities };
  };
}

/** Splits the pixels of a row, and writes them after the first byte of both results. */
type SplitRow = (pixels: Uint8Array, colors: Uint8Array, opacities: Uint8Array) => void;

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Creates a splitter for pixels with three bytes of color and one of opacity, as most pictures have. */
function createWordSplitter(width: number): SplitRow {
  const fours = Math.ceil(width / 4);
  const [pixels, colors, opacities] = [new Int32Array(4 * fours), new Int32Array(3 * fours), new Int32Array(fours)];
  const pixelBytes = new Uint8Array(pixels.buffer);
  const colorBytes = new Uint8Array(colors.buffer, 0, 3 * width);
  const opacityBytes = new Uint8Array(opacities.buffer, 0, width);
  return (row, color, opacity) => {
    pixelBytes.set(row);
    // Four pixels become three words of color and one of opacity.
    for (let four = 0, from = 0, to = 0; four < opacities.length; four++, from += 4, to += 3) {
      const first = pixels[from]!;
      const second = pixels[from + 1]!;
      const third = pixels[from + 2]!;
      const fourth = pixels[from + 3]!;
      colors[to] = (first & 0xffffff) | (second << 24);
      colors[to + 1] = ((second >> 8) & 0xffff) | (third << 16);
      colors[to + 2] = ((third >> 16) & 0xff) | (fourth << 8);
      opacities[four] =
        ((first >> 24) & 0xff) | ((second >> 16) & 0xff00) | ((third >> 8) & 0xff0000) | (fourth & 0xff000000);
    }
    color.set(colorBytes, 1);
    opacity.set(opacityBytes, 1);
  };
}
