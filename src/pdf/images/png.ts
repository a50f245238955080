// PNG pictures. Most pixels go into the file as they are packed, because a PDF packs them in the same way. Pixels with
// transparency or in seven passes are unpacked and packed again. Every picture is unpacked once, to check that it is
// complete.

import { type Picture, UPRIGHT } from "./picture";
import { type PngHead, readChunks } from "./png-chunks";
import { samplesPerPixel, unpackRaster } from "./png-raster";

/** Reads a PNG; undefined when it is none. */
export function readPng(bytes: Uint8Array): Picture | undefined {
  const chunks = readChunks(bytes);
  if (!chunks) return undefined;
  const { head, palette, transparency, packed } = chunks;
  const isPaletted = head.colourType === 3;
  if (isPaletted && (palette.length === 0 || palette.length % 3 !== 0)) return undefined;
  const hasOpacity = (head.colourType & 4) !== 0;
  const hasClearColours = isPaletted && transparency.length > 0;
  const needsPixels = head.isInterlaced || hasOpacity || hasClearColours;
  const raster = unpackRaster(head, packed, needsPixels);
  if (!raster) return undefined;
  const entries = {
    Width: head.width,
    Height: head.height,
    ColorSpace: colourSpace(head, palette),
    BitsPerComponent: head.depth,
  };
  const size = { width: head.width, height: head.height, turn: UPRIGHT };
  if (hasOpacity) return { ...size, ...separated(head, raster, entries) };
  if (hasClearColours)
    return { ...size, colour: { bytes: raster, entries }, opacity: fromPalette(head, raster, transparency) };
  const masked = { ...entries, Mask: clearColour(head, transparency) };
  if (needsPixels) return { ...size, colour: { bytes: raster, entries: masked } };
  return { ...size, colour: { bytes: packed, entries: { ...masked, ...asPacked(head) } } };
}

function colourSpace({ colourType, depth }: PngHead, palette: Uint8Array): string {
  if (colourType !== 3) return colourType & 2 ? "/DeviceRGB" : "/DeviceGray";
  const last = Math.min(palette.length / 3, 2 ** depth) - 1;
  const digits = Array.from(palette.subarray(0, 3 * (last + 1)), (byte) => byte.toString(16).padStart(2, "0"));
  return `[/Indexed /DeviceRGB ${last} <${digits.join("")}>]`;
}

/** How pixels are packed that are left as they are. */
function asPacked(head: PngHead): Record<string, string> {
  const { depth, width } = head;
  const parameters = `/Predictor 15 /Colors ${samplesPerPixel(head)} /BitsPerComponent ${depth} /Columns ${width}`;
  return { Filter: "/FlateDecode", DecodeParms: `<<${parameters}>>` };
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
function fromPalette({ width, height, depth }: PngHead, raster: Uint8Array, transparency: Uint8Array) {
  const bytesPerRow = Math.ceil((width * depth) / 8);
  const perByte = 8 / depth;
  const opacity = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const byte = raster[y * bytesPerRow + Math.floor(x / perByte)]!;
      const index = (byte >> (8 - depth * ((x % perByte) + 1))) & (2 ** depth - 1);
      opacity[y * width + x] = transparency[index] ?? 255;
    }
  return { bytes: opacity, entries: greys(width, height, 8) };
}

/** Colours and opacity, which stand beside each other in each pixel. */
function separated(head: PngHead, raster: Uint8Array, entries: Record<string, string | number>) {
  const { width, height, depth } = head;
  const sample = depth / 8;
  const colourBytes = (samplesPerPixel(head) - 1) * sample;
  const pixels = width * height;
  const colour = new Uint8Array(pixels * colourBytes);
  const opacity = new Uint8Array(pixels * sample);
  let isOpaque = true;
  for (let pixel = 0, from = 0, to = 0, mask = 0; pixel < pixels; pixel++) {
    for (let at = 0; at < colourBytes; at++) colour[to++] = raster[from++]!;
    for (let at = 0; at < sample; at++) {
      const value = raster[from++]!;
      if (value !== 255) isOpaque = false;
      opacity[mask++] = value;
    }
  }
  return {
    colour: { bytes: colour, entries },
    opacity: isOpaque ? undefined : { bytes: opacity, entries: greys(width, height, depth) },
  };
}

function greys(width: number, height: number, depth: number): Record<string, string | number> {
  return { Width: width, Height: height, ColorSpace: "/DeviceGray", BitsPerComponent: depth };
}
