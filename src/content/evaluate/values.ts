// Writes values so that they read as words, whatever they hold. If their surroundings would still turn them into
// syntax, the changed shape shows it.

/** How far around a value syntax is searched for that it could complete. */
const NEAR = 100;

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** A value for a paragraph, a heading or a cell, at the place from `start` to `end` of a text. */
export function asMarkdown(value: string, text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - NEAR), start);
  const behind = text.slice(end, end + NEAR);
  const words = onOneLine(value);
  const escaped = words
    .replace(PUNCTUATION, (mark, at: number) => (isHarmless(mark, words, at) ? mark : withoutMeaning(mark)))
    .replace(/^ | $/g, reference);
  const started = completes(words, before, behind) ? escaped.replace(/^./su, reference) : escaped;
  return /^:[\w+-]+:/.test(behind) ? started.replace(/[\p{L}\p{N}]$/u, reference) : started;
}

/** A value for a block of HTML. */
export function asHtml(value: string): string {
  return onOneLine(value).replace(PUNCTUATION, reference);
}

/** Several spaces could be code or a line break, and a line ending could be anything. */
function onOneLine(value: string): string {
  return value.replace(/[\s\p{Cc}]+/gu, " ");
}

/** Characters that are never syntax, and those that are not syntax inside a word. A dot after a `w` could make an
 * address. */
function isHarmless(mark: string, words: string, at: number): boolean {
  if (",'\"/?".includes(mark)) return true;
  const [before, behind] = [words[at - 1] ?? "", words[at + 1] ?? ""];
  if (!/^[\p{L}\p{N}]$/u.test(before) || !/^[\p{L}\p{N}]$/u.test(behind)) return false;
  return mark === "-" || mark === "_" || (mark === "." && !/w/i.test(before));
}

/** A backslash does not keep these two from ending something that began before the value. */
function withoutMeaning(mark: string): string {
  return mark === "`" || mark === "$" ? reference(mark) : `\\${mark}`;
}

/** Whether letters or digits at the beginning would complete what stands around: a reference, an emoji, a list. */
function completes(words: string, before: string, behind: string): boolean {
  if (!/^[\p{L}\p{N}]/u.test(words)) return false;
  if (/&#?\w*$|:[\w+-]+:$/.test(before)) return true;
  if (/:[\w+-]*$/.test(before) && /^[\w+-]*:|^</.test(behind)) return true;
  return /^\d+$/.test(words) && /^\d*[.)<]/.test(behind) && /(?:^|[\r\n])(?:[^\S\r\n]|[>\d.)*+-])*$/.test(before);
}

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
