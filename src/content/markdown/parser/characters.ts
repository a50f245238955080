// The character classes that CommonMark defines, and functions that trim text by them.

const PUNCTUATION = /[\p{P}\p{S}]/u;
const WHITESPACE = /\s/;

/** Returns true for an ASCII letter or digit. */
export function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || isLetter(code);
}

export function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Returns true for ASCII punctuation, which a backslash escapes. */
export function isEscapable(code: number): boolean {
  return (
    (code >= 33 && code <= 47) ||
    (code >= 58 && code <= 64) ||
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126)
  );
}

export function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

export function isSpaceOrEnding(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** Returns the class of a character by the rules of emphasis. The start and the end of a text count as space. */
export function classifyCharacter(character: string | undefined): "space" | "punctuation" | "other" {
  if (character === undefined || WHITESPACE.test(character)) return "space";
  return PUNCTUATION.test(character) ? "punctuation" : "other";
}

/** Normalizes the label of a definition, as CommonMark does to match labels. */
export function normalizeLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, " ")
    .replace(/^ | $/g, "")
    .toLowerCase()
    .toUpperCase();
}

/** A text that can name an emoji between two colons: a time or a small number cannot. */
export const EMOJI_CODE = /[a-z]|^[+-]1$|^100$|^[0-9]{4,5}$/;

/** Removes spaces and tabs around a text. Other whitespace is text to Markdown. */
export function trimSpaces(text: string): string {
  const start = skipSpaces(text, 0, text.length);
  return text.slice(start, findTrimmedEnd(text, start, text.length));
}

/** Returns the offset of the first character from `at` on that is neither a space nor a tab; `end` if there is none. */
export function skipSpaces(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** Returns the offset of the first character from `at` on that is neither a space, a tab nor a line ending. */
export function skipWhitespace(text: string, at: number): number {
  let i = at;
  while (i < text.length && isSpaceOrEnding(text.charCodeAt(i))) i++;
  return i;
}

/** Returns the end of a part of a text without trailing spaces and tabs. */
export function findTrimmedEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isSpace(text.charCodeAt(last - 1))) last--;
  return last;
}

/** Removes spaces, tabs and line endings around a text. */
export function trimBlank(text: string): string {
  const start = skipWhitespace(text, 0);
  let end = text.length;
  while (end > start && isSpaceOrEnding(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
