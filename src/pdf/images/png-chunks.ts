// Reads the chunks of a PNG file.

import { concatBytes } from "../../utils/bytes";
import { MAX_IMAGE_SIDE } from "../limits";

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** A sum of 1 (palette), 2 (color) and 4 (alpha channel). */
  readonly colorType: number;
  readonly samples: number;
  readonly isInterlaced: boolean;
}

export interface PngChunks {
  readonly header: PngHeader;
  readonly palette: Uint8Array;
  readonly transparency: Uint8Array;
  readonly compressedPixels: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The number of samples in a pixel and the bits that a sample may have, by color type. */
const COLOR_TYPES: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

/** Reads the chunks. Returns undefined if the bytes are not a valid PNG. */
export function readPngChunks(bytes: Uint8Array): PngChunks | undefined {
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: PngHeader | undefined;
  let palette: Uint8Array = new Uint8Array();
  let transparency: Uint8Array = new Uint8Array();
  const pixels: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      const [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)];
      const [depth, colorType, interlacing] = [view.getUint8(at + 16), view.getUint8(at + 17), view.getUint8(at + 20)];
      const isValidSize = width > 0 && height > 0 && Math.max(width, height) <= MAX_IMAGE_SIDE;
      const { samples, depths } = COLOR_TYPES[colorType] ?? { samples: 0, depths: [] };
      const isValid = depths.includes(depth) && interlacing <= 1 && isValidSize;
      header = isValid ? { width, height, depth, colorType, samples, isInterlaced: interlacing === 1 } : undefined;
    } else if (type === "PLTE") palette = data;
    else if (type === "tRNS") transparency = data;
    else if (type === "IDAT") pixels.push(data);
    else if (type === "IEND") break;
    at += 12 + length;
  }
  if (!header || pixels.length === 0) return undefined;
  return { header, palette, transparency, compressedPixels: concatBytes(pixels) };
}
