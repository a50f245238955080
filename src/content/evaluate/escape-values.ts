// Escapes values so that they are read as words, whatever they contain. If the text around them would still turn them into syntax, the
// changed structure shows it.

/** The characters around a value that are searched for syntax that the value could complete. */
const MAX_CONTEXT_LENGTH = 100;

/** Several spaces could be code or a line break, and a line ending could be anything. */
const SPACES = /[\s\p{Cc}]+/gu;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Returns a value for a paragraph, a heading or a cell. It replaces the text from `start` to `end`. */
export function escapeForMarkdown(value: string, text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - MAX_CONTEXT_LENGTH), start);
  const after = text.slice(end, end + MAX_CONTEXT_LENGTH);
  const words = value.replace(SPACES, " ");
  let escaped = words
    .replace(PUNCTUATION, (mark, index: number) => {
      // Some marks are never syntax, others not inside a word. A dot after a `w` could begin a URL.
      const [previous, next] = [words[index - 1] ?? "", words[index + 1] ?? ""];
      const isInWord = /^[\p{L}\p{N}]$/u.test(previous) && /^[\p{L}\p{N}]$/u.test(next);
      const isHarmlessInWord = mark === "-" || mark === "_" || (mark === "." && !/w/i.test(previous));
      if (",'\"/?".includes(mark) || (isInWord && isHarmlessInWord)) return mark;
      // A backslash does not keep these two from ending something that began before the value.
      return mark === "`" || mark === "$" ? toCharacterReference(mark) : `\\${mark}`;
    })
    .replace(/^ | $/g, toCharacterReference);
  // Letters or digits at the beginning could complete syntax around the value: a reference, an emoji, a list.
  const completesName = /&#?\w*$|:[\w+-]+:$/.test(before) || (/:[\w+-]*$/.test(before) && /^[\w+-]*:|^</.test(after));
  const completesListNumber =
    /^\d+$/.test(words) && /^\d*[.)<]/.test(after) && /(?:^|[\r\n])(?:[^\S\r\n]|[>\d.)*+-])*$/.test(before);
  if (/^[\p{L}\p{N}]/u.test(words) && (completesName || completesListNumber))
    escaped = escaped.replace(/^./su, toCharacterReference);
  return /^:[\w+-]+:/.test(after) ? escaped.replace(/[\p{L}\p{N}]$/u, toCharacterReference) : escaped;
}

/** Returns a value for a block of HTML. */
export function escapeForHtml(value: string): string {
  return value.replace(SPACES, " ").replace(PUNCTUATION, toCharacterReference);
}

function toCharacterReference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
