// PNG pictures. Most pixels go into the file as they are packed, because a PDF packs them in the same way. Colours and
// opacity that stand beside each other are parted as they are filtered: a filter compares a sample only with the same one
// of other pixels. Every picture is unpacked once, to check that it is complete, a few rows at a time.

import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { createPacker } from "../file/packing";
import { MAX_IMAGE_RASTER, MAX_INTERLACED_RASTER } from "../limits";
import { createParting } from "./parting";
import { type Picture, type Raster, UPRIGHT } from "./picture";
import { type PngChunks, type PngHead, readChunks } from "./png-chunks";
import { bytesPerRow, rasterBytes, samplesPerPixel, Unfilter, unpackRows } from "./png-raster";

/** Takes the bytes that a picture has when it is unpacked, before it is; false when there is no room for them. */
export type TakeRaster = (bytes: number) => boolean;

/** Reads a PNG; undefined when it is none, or when it is too large. */
export async function readPng(bytes: Uint8Array, take: TakeRaster): Promise<Picture | undefined> {
  const chunks = readChunks(bytes);
  if (!chunks) return undefined;
  const { head, palette } = chunks;
  if (head.colourType === 3 && (palette.length === 0 || palette.length % 3 !== 0)) return undefined;
  const size = rasterBytes(head);
  if (size > (head.isInterlaced ? MAX_INTERLACED_RASTER : MAX_IMAGE_RASTER) || !take(size)) return undefined;
  const rasters = (head.colourType & 4) !== 0 ? await partedRasters(chunks) : await plainRasters(chunks);
  return { width: head.width, height: head.height, turn: UPRIGHT, ...rasters };
}

/** Colours without opacity, or with that of a palette. */
async function plainRasters({ head, palette, transparency, packed }: PngChunks) {
  const space = colourSpace(head, palette);
  const entries = { ...filteredEntries(head, space, samplesPerPixel(head)), Mask: clearColour(head, transparency) };
  const colours = head.isInterlaced ? createPacker() : undefined;
  const hasOpacity = head.colourType === 3 && transparency.some((value) => value < 255);
  const opacities = hasOpacity ? createPacker() : undefined;
  const unfilter = new Unfilter(bytesPerRow(head), 1);
  for await (const rows of unpackRows(head, packed)) {
    await colours?.write(rows);
    await opacities?.write(lookedUp(head, unfilter.next(rows), transparency));
    await yieldToEventLoop();
  }
  return {
    colour: { bytes: (await colours?.finish()) ?? packed, entries },
    opacity: opacities && { bytes: await opacities.finish(), entries: opacityEntries(head) },
  };
}

function colourSpace({ colourType, depth }: PngHead, palette: Uint8Array): string {
  if (colourType !== 3) return colourType & 2 ? "/DeviceRGB" : "/DeviceGray";
  const last = Math.min(palette.length / 3, 2 ** depth) - 1;
  const digits = Array.from(palette.subarray(0, 3 * (last + 1)), (byte) => byte.toString(16).padStart(2, "0"));
  return `[/Indexed /DeviceRGB ${last} <${digits.join("")}>]`;
}

/** How rows are told to a reader that are filtered as a PNG filters them. */
function filteredEntries({ width, height, depth }: PngHead, space: string, samples: number): Raster["entries"] {
  return {
    Width: width,
    Height: height,
    ColorSpace: space,
    BitsPerComponent: depth,
    Filter: "/FlateDecode",
    DecodeParms: `<</Predictor 15 /Colors ${samples} /BitsPerComponent ${depth} /Columns ${width}>>`,
  };
}

/** The one colour that means transparent, if there is one. */
function clearColour(head: PngHead, transparency: Uint8Array): string | undefined {
  if (head.colourType === 3 || transparency.length !== 2 * samplesPerPixel(head)) return undefined;
  const samples = Array.from({ length: samplesPerPixel(head) }, (_, at) => {
    const sample = (transparency[2 * at]! << 8) | transparency[2 * at + 1]!;
    return `${sample} ${sample}`;
  });
  return `[${samples.join(" ")}]`;
}

function opacityEntries({ width, height }: PngHead): Raster["entries"] {
  const entries = { Width: width, Height: height, ColorSpace: "/DeviceGray", BitsPerComponent: 8 };
  return { ...entries, Filter: "/FlateDecode" };
}

/** The opacity of pixels of a palette. */
function lookedUp(head: PngHead, pixels: Uint8Array, transparency: Uint8Array): Uint8Array {
  const { width, depth } = head;
  const perByte = 8 / depth;
  const height = pixels.length / bytesPerRow(head);
  const opacity = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = pixels[y * bytesPerRow(head) + Math.floor(x / perByte)]!;
      const index = (byte >> (8 - depth * ((x % perByte) + 1))) & (2 ** depth - 1);
      opacity[y * width + x] = transparency[index] ?? 255;
    }
  }
  return opacity;
}

/** Colours and opacity, which stand beside each other in each pixel. */
async function partedRasters({ head, palette, packed }: PngChunks) {
  const part = createParting(head);
  const [colours, opacities] = [createPacker(), createPacker()];
  const unfilter = new Unfilter((head.width * head.depth) / 8, head.depth / 8);
  let isOpaque = true;
  for await (const rows of unpackRows(head, packed)) {
    const parts = part(rows);
    // Most pictures that are not opaque have a clear corner, which is found at once.
    isOpaque &&= unfilter.next(parts.opacities).every((value) => value === 255);
    await Promise.all([colours.write(parts.colours), opacities.write(parts.opacities)]);
    await yieldToEventLoop();
  }
  const [colourBytes, opacityBytes] = await Promise.all([colours.finish(), opacities.finish()]);
  const entries = filteredEntries(head, colourSpace(head, palette), samplesPerPixel(head) - 1);
  const colour: Raster = { bytes: colourBytes, entries };
  if (isOpaque) return { colour };
  return { colour, opacity: { bytes: opacityBytes, entries: filteredEntries(head, "/DeviceGray", 1) } };
}
