// Reads pictures: JPEG and PNG. Whatever else the bytes are, or if they are broken, there is no picture.

import { readJpeg } from "./jpeg";
import type { Picture } from "./picture";
import { readPng, type TakeWork } from "./png";

/** Reads a picture; undefined when it is none that can be printed. */
export async function readPicture(bytes: Uint8Array, takeWork: TakeWork): Promise<Picture | undefined> {
  try {
    return (await readPng(bytes, takeWork)) ?? readJpeg(bytes);
  } catch {
    // A picture that ends too early, or has wrong sizes in its head.
    return undefined;
  }
}
