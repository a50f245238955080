// PNG pictures. Most pixels go into the file as they are packed, because a PDF packs them in the same way. Colours and
// opacity that stand beside each other are parted as they are filtered: a filter compares a sample only with the same one
// of other pixels. Every picture is unpacked once, to check that it is complete.

import { type InTurns, inTurns } from "../../turns/pause";
import { pack } from "../file/packing";
import { parted, type Scratch } from "./parting";
import { type Picture, type Raster, UPRIGHT } from "./picture";
import { type PngHead, readChunks } from "./png-chunks";
import { bytesPerRow, rowsOf, STEP, samplesPerPixel, unfiltered } from "./png-raster";

/** Reads a PNG; undefined when it is none. */
export async function readPng(bytes: Uint8Array, scratch: Scratch): Promise<Picture | undefined> {
  const chunks = readChunks(bytes);
  if (!chunks) return undefined;
  const { head, palette, transparency, packed } = chunks;
  const isPaletted = head.colourType === 3;
  if (isPaletted && (palette.length === 0 || palette.length % 3 !== 0)) return undefined;
  const rows = await rowsOf(head, packed, inTurns);
  if (!rows) return undefined;
  const size = { width: head.width, height: head.height, turn: UPRIGHT };
  const space = colourSpace(head, palette);
  if ((head.colourType & 4) !== 0) return { ...size, ...(await withOpacity(head, rows, space, { inTurns, scratch })) };
  const entries = { ...filteredEntries(head, space, samplesPerPixel(head)), Mask: clearColour(head, transparency) };
  const colour = { bytes: head.isInterlaced ? await pack(rows) : packed, entries };
  const hasOpacity = isPaletted && transparency.some((value) => value < 255);
  return { ...size, colour, opacity: hasOpacity ? await fromPalette(head, rows, transparency, inTurns) : undefined };
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

/** The opacity of the pixels of a palette. */
async function fromPalette(
  head: PngHead,
  rows: Uint8Array,
  transparency: Uint8Array,
  inTurns: InTurns,
): Promise<Raster> {
  const { width, height } = head;
  const pixels = await inTurns(unfiltered(rows, bytesPerRow(head), height, 1));
  const entries = { Width: width, Height: height, ColorSpace: "/DeviceGray", BitsPerComponent: 8 };
  const bytes = await pack(await inTurns(lookedUp(head, pixels, transparency)));
  return { bytes, entries: { ...entries, Filter: "/FlateDecode" } };
}

function* lookedUp(head: PngHead, pixels: Uint8Array, transparency: Uint8Array): Generator<void, Uint8Array> {
  const { width, height, depth } = head;
  const perByte = 8 / depth;
  const opacity = new Uint8Array(width * height);
  const rowsAtOnce = Math.max(1, Math.floor(STEP / width));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = pixels[y * bytesPerRow(head) + Math.floor(x / perByte)]!;
      const index = (byte >> (8 - depth * ((x % perByte) + 1))) & (2 ** depth - 1);
      opacity[y * width + x] = transparency[index] ?? 255;
    }
    if (y % rowsAtOnce === rowsAtOnce - 1) yield;
  }
  return opacity;
}

/** Colours and opacity, which stand beside each other in each pixel. */
async function withOpacity(
  head: PngHead,
  rows: Uint8Array,
  space: string,
  { inTurns, scratch }: { readonly inTurns: InTurns; readonly scratch: Scratch },
) {
  const { colours, opacities } = await inTurns(parted(head, rows, scratch));
  const colour: Raster = {
    bytes: await pack(colours),
    entries: filteredEntries(head, space, samplesPerPixel(head) - 1),
  };
  if (await inTurns(isOpaque(head, opacities))) return { colour };
  return { colour, opacity: { bytes: await pack(opacities), entries: filteredEntries(head, "/DeviceGray", 1) } };
}

/** Whether nothing can be seen through. Most pictures that are not opaque have a clear corner, which is found at once. */
function* isOpaque({ width, height, depth }: PngHead, opacities: Uint8Array): Generator<void, boolean> {
  const row = (width * depth) / 8;
  for (const rows of [1, height]) {
    const values = yield* unfiltered(opacities, row, rows, depth / 8);
    if (values.some((value) => value !== 255)) return false;
  }
  return true;
}
