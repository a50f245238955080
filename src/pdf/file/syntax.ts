// Formats values in the syntax of PDF. The output is always ASCII.

export type ObjectId = number;

export function formatReference(id: ObjectId): string {
  return `${id} 0 R`;
}

/** Formats a number with two decimal places. */
export function formatNumber(value: number): string {
  const hundredths = Math.round(value * 100);
  // Formatting integers is many times faster, and a sheet has thousands of them.
  if (hundredths % 100 === 0 || !(Math.abs(hundredths) < MAX_HUNDREDTHS)) {
    // Adding zero turns a negative zero into a positive one.
    return Number.isFinite(hundredths) ? String(hundredths / 100 + 0) : "0";
  }
  const size = Math.abs(hundredths);
  return `${hundredths < 0 ? "-" : ""}${Math.floor(size / 100)}${FRACTIONS[size % 100]}`;
}

const MAX_HUNDREDTHS = 1e9;
const FRACTIONS = Array.from({ length: 100 }, (_, at) => String(at / 100).slice(1));

export function formatNumbers(...values: number[]): string {
  let written = formatNumber(values[0]!);
  for (let at = 1; at < values.length; at++) written += ` ${formatNumber(values[at]!)}`;
  return written;
}

/** Formats a text string in UTF-16, because the other encoding only has Latin characters. */
export function formatText(value: string): string {
  return `<FEFF${toUtf16Hex(value)}>`;
}

/** Formats an ASCII string, such as a URL. */
export function formatAscii(value: string): string {
  return `(${value.replace(/[^\x20-\x7e]/g, "").replace(/[\\()]/g, "\\$&")})`;
}

/** Returns the UTF-16 code units of a text in hexadecimal digits. */
export function toUtf16Hex(value: string): string {
  let digits = "";
  for (let at = 0; at < value.length; at++) digits += toHex(value.charCodeAt(at), 4);
  return digits;
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, "0"));

/** Returns a number of one or two bytes in hexadecimal digits. */
export function toHex(value: number, digits: 2 | 4): string {
  return digits === 2 ? BYTES[value & 0xff]! : BYTES[(value >> 8) & 0xff]! + BYTES[value & 0xff]!;
}

/** Formats a dictionary. Entries without a value are left out. */
export function formatDictionary(entries: Readonly<Record<string, string | number | undefined>>): string {
  let written = "";
  for (const name in entries) {
    const value = entries[name];
    if (value === undefined) continue;
    written += `${written === "" ? "" : " "}/${name} ${typeof value === "number" ? formatNumber(value) : value}`;
  }
  return `<<${written}>>`;
}
