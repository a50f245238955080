// The width of a column in texts and documents.

import type { BlockData } from "../../document";

const WIDTH = /^([0-9]{1,5}(?:\.[0-9]{1,8})?)(%|px|fr)?$/;
/** More digits make no visible difference. */
const DIGITS = 1e4;

/** Parses the width of a text, or of a document, which is a number or a text; undefined for an invalid one. */
export function parseColumnWidth(width: unknown): Pick<BlockData["column"], "width" | "size"> | undefined {
  if (typeof width === "number") return { width: Math.round(width * DIGITS) / DIGITS };
  const [, number, unit = "%"] = typeof width === "string" ? (WIDTH.exec(width) ?? []) : [];
  if (number === undefined) return undefined;
  return unit === "%" ? parseColumnWidth(Number(number)) : { size: `${number}${unit}` };
}
