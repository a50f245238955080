// Splits pixels into their colors and their opacity, which a PDF stores separately. A book can have gigabytes of pixels, so most
// pictures are split four pixels at a time.

import type { PngHeader } from "./png-chunks";
import { countBytesPerRow } from "./png-raster";

/** Creates a function that splits blocks of rows. Both results begin each row with its filter. */
export function createChannelSplitter(header: PngHeader) {
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
