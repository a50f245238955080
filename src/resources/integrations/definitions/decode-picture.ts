// Icons and preview images that come in. Their type is detected from the bytes and never taken from the sender.

import { detectContentType } from "../../../content/files/content-type";
import { createValidationError } from "../../../errors";
import { hashBytes } from "../../../storage/objects";
import type { IntegrationAsset } from "../records";

const PICTURES = new Set(["png", "jpeg", "gif", "webp", "avif", "svg+xml"].map((it) => `image/${it}`));
/** The largest picture, in bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

/** A picture with its bytes. */
export interface UploadedPicture extends IntegrationAsset {
  readonly bytes: Uint8Array;
}

/** Reads a picture in base64, which may be a `data:` URL. */
export function decodePicture(base64: string, at: string): UploadedPicture {
  const bytes = decoded(base64.replace(/^data:[^,]*,/, ""), at);
  if (bytes.length > MAX_BYTES) throw createValidationError(at, `Expected at most ${MAX_BYTES} bytes`);
  const contentType = detectContentType(bytes, "picture");
  if (!PICTURES.has(contentType))
    throw createValidationError(at, "Expected a picture: PNG, JPEG, GIF, WebP, AVIF or SVG");
  return { object: hashBytes(bytes), contentType, bytes };
}

function decoded(base64: string, at: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  } catch {
    throw createValidationError(at, "Expected base64");
  }
}
