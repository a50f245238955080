// How wide a column is, as texts write it and as documents have it.

import type { BlockData } from "../../document";

const WIDTH = /^([0-9]{1,5}(?:\.[0-9]{1,8})?)(%|px|fr)?$/;
/** More digits say nothing that could be seen. */
const DIGITS = 1e4;

/** A width from a text, or from a document that has it as a number or a text; undefined when it is none. */
export function columnWidth(width: unknown): Pick<BlockData["column"], "width" | "size"> | undefined {
  if (typeof width === "number") return { width: Math.round(width * DIGITS) / DIGITS };
  const [, number, unit = "%"] = typeof width === "string" ? (WIDTH.exec(width) ?? []) : [];
  if (number === undefined) return undefined;
  return unit === "%" ? columnWidth(Number(number)) : { size: `${number}${unit}` };
}
