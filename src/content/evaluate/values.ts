// Values written so that they read as words, whatever they hold. Where what stands around a value would make something else of
// it even so, its shape gives it away.

/** How far around a value one looks for syntax that it could complete. */
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

/** Runs of spaces could be code or a break, a line ending anything at all. */
function onOneLine(value: string): string {
  return value.replace(/[\s\p{Cc}]+/gu, " ");
}

/** Marks that are never syntax, and those that are none inside a word; but a dot behind a `w` could make an address of it. */
function isHarmless(mark: string, words: string, at: number): boolean {
  if (",'\"/?".includes(mark)) return true;
  const [before, behind] = [words[at - 1] ?? "", words[at + 1] ?? ""];
  if (!/^[\p{L}\p{N}]$/u.test(before) || !/^[\p{L}\p{N}]$/u.test(behind)) return false;
  return mark === "-" || mark === "_" || (mark === "." && !/w/i.test(before));
}

/** A backslash does not keep these two from ending what began before the value. */
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
