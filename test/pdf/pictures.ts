// Pictures for tests, made byte by byte.

import { zlibSync } from "fflate";

/** A PNG of one size; `pixel` gives the samples of a pixel. */
export function png(
  width: number,
  height: number,
  colourType: 0 | 2 | 3 | 4 | 6,
  pixel: (x: number, y: number) => readonly number[],
  more: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_, x) => pixel(x, y)).flat(),
  ]);
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head.set([8, colourType, 0, 0, 0], 8);
  return assemble([
    ["IHDR", head],
    ...Object.entries(more),
    ["IDAT", zlibSync(Uint8Array.from(rows.flat()))],
    ["IEND", new Uint8Array()],
  ]);
}

/** A PNG from its chunks; checksums are left empty, because nobody looks at them. */
export function assemble(chunks: readonly (readonly [type: string, data: Uint8Array])[]): Uint8Array {
  const bytes: number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  for (const [type, data] of chunks) {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, data.length);
    bytes.push(...length, ...new TextEncoder().encode(type));
    for (const byte of data) bytes.push(byte);
    bytes.push(0, 0, 0, 0);
  }
  return Uint8Array.from(bytes);
}

/** A picture with colours that run from corner to corner. */
export function gradient(width: number, height: number): Uint8Array {
  return png(width, height, 2, (x, y) => [(x * 255) / width, (y * 255) / height, 160].map(Math.round));
}
