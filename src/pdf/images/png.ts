// PNG pictures. Most pixels go into the file as they are packed, because a PDF packs them in the same way. Colors and
// opacity that stand beside each other are parted as they are filtered: a filter compares a sample only with the same one
// of other pixels. Every picture is unpacked once, to check that it is complete, a few rows at a time. What this costs is known
// from the header, and taken from a budget before.

import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { createPacker } from "../file/packing";
import { MAX_IMAGE_RASTER, MAX_INTERLACED_RASTER } from "../limits";
import { createParting } from "./parting";
import { type Picture, type Raster, UPRIGHT } from "./picture";
import { type PngChunks, type PngHead, readChunks } from "./png-chunks";
import { bytesPerRow, createOpaqueCheck, rasterBytes, samplesPerPixel, Unfilter, unpackRows } from "./png-raster";

/** Takes the bytes that are gone through for a picture from a budget; false when there are not enough left. */
export type TakeWork = (bytes: number) => boolean;

/** Reads a PNG; undefined when it is none, or when it is too large. */
export async function readPng(bytes: Uint8Array, takeWork: TakeWork): Promise<Picture | undefined> {
  const chunks = readChunks(bytes);
  if (!chunks) return undefined;
  const { head, palette } = chunks;
  if (head.colorType === 3 && (palette.length === 0 || palette.length % 3 !== 0)) return undefined;
  const size = rasterBytes(head);
  const opacityBytes = hasLookedUpOpacity(chunks) ? head.width * head.height : 0;
  if (size > (head.isInterlaced ? MAX_INTERLACED_RASTER : MAX_IMAGE_RASTER) || opacityBytes > MAX_IMAGE_RASTER)
    return undefined;
  if (!takeWork(countWork(chunks, size, opacityBytes))) return undefined;
  const rasters = (head.colorType & 4) !== 0 ? await partedRasters(chunks) : await plainRasters(chunks);
  return { width: head.width, height: head.height, turn: UPRIGHT, ...rasters };
}

/** Undoing the filter of a byte takes as long as unpacking four. */
const FILTER_WORK = 4;

/** Returns how many bytes are gone through: unpacked, freed from filters, put together from passes, and packed anew. */
function countWork({ head }: PngChunks, size: number, opacityBytes: number): number {
  const passes = head.isInterlaced ? (FILTER_WORK + 2) * size : 0;
  const lookedUp = opacityBytes > 0 ? FILTER_WORK * size + opacityBytes : 0;
  const parted = (head.colorType & 4) !== 0 ? size : 0;
  return size + passes + lookedUp + parted;
}

/** Whether the palette says how opaque its colors are, so that each pixel is looked up. */
function hasLookedUpOpacity({ head, transparency }: PngChunks): boolean {
  return head.colorType === 3 && transparency.some((value) => value < 255);
}

/** Colors without opacity, or with that of a palette. */
async function plainRasters(chunks: PngChunks) {
  const { head, palette, transparency, packed } = chunks;
  const space = colorSpace(head, palette);
  const entries = { ...filteredEntries(head, space, samplesPerPixel(head)), Mask: clearColor(head, transparency) };
  const colors = head.isInterlaced ? createPacker() : undefined;
  const opacities = hasLookedUpOpacity(chunks) ? createPacker() : undefined;
  const unfilter = new Unfilter(bytesPerRow(head), 1);
  const lookUp = createOpacityLookup(head, transparency);
  for await (const rows of unpackRows(head, packed)) {
    await colors?.write(rows);
    await opacities?.write(lookUp(unfilter.next(rows)));
    await yieldToEventLoop();
  }
  return {
    color: { bytes: (await colors?.finish()) ?? packed, entries },
    opacity: opacities && { bytes: await opacities.finish(), entries: opacityEntries(head) },
  };
}

function colorSpace({ colorType, depth }: PngHead, palette: Uint8Array): string {
  if (colorType !== 3) return colorType & 2 ? "/DeviceRGB" : "/DeviceGray";
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

/** The one color that means transparent, if there is one. */
function clearColor(head: PngHead, transparency: Uint8Array): string | undefined {
  if (head.colorType === 3 || transparency.length !== 2 * samplesPerPixel(head)) return undefined;
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

/** Looks up how opaque pixels of a palette are. A byte has up to eight of them: its table has them all. */
function createOpacityLookup(head: PngHead, transparency: Uint8Array): (pixels: Uint8Array) => Uint8Array {
  const { width, depth } = head;
  const perByte = 8 / depth;
  const rowBytes = bytesPerRow(head);
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

/** Colors and opacity, which stand beside each other in each pixel. */
async function partedRasters({ head, palette, packed }: PngChunks) {
  const part = createParting(head);
  const [colors, opacities] = [createPacker(), createPacker()];
  const isOpaqueSoFar = createOpaqueCheck((head.width * head.depth) / 8, head.depth / 8);
  let isOpaque = true;
  for await (const rows of unpackRows(head, packed)) {
    const parts = part(rows);
    // Most pictures that are not opaque have a clear corner, which is found at once.
    isOpaque &&= isOpaqueSoFar(parts.opacities);
    await Promise.all([colors.write(parts.colors), opacities.write(parts.opacities)]);
    await yieldToEventLoop();
  }
  const [colorBytes, opacityBytes] = await Promise.all([colors.finish(), opacities.finish()]);
  const entries = filteredEntries(head, colorSpace(head, palette), samplesPerPixel(head) - 1);
  const color: Raster = { bytes: colorBytes, entries };
  if (isOpaque) return { color };
  return { color, opacity: { bytes: opacityBytes, entries: filteredEntries(head, "/DeviceGray", 1) } };
}
