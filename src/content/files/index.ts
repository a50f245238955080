// Files: what they are by their bytes, what they are called, and how they go out. What the sender says of a file is never
// believed against its bytes.

import { omitUndefined } from "../../utils/objects";
import { contentTypeOf } from "./content-type";
import { type Dimensions, dimensionsOf } from "./dimensions";
import { safeFileName } from "./names";

export type { Dimensions } from "./dimensions";
export { safeFileName } from "./names";

/** What a file is. */
export interface FileDescription {
  readonly name: string;
  readonly contentType: string;
  readonly dimensions?: Dimensions;
}

/** Describes a file by its bytes; the name and the content type that came with it choose among kinds of text alone. */
export function describeFile(
  bytes: Uint8Array,
  given: { readonly name: string; readonly contentType?: string | undefined },
): FileDescription {
  const name = safeFileName(given.name);
  const claim = given.contentType?.replace(/;.*/s, "").trim().toLowerCase();
  const contentType = contentTypeOf(bytes, name, claim);
  const dimensions = dimensionsOf(bytes, contentType);
  return { name, contentType, ...omitUndefined({ dimensions }) };
}
