// Pictures for tests: PNG files made byte by byte, and a few files of a few bytes.

import { zlibSync } from "fflate";

/** How a PNG is written. */
export interface PngLook {
  readonly width: number;
  readonly height: number;
  readonly colourType: 0 | 2 | 3 | 4 | 6;
  /** The samples of a pixel, a byte each. */
  readonly pixel: (x: number, y: number) => readonly number[];
  /** How each row is filtered, by turns. Left out: not at all. */
  readonly filters?: readonly number[];
  readonly chunks?: Readonly<Record<string, readonly number[]>>;
}

/** A PNG of eight bits a sample. */
export function png({ width, height, colourType, pixel, filters = [0], chunks = {} }: PngLook): Uint8Array {
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => pixel(x, y)).flat());
  const back = rows[0]!.length / width;
  const filtered = rows.flatMap((row, y) => {
    const filter = filters[y % filters.length]!;
    return [filter, ...row.map((byte, at) => byte - guess(filter, row, rows[y - 1], at, back))];
  });
  return assemble([
    ["IHDR", head(width, height, colourType)],
    ...Object.entries(chunks).map(([type, data]) => [type, Uint8Array.from(data)] as const),
    ["IDAT", zlibSync(Uint8Array.from(filtered))],
    ["IEND", new Uint8Array()],
  ]);
}

function guess(filter: number, row: readonly number[], above: readonly number[] | undefined, at: number, back: number) {
  const [left, up, corner] = [row[at - back] ?? 0, above?.[at] ?? 0, above?.[at - back] ?? 0];
  if (filter === 4) {
    const distance = (from: number) => Math.abs(left + up - corner - from);
    const nearest = Math.min(distance(left), distance(up), distance(corner));
    return [left, up, corner].find((each) => distance(each) === nearest)!;
  }
  return [0, left, up, (left + up) >> 1][filter]!;
}

/** The head of a PNG of eight bits a sample. */
export function head(width: number, height: number, colourType: number): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes.set([8, colourType, 0, 0, 0], 8);
  return bytes;
}

/** A PNG from its chunks. Checksums are left empty: the printer does not look at them. */
export function assemble(chunks: readonly (readonly [type: string, data: Uint8Array])[]): Uint8Array {
  const bytes: number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  for (const [type, data] of chunks) {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, data.length);
    bytes.push(...length, ...new TextEncoder().encode(type));
    for (const byte of data) bytes.push(byte);
    bytes.push(0, 0, 0, 0);
  }
  return Uint8Array.from(bytes);
}

/** A picture with colours that run from corner to corner. */
export function gradient(width: number, height: number): Uint8Array {
  const pixel = (x: number, y: number) => [(x * 255) / width, (y * 255) / height, 160].map(Math.round);
  return png({ width, height, colourType: 2, pixel });
}

/** Files that were written by other programs: 12 × 8 pixels, and red, purple and blue lines of 5 pixels. */
export const OTHERS = {
  jpegInColours: decoded(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAIAAwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCOANVT/9k=",
  ),
  jpegInGreys: decoded(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAALCAAIAAwBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/ALx//9k=",
  ),
  jpegForPrint: decoded(
    "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBKUVJP/9sAQwEODg4TERMmFRUmTzUtNU9PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P/8AAFAgACAAMBAEiAAIRAQMRAQQiAP/EABYAAQEBAAAAAAAAAAAAAAAAAAADBv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAAFBv/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAOBAEAAhEDEQQAAD8AqAZRDTgP/9k=",
  ),
  pngInSevenPasses: decoded(
    "iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAIAAAHzw756AAAABGdBTUEAALGPC/xhBQAAACBjSFJNAAB6JgAAgIQAAPoAAACA6AAAdTAAAOpgAAA6mAAAF3CculE8AAAABmJLR0T///////8JWPfcAAAAJElEQVQI12P4/5+BgYGBAYViRBKBAkZkLoo8YwMDA0MDAy4AAHYCDPms+7ciAAAAAElFTkSuQmCC",
  ),
  pngWithFourColours: decoded(
    "iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAgMAAAFRXx39AAAABGdBTUEAALGPC/xhBQAAACBjSFJNAAB6JgAAgIQAAPoAAACA6AAAdTAAAOpgAAA6mAAAF3CculE8AAAADFBMVEX/AACAAIAAAP////8zCIytAAAAAWJLR0QDEQxM8gAAAAd0SU1FB+oLDwcRC5X8Xx4AAAASSURBVAjXY2AAgxVAvIAh1AEACLkB3iPNVXYAAAAASUVORK5CYII=",
  ),
};

function decoded(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
