// Describes files by their bytes: their type, and the dimensions of images. The name and type that a sender states are never believed
// against the bytes.

import { imageSize } from "image-size";
import { omitUndefined } from "../../utils/objects";
import { detectContentType } from "./content-type";
import { sanitizeFileName } from "./file-names";

export { sanitizeFileName } from "./file-names";

/** The size of an image in pixels, as it is shown. */
export interface ImageDimensions {
  readonly width: number;
  readonly height: number;
}

/** Describes a file by its bytes. Its name and the content type that came with it only choose among types of text. */
export function describeFile(
  bytes: Uint8Array,
  stated: { readonly name: string; readonly contentType?: string | undefined },
) {
  const name = sanitizeFileName(stated.name);
  const claimedType = stated.contentType?.replace(/;.*/s, "").trim().toLowerCase();
  const contentType = detectContentType(bytes, name, claimedType);
  let dimensions: ImageDimensions | undefined;
  if (MEASURED_TYPES.has(contentType)) {
    // image-size gets only as many bytes as it reads in bounded time.
    const maxBytes = contentType === "image/jpeg" ? MAX_JPEG_HEADER_BYTES : MAX_HEADER_BYTES;
    try {
      const header = new UncopiedBytes(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxBytes));
      const { width, height, orientation } = imageSize(header);
      if ([width, height].every((size) => Number.isSafeInteger(size) && size > 0)) {
        // The image is rotated by its EXIF orientation.
        dimensions =
          orientation !== undefined && orientation > 4 ? { width: height, height: width } : { width, height };
      }
    } catch {
      // The dimensions are unknown.
    }
  }
  return { name, contentType, ...omitUndefined({ dimensions }) };
}

/** The most bytes that are read for the size of an image. A JPEG may have much before its size. */
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_JPEG_HEADER_BYTES = 256 * 1024;

const MEASURED_TYPES = new Set(
  ["png", "jpeg", "gif", "webp", "avif", "bmp", "svg+xml", "vnd.microsoft.icon"].map((type) => `image/${type}`),
);

/** Slices without copying. image-size walks through a JPEG by slicing the rest, and copies would take quadratic time. */
class UncopiedBytes extends Uint8Array<ArrayBufferLike> {
  override slice(start?: number, end?: number): Uint8Array<ArrayBuffer> {
    return this.subarray(start, end) as Uint8Array<ArrayBuffer>;
  }
}
