// The parts of links: labels, destinations, titles, and the link reference definitions that consist of them. Every scan
// stops at the first character that cannot belong to the part, so that failed attempts stay short.

import { MAX_LABEL_LENGTH, MAX_PARENTHESES } from "../limits";
import { unescapeText } from "./character-references";
import { isEscapable, isSpaceOrEnding, normalizeLabel, skipSpaces, skipWhitespace } from "./characters";

const BACKSLASH = 92;

/** The destination and the title of a link. */
export interface LinkResource {
  url: string;
  title: string | null;
}

/** A part of a link, and the offset after it. */
interface Scanned<Value> {
  end: number;
  value: Value;
}

/** Scans the link label at `[`. Its value has no brackets. */
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

/** Scans a link destination: `<anything on a line>`, or characters without spaces. Its value is unescaped. */
export function scanDestination(text: string, at: number): Scanned<string> | undefined {
  let i = at;
  if (text[at] === "<") {
    for (i++; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === BACKSLASH && isEscapable(text.charCodeAt(i + 1))) i++;
      else if (code === 62) return { end: i + 1, value: unescapeText(text.slice(at + 1, i)) };
      else if (code === 60 || code === 10 || code === 13) return undefined;
    }
    return undefined;
  }

  let open = 0;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isSpaceOrEnding(code)) break;
    if (code < 32 || code === 127) return undefined;
    if (code === BACKSLASH && isEscapable(text.charCodeAt(i + 1))) i++;
    else if (code === 40 && ++open > MAX_PARENTHESES) return undefined;
    else if (code === 41 && --open < 0) break;
  }
  return open > 0 ? undefined : { end: i, value: unescapeText(text.slice(at, i)) };
}

/** Scans a link title in double quotes, single quotes or parentheses. */
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

/** Scans the destination and title in parentheses after a link's text. */
export function scanResource(text: string, at: number): Scanned<LinkResource> | undefined {
  if (text[at] !== "(") return undefined;
  const destination = scanDestination(text, skipWhitespace(text, at + 1));
  if (!destination) return undefined;
  let end = skipWhitespace(text, destination.end);
  let title: string | null = null;
  if (end > destination.end) {
    const scanned = scanTitle(text, end);
    if (scanned) {
      title = scanned.value;
      end = skipWhitespace(text, scanned.end);
    }
  }
  return text[end] === ")" ? { end: end + 1, value: { url: destination.value, title } } : undefined;
}

/** Scans the link reference definition at an offset of a paragraph. It ends where the next line starts. */
export function scanDefinition(
  text: string,
  at: number,
): Scanned<LinkResource & { identifier: string; label: string; last: number }> | undefined {
  const label = scanLabel(text, at);
  if (!label || text[label.end] !== ":") return undefined;
  const start = skipWhitespace(text, label.end + 1);
  const destination = scanDestination(text, start);
  if (!destination || destination.end === start) return undefined;

  // The rest of the line must be blank after the title, or after the destination.
  const behind = skipWhitespace(text, destination.end);
  const title = behind > destination.end ? scanTitle(text, behind) : undefined;
  for (const [part, value] of [
    [title, title?.value ?? null],
    [destination, null],
  ] as const) {
    const lineEnd = part && skipSpaces(text, part.end, text.length);
    if (lineEnd === undefined || (lineEnd < text.length && text[lineEnd] !== "\n")) continue;
    const { value: url } = destination;
    return {
      end: Math.min(lineEnd + 1, text.length),
      value: { identifier: normalizeLabel(label.value), label: label.value, url, title: value, last: part!.end },
    };
  }
  return undefined;
}
