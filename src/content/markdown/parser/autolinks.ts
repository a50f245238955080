// Addresses that are links without any mark: `www.example.com`, `https://example.com/a` and `me@example.com`.

import { isAlphanumeric, isLetter } from "./characters";

/** An address in a text: where it stands and where it leads. */
export interface Address {
  start: number;
  end: number;
  url: string;
}

const BEFORE_WWW = /[\s(*_[\]~]/;
const SCHEME = /https?:\/\//iy;

/** The web address that begins here, if one does; `until` is where it has to end. */
export function webAddressAt(text: string, at: number, until: number): Address | undefined {
  const before = text[at - 1];
  const first = text.charCodeAt(at) | 32;
  if (first === 119) {
    if (before !== undefined && !BEFORE_WWW.test(before)) return undefined;
    if (text.slice(at, at + 4).toLowerCase() !== "www.") return undefined;
    const end = endOfAddress(text, at + 4, until);
    return end === undefined ? undefined : { start: at, end, url: `http://${text.slice(at, end)}` };
  }
  if (before !== undefined && isLetter(before.charCodeAt(0))) return undefined;
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text)?.[0];
  const end = scheme && endOfAddress(text, at + scheme.length, until);
  return end ? { start: at, end, url: text.slice(at, end) } : undefined;
}

function endOfAddress(text: string, at: number, until: number): number | undefined {
  const domainEnd = endOfDomain(text, at, until);
  if (domainEnd === undefined) return undefined;
  let end = domainEnd;
  while (end < until && !/[\s<]/.test(text[end]!)) end++;
  const trimmed = withoutTrail(text, at, end);
  return trimmed > at ? trimmed : undefined;
}

/** A domain has no underscore in its last two parts, and does not begin with punctuation. */
function endOfDomain(text: string, at: number, until: number): number | undefined {
  let end = at;
  while (end < until && isDomainPart(text.charCodeAt(end))) end++;
  let last = end;
  while (last > at && /[._]/.test(text[last - 1]!)) last--;
  const domain = text.slice(at, last);
  const parent = domain.lastIndexOf(".", domain.lastIndexOf(".") - 1);
  return domain === "" || domain[0] === "." || domain.slice(parent + 1).includes("_") ? undefined : end;
}

function isDomainPart(code: number): boolean {
  return isAlphanumeric(code) || code === 45 || code === 46 || code === 95 || code > 127;
}

/** Punctuation at the end, a closing parenthesis too many, and what looks like a character reference do not belong. */
function withoutTrail(text: string, start: number, at: number): number {
  let end = at;
  let surplus: number | undefined;
  for (;;) {
    const last = text[end - 1];
    if (end <= start || last === undefined) return end;
    if (/[!"'*,.:?_~]/.test(last)) end--;
    else if (last === ")") {
      surplus ??= surplusOfClosing(text, start, end);
      if (surplus <= 0) return end;
      surplus--;
      end--;
    } else if (last === ";") {
      end = referenceBefore(text, start, end) ?? end - 1;
    } else return end;
  }
}

function surplusOfClosing(text: string, start: number, end: number): number {
  let surplus = 0;
  for (let i = start; i < end; i++) {
    if (text[i] === ")") surplus++;
    else if (text[i] === "(") surplus--;
  }
  return surplus;
}

function referenceBefore(text: string, start: number, end: number): number | undefined {
  let i = end - 2;
  while (i > start && isLetter(text.charCodeAt(i))) i--;
  return text[i] === "&" && i < end - 2 ? i : undefined;
}

/** The mail address around an `@`, if there is one; it may not begin before `from`. */
export function mailAddressAround(text: string, at: number, from: number): Address | undefined {
  let start = at;
  while (start > from && /[A-Za-z0-9._+-]/.test(text[start - 1]!)) start--;
  if (start === at || text[start - 1] === "/") return undefined;
  let end = at + 1;
  let dots = 0;
  while (end < text.length && /[A-Za-z0-9._-]/.test(text[end]!)) {
    if (text[end] === "." && !isAlphanumeric(text.charCodeAt(end + 1))) break;
    if (text[end] === ".") dots++;
    end++;
  }
  if (dots === 0 || !isLetter(text.charCodeAt(end - 1)) || text[at + 1] === ".") return undefined;
  return { start, end, url: `mailto:${text.slice(start, end)}` };
}
