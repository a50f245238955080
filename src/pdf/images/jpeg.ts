// JPEG pictures are embedded unchanged, because every PDF reader decodes them. Only their size, color space and orientation are
// read here.

import { MAX_IMAGE_RASTER } from "../limits";
import { type PdfPicture, UPRIGHT } from "./picture";

const ORIENTATION_MATRICES: readonly (readonly number[])[] = [
  UPRIGHT,
  UPRIGHT,
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
];

/** Reads the header of a JPEG. Returns undefined if the bytes are not a JPEG that PDF readers support. */
export function readJpeg(bytes: Uint8Array): PdfPicture | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let orientation = 1;
  let isAdobe = false;
  for (let at = 2; at + 4 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (length < 2 || marker === 0xda) return undefined;
    if (marker === 0xe1) orientation = readExifOrientation(bytes.subarray(at + 4, at + 2 + length)) ?? orientation;
    if (marker === 0xee) isAdobe = true;
    // These markers begin a frame with Huffman coding, which is what PDF readers support.
    if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) {
      const [height, width, components] = [view.getUint16(at + 5), view.getUint16(at + 7), view.getUint8(at + 9)];
      const space = { 1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK" }[components];
      const pixels = width * height;
      if (view.getUint8(at + 4) !== 8 || pixels === 0 || pixels > MAX_IMAGE_RASTER || !space) return undefined;
      const isSideways = orientation >= 5;
      const entries = {
        Filter: "/DCTDecode",
        Width: width,
        Height: height,
        ColorSpace: space,
        BitsPerComponent: 8,
        // Adobe's programs write CMYK colors inverted.
        Decode: space === "/DeviceCMYK" && isAdobe ? "[1 0 1 0 1 0 1 0]" : undefined,
      };
      return {
        width: isSideways ? height : width,
        height: isSideways ? width : height,
        orientation: ORIENTATION_MATRICES[orientation] ?? UPRIGHT,
        color: { bytes, entries },
      };
    }
    at += 2 + length;
  }
  return undefined;
}

function readExifOrientation(segment: Uint8Array): number | undefined {
  if (segment.length < 14 || String.fromCharCode(...segment.subarray(0, 6)) !== "Exif\0\0") return undefined;
  const view = new DataView(segment.buffer, segment.byteOffset + 6, segment.byteLength - 6);
  const isLittle = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > view.byteLength) return undefined;
  const count = view.getUint16(directory, isLittle);
  for (let at = directory + 2; at + 12 <= view.byteLength && at < directory + 2 + 12 * count; at += 12) {
    if (view.getUint16(at, isLittle) === 0x0112) {
      const orientation = view.getUint16(at + 8, isLittle);
      return orientation >= 1 && orientation <= 8 ? orientation : undefined;
    }
  }
  return undefined;
}
