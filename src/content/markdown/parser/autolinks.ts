// GFM's extended autolinks, without angle brackets: `www.example.com`, `https://example.com/a` and `me@example.com`.

import { isAlphanumeric, isLetter } from "./characters";

/** An autolink: its place in the text, and its URL. */
export interface Autolink {
  start: number;
  end: number;
  url: string;
}

const BEFORE_WWW = /[\s(*_[\]~]/;
const SCHEME = /https?:\/\//iy;

/** Scans the web autolink that begins at an offset. It ends at `until` at the latest. */
export function scanWebAutolink(text: string, at: number, until: number): Autolink | undefined {
  const before = text[at - 1];
  const first = text.charCodeAt(at) | 32;
  if (first === 119) {
    if (before !== undefined && !BEFORE_WWW.test(before)) return undefined;
    if (text.slice(at, at + 4).toLowerCase() !== "www.") return undefined;
    const end = findUrlEnd(text, at + 4, until);
    return end === undefined ? undefined : { start: at, end, url: `http://${text.slice(at, end)}` };
  }
  if (before !== undefined && isLetter(before.charCodeAt(0))) return undefined;
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text)?.[0];
  const end = scheme && findUrlEnd(text, at + scheme.length, until);
  return end ? { start: at, end, url: text.slice(at, end) } : undefined;
}

function findUrlEnd(text: string, at: number, until: number): number | undefined {
  let end = at;
  while (end < until) {
    const code = text.charCodeAt(end);
    // `-`, `.`, `_` and characters beyond ASCII.
    if (!isAlphanumeric(code) && code !== 45 && code !== 46 && code !== 95 && code <= 127) break;
    end++;
  }
  let last = end;
  while (last > at && /[._]/.test(text[last - 1]!)) last--;
  const domain = text.slice(at, last);
  // A domain has no underscore in its last two parts, and does not begin with punctuation.
  const parent = domain.lastIndexOf(".", domain.lastIndexOf(".") - 1);
  if (domain === "" || domain[0] === "." || domain.slice(parent + 1).includes("_")) return undefined;
  while (end < until && !/[\s<]/.test(text[end]!)) end++;

  // Trailing punctuation, unbalanced closing parentheses, and what looks like a character reference do not belong to the URL.
  /** The closing parentheses that have no opening one, counted when the first is met. */
  let unbalanced: number | undefined;
  for (;;) {
    const last = text[end - 1];
    if (end <= at || last === undefined) break;
    if (/[!"'*,.:?_~]/.test(last)) end--;
    else if (last === ")") {
      if (unbalanced === undefined) {
        unbalanced = 0;
        for (let i = at; i < end; i++) {
          if (text[i] === ")") unbalanced++;
          else if (text[i] === "(") unbalanced--;
        }
      }
      if (unbalanced <= 0) break;
      unbalanced--;
      end--;
    } else if (last === ";") {
      let i = end - 2;
      while (i > at && isLetter(text.charCodeAt(i))) i--;
      end = text[i] === "&" && i < end - 2 ? i : end - 1;
    } else break;
  }
  return end > at ? end : undefined;
}

/** Scans the email autolink around an `@`. It begins at `from` at the earliest. */
export function scanEmailAutolink(text: string, at: number, from: number): Autolink | undefined {
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
