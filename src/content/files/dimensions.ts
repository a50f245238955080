// The dimensions of an image, from its first bytes. image-size reads them; it gets no more bytes than it can read in
// bounded time.

import { imageSize } from "image-size";

/** The size of an image in pixels, as it is shown. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** How many bytes are read: where the size comes early, and where much may come before it. */
const MAX_HEAD = 8 * 1024;
const MAX_JPEG_HEAD = 256 * 1024;

const MEASURED = new Set(
  ["png", "jpeg", "gif", "webp", "avif", "bmp", "svg+xml", "vnd.microsoft.icon"].map((it) => `image/${it}`),
);

/** The dimensions of an image; undefined when it is of another type, or its bytes do not say. */
export function dimensionsOf(bytes: Uint8Array, contentType: string): Dimensions | undefined {
  if (!MEASURED.has(contentType)) return undefined;
  const length = Math.min(bytes.length, contentType === "image/jpeg" ? MAX_JPEG_HEAD : MAX_HEAD);
  try {
    const { width, height, orientation } = imageSize(new Window(bytes.buffer, bytes.byteOffset, length));
    if (!isSize(width) || !isSize(height)) return undefined;
    // The image is rotated by its EXIF orientation.
    return orientation !== undefined && orientation > 4 ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
}

/** image-size walks through a JPEG by slicing the rest. As copies, these slices would take time with the square of its
 * length. */
class Window extends Uint8Array<ArrayBufferLike> {
  override slice(from?: number, to?: number): Uint8Array<ArrayBuffer> {
    return this.subarray(from, to) as Uint8Array<ArrayBuffer>;
  }
}

function isSize(pixels: number): boolean {
  return Number.isSafeInteger(pixels) && pixels > 0;
}
