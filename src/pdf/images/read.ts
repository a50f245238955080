// Reads pictures: JPEG and PNG. Whatever else the bytes are, or if they are broken, there is no picture.

import { readJpeg } from "./jpeg";
import type { Scratch } from "./parting";
import type { Picture } from "./picture";
import { readPng } from "./png";

/** Reads a picture; undefined when it is none that can be printed. */
export async function readPicture(bytes: Uint8Array, scratch: Scratch): Promise<Picture | undefined> {
  try {
    return (await readPng(bytes, scratch)) ?? readJpeg(bytes);
  } catch {
    // A picture that ends too early, or has wrong sizes in its head.
    return undefined;
  }
}
