// The parts of a PNG file.

import { concatBytes } from "../../utils/bytes";
import { MAX_IMAGE_SIDE } from "../limits";

/** What the head of a PNG says. */
export interface PngHead {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly depth: number;
  /** 1: palette, 2: colors, 4: transparency, added up. */
  readonly colorType: number;
  readonly isInterlaced: boolean;
}

/** What a picture is made from. */
export interface PngChunks {
  readonly head: PngHead;
  readonly palette: Uint8Array;
  readonly transparency: Uint8Array;
  /** The pixels, deflated. */
  readonly packed: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Reads the parts; undefined when this is no PNG, or one that no program would show. */
export function readChunks(bytes: Uint8Array): PngChunks | undefined {
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let head: PngHead | undefined;
  let palette: Uint8Array = new Uint8Array();
  let transparency: Uint8Array = new Uint8Array();
  const pixels: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") head = readHead(view, at + 8);
    else if (type === "PLTE") palette = data;
    else if (type === "tRNS") transparency = data;
    else if (type === "IDAT") pixels.push(data);
    else if (type === "IEND") break;
    at += 12 + length;
  }
  return head && pixels.length > 0 ? { head, palette, transparency, packed: concatBytes(pixels) } : undefined;
}

function readHead(view: DataView, at: number): PngHead | undefined {
  const [width, height] = [view.getUint32(at), view.getUint32(at + 4)];
  const [depth, colorType, interlacing] = [view.getUint8(at + 8), view.getUint8(at + 9), view.getUint8(at + 12)];
  const isKnown = DEPTHS[colorType]?.includes(depth) && interlacing <= 1;
  if (!isKnown || width === 0 || height === 0 || Math.max(width, height) > MAX_IMAGE_SIDE) return undefined;
  return { width, height, depth, colorType, isInterlaced: interlacing === 1 };
}
