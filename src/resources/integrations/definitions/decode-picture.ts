// Decodes uploaded icons and preview images. Their type is detected from the bytes and never taken from the sender.

import { detectContentType } from "../../../content/files/content-type";
import { createValidationError } from "../../../errors";
import { sha256Hex } from "../../../utils/sha256";
import type { IntegrationAsset } from "../records";

const PICTURE_TYPES = new Set(["png", "jpeg", "gif", "webp", "avif", "svg+xml"].map((it) => `image/${it}`));
const MAX_BYTES = 2 * 1024 * 1024;

export interface UploadedPicture extends IntegrationAsset {
  readonly bytes: Uint8Array;
}

/** Decodes a picture in base64, which may be a `data:` URL. `path` is named in errors. */
export function decodePicture(base64: string, path: string): UploadedPicture {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(base64.replace(/^data:[^,]*,/, "")), (character) => character.charCodeAt(0));
  } catch {
    throw createValidationError(path, "Expected base64");
  }
  if (bytes.length > MAX_BYTES) throw createValidationError(path, `Expected at most ${MAX_BYTES} bytes`);
  const contentType = detectContentType(bytes, "picture");
  if (!PICTURE_TYPES.has(contentType))
    throw createValidationError(path, "Expected an image: PNG, JPEG, GIF, WebP, AVIF or SVG");
  return { object: sha256Hex(bytes), contentType, bytes };
}
