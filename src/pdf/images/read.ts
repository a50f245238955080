// Reads JPEG and PNG pictures.

import { readJpeg } from "./jpeg";
import type { PdfPicture } from "./picture";
import { readPng, type SpendImageWork } from "./png";

/** Reads a picture. Returns undefined if the bytes are damaged or in another format. */
export async function readPicture(bytes: Uint8Array, spendWork: SpendImageWork): Promise<PdfPicture | undefined> {
  try {
    return (await readPng(bytes, spendWork)) ?? readJpeg(bytes);
  } catch {
    // The picture ends too early, or its header is wrong.
    return undefined;
  }
}
