// Character references and backslash escapes, as CommonMark defines them.

import { getEntity } from "./entities";

const REFERENCE = /&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});/y;
const ESCAPE_OR_REFERENCE = /\\([!-/:-@[-`{-~])|&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});/g;

export function scanReference(text: string, at: number): { end: number; value: string } | undefined {
  REFERENCE.lastIndex = at;
  const found = REFERENCE.exec(text)?.[0];
  const value = found && decodeReference(found);
  return value === undefined || value === "" ? undefined : { end: at + found!.length, value };
}

export function unescapeText(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(ESCAPE_OR_REFERENCE, (found, escaped?: string) => escaped ?? decodeReference(found) ?? found);
}

export function decodeReferences(text: string): string {
  return text.replace(ESCAPE_OR_REFERENCE, (found, escaped?: string) =>
    escaped === undefined ? (decodeReference(found) ?? found) : found,
  );
}

function decodeReference(reference: string): string | undefined {
  if (reference[1] !== "#") return getEntity(reference.slice(1, -1));
  const digits = reference.slice(2, -1);
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  const isForbidden =
    code < 9 ||
    code === 11 ||
    (code > 13 && code < 32) ||
    (code > 126 && code < 160) ||
    (code > 55295 && code < 57344) ||
    (code > 64975 && code < 65008) ||
    (code & 65535) === 65535 ||
    (code & 65535) === 65534 ||
    code > 1114111;
  return isForbidden ? "\uFFFD" : String.fromCodePoint(code);
}
