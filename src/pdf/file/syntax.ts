// How values are written in a PDF file. Everything that comes out is ASCII.

/** The number of an object in the file. */
export type ObjectId = number;

/** A reference to an object. */
export function refer(id: ObjectId): string {
  return `${id} 0 R`;
}

/** A number, to the hundredth of a point. */
export function number(value: number): string {
  const hundredths = Math.round(value * 100);
  // Whole numbers are written many times faster than others, and a sheet has thousands.
  if (hundredths % 100 === 0 || !(Math.abs(hundredths) < MOST_HUNDREDTHS)) return whole(hundredths / 100);
  const size = Math.abs(hundredths);
  return `${hundredths < 0 ? "-" : ""}${Math.floor(size / 100)}${FRACTIONS[size % 100]}`;
}

const MOST_HUNDREDTHS = 1e9;
const FRACTIONS = Array.from({ length: 100 }, (_, at) => String(at / 100).slice(1));

function whole(value: number): string {
  return Number.isFinite(value) ? String(value === 0 ? 0 : value) : "0";
}

/** Numbers with spaces between them. */
export function numbers(...values: number[]): string {
  let written = number(values[0]!);
  for (let at = 1; at < values.length; at++) written += ` ${number(values[at]!)}`;
  return written;
}

/** A text that people read: UTF-16, because the other encoding knows Latin only. */
export function text(value: string): string {
  return `<FEFF${utf16(value)}>`;
}

/** A string of ASCII characters, a URL for example. */
export function ascii(value: string): string {
  return `(${value.replace(/[^\x20-\x7e]/g, "").replace(/[\\()]/g, "\\$&")})`;
}

/** The code units of a text in hexadecimal digits. */
export function utf16(value: string): string {
  let digits = "";
  for (let at = 0; at < value.length; at++) digits += hexadecimal(value.charCodeAt(at), 4);
  return digits;
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, "0"));

/** A number of one or two bytes in hexadecimal digits. */
export function hexadecimal(value: number, digits: 2 | 4): string {
  return digits === 2 ? BYTES[value & 0xff]! : BYTES[(value >> 8) & 0xff]! + BYTES[value & 0xff]!;
}

/** A moment, in UTC. */
export function moment(date: Date): string {
  return Number.isNaN(date.getTime()) ? "()" : `(D:${date.toISOString().replace(/\D/g, "").slice(0, 14)}Z)`;
}

/** A dictionary; entries without a value are left out. */
export function dictionary(entries: Readonly<Record<string, string | number | undefined>>): string {
  let written = "";
  for (const name in entries) {
    const value = entries[name];
    if (value === undefined) continue;
    written += `${written === "" ? "" : " "}/${name} ${typeof value === "number" ? number(value) : value}`;
  }
  return `<<${written}>>`;
}
