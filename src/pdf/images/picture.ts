// Pictures as the file keeps them.

import type { ObjectId } from "../file/syntax";
import type { PdfWriter } from "../file/writer";

/** A stream of the file. */
export interface Raster {
  readonly bytes: Uint8Array;
  readonly entries: Readonly<Record<string, string | number | undefined>>;
}

/** A picture that can be written. */
export interface Picture {
  /** In pixels, as it is seen. */
  readonly width: number;
  readonly height: number;
  readonly color: Raster;
  /** How opaque each pixel is, if not all of them are. */
  readonly opacity?: Raster | undefined;
  /** How the unit square is turned to see it upright. */
  readonly turn: readonly number[];
}

/** Not turned. */
export const UPRIGHT: readonly number[] = [1, 0, 0, 1, 0, 0];

/** Writes a picture into the file. */
export function writePicture(writer: PdfWriter, { color, opacity }: Picture): ObjectId {
  const common = { Type: "/XObject", Subtype: "/Image" };
  const mask = opacity && writer.stream(opacity.bytes, { ...common, ...opacity.entries });
  return writer.stream(color.bytes, {
    ...common,
    ...color.entries,
    SMask: mask === undefined ? undefined : `${mask} 0 R`,
  });
}
