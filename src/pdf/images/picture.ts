// Pictures as they are written to the file.

/** The samples of a picture, as a stream of the file. */
export interface Raster {
  readonly bytes: Uint8Array;
  readonly entries: Readonly<Record<string, string | number | undefined>>;
}

export interface PdfPicture {
  /** The size in pixels after it is turned upright. */
  readonly width: number;
  readonly height: number;
  readonly color: Raster;
  /** The opacity of each pixel. Left out if all are opaque. */
  readonly opacity?: Raster | undefined;
  /** The matrix that turns the unit square upright. */
  readonly orientation: readonly number[];
}

/** The matrix of a picture that is upright already. */
export const UPRIGHT: readonly number[] = [1, 0, 0, 1, 0, 0];
