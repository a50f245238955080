// Classes of characters, as CommonMark defines them, and texts without the space around them.

const PUNCTUATION = /[\p{P}\p{S}]/u;
const WHITESPACE = /\s/;

/** Whether a code is a letter or a digit of ASCII. */
export function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || isLetter(code);
}

/** Whether a code is a letter of ASCII. */
export function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Whether a backslash before this code escapes it. */
export function isEscapable(code: number): boolean {
  return (
    (code >= 33 && code <= 47) ||
    (code >= 58 && code <= 64) ||
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126)
  );
}

/** Whether a code is a space or a tab. */
export function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

/** Whether a code is a space, a tab or a line ending. */
export function isSpaceOrEnding(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** What a character is for the rules of emphasis; the ends of a text count as space. */
export function classOf(character: string | undefined): "space" | "punctuation" | "other" {
  if (character === undefined || WHITESPACE.test(character)) return "space";
  return PUNCTUATION.test(character) ? "punctuation" : "other";
}

/** A label of a definition in the form that labels are compared in. */
export function normalizeLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, " ")
    .replace(/^ | $/g, "")
    .toLowerCase()
    .toUpperCase();
}

/** Whether what stands between two colons may name an emoji: a time or a small number does not. */
export function isEmojiCode(code: string): boolean {
  return /[a-z]|^[+-]1$|^100$|^[0-9]{4,5}$/.test(code);
}

/** A text without spaces and tabs around it; other space is text to Markdown. */
export function trimSpaces(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text.charCodeAt(start))) start++;
  return text.slice(start, trimEnd(text, start, text.length));
}

/** Where a stretch of a text ends without the spaces and tabs at its end. */
export function trimEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isSpace(text.charCodeAt(last - 1))) last--;
  return last;
}

/** A text without spaces, tabs and line endings around it. */
export function trimBlank(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpaceOrEnding(text.charCodeAt(start))) start++;
  while (end > start && isSpaceOrEnding(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
