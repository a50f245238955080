// The content type of a file, by its bytes.

import { binaryType } from "./signatures";
import { textType } from "./texts";

/** The content type of a file; its name and what its sender claims choose among kinds of text alone. */
export function contentTypeOf(bytes: Uint8Array, name: string, claim?: string): string {
  return binaryType(bytes) ?? textType(bytes, name, claim) ?? "application/octet-stream";
}
