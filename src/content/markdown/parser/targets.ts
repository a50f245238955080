// The parts of links: labels, destinations, titles, and the definitions that are made of them. Every scan stops at
// the first character that cannot belong, so that failed attempts stay short.

import { MAX_LABEL_LENGTH, MAX_PARENTHESES } from "../limits";
import { isEscapable, isSpace, isSpaceOrEnding, normalizeLabel } from "./characters";
import { unescapeText } from "./references";

const BACKSLASH = 92;

/** What a definition gives to the links that name it. */
export interface Target {
  url: string;
  title: string | null;
}

/** A part of a link, and where it ends. */
interface Scanned<Value> {
  end: number;
  value: Value;
}

/** The label at `[`, without its brackets. */
export function scanLabel(text: string, at: number): Scanned<string> | undefined {
  if (text[at] !== "[") return undefined;
  const limit = Math.min(text.length, at + MAX_LABEL_LENGTH + 2);
  for (let i = at + 1; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH && isEscapable(text.charCodeAt(i + 1))) i++;
    else if (code === 91) return undefined;
    else if (code === 93) {
      const value = text.slice(at + 1, i);
      return /[^\t\n\r ]/.test(value) ? { end: i + 1, value } : undefined;
    }
  }
  return undefined;
}

/** The destination of a link: `<anything on a line>` or a run without spaces, with its escapes undone. */
export function scanDestination(text: string, at: number): Scanned<string> | undefined {
  return text[at] === "<" ? scanPointed(text, at) : scanBare(text, at);
}

function scanPointed(text: string, at: number): Scanned<string> | undefined {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH && isEscapable(text.charCodeAt(i + 1))) i++;
    else if (code === 62) return { end: i + 1, value: unescapeText(text.slice(at + 1, i)) };
    else if (code === 60 || code === 10 || code === 13) return undefined;
  }
  return undefined;
}

function scanBare(text: string, at: number): Scanned<string> | undefined {
  let open = 0;
  let i = at;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isSpaceOrEnding(code)) break;
    if (code < 32 || code === 127) return undefined;
    if (code === BACKSLASH && isEscapable(text.charCodeAt(i + 1))) i++;
    else if (code === 40 && ++open > MAX_PARENTHESES) return undefined;
    else if (code === 41 && --open < 0) break;
  }
  if (open > 0) return undefined;
  return { end: i, value: unescapeText(text.slice(at, i)) };
}

/** The title of a link in double quotes, single quotes or parentheses. */
export function scanTitle(text: string, at: number): Scanned<string> | undefined {
  const opening = text[at];
  const closing = opening === "(" ? 41 : opening === '"' ? 34 : opening === "'" ? 39 : undefined;
  if (closing === undefined) return undefined;
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH && isEscapable(text.charCodeAt(i + 1))) i++;
    else if (code === closing) return { end: i + 1, value: unescapeText(text.slice(at + 1, i)) };
    else if (code === 40 && closing === 41) return undefined;
  }
  return undefined;
}

/** The first offset from here that holds neither a space nor a line ending. */
export function skipSpace(text: string, at: number): number {
  let i = at;
  while (i < text.length && isSpaceOrEnding(text.charCodeAt(i))) i++;
  return i;
}

/** What stands in the parentheses behind a link's text. */
export function scanResource(text: string, at: number): Scanned<Target> | undefined {
  if (text[at] !== "(") return undefined;
  const destination = scanDestination(text, skipSpace(text, at + 1));
  if (!destination) return undefined;
  let end = skipSpace(text, destination.end);
  let title: string | null = null;
  if (end > destination.end) {
    const scanned = scanTitle(text, end);
    if (scanned) {
      title = scanned.value;
      end = skipSpace(text, scanned.end);
    }
  }
  return text[end] === ")" ? { end: end + 1, value: { url: destination.value, title } } : undefined;
}

/** The definition that begins at an offset of a paragraph, and the start of what follows it. */
export function scanDefinition(
  text: string,
  at: number,
): Scanned<Target & { identifier: string; label: string; last: number }> | undefined {
  const label = scanLabel(text, at);
  if (!label || text[label.end] !== ":") return undefined;
  const start = skipSpace(text, label.end + 1);
  const destination = scanDestination(text, start);
  if (!destination || destination.end === start) return undefined;

  const found = (end: number, title: string | null, last: number) => ({
    end,
    value: { identifier: normalizeLabel(label.value), label: label.value, url: destination.value, title, last },
  });
  const behind = skipSpace(text, destination.end);
  const title = behind > destination.end ? scanTitle(text, behind) : undefined;
  const titled = title && endOfLine(text, title.end);
  if (titled !== undefined) return found(titled, title!.value, title!.end);
  const bare = endOfLine(text, destination.end);
  return bare === undefined ? undefined : found(bare, null, destination.end);
}

/** The start of the next line, when nothing but spaces is left of this one. */
function endOfLine(text: string, at: number): number | undefined {
  let i = at;
  while (i < text.length && isSpace(text.charCodeAt(i))) i++;
  if (i === text.length) return i;
  return text[i] === "\n" ? i + 1 : undefined;
}
