// Text as Markdown that reads as the same text: possible syntax is escaped, and nothing else.

import { codePointsOf } from "../emoji";
import { isEmojiCode } from "../parser/characters";

const REFERENCE = /&(?:#[xX]?[0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});/y;
const EMOJI = /:([a-z0-9_+-]{1,64}):/y;

/** Where a text stands. */
export interface Surroundings {
  /** The character before it; "" or "\n" at the start of a line. */
  before: string;
  /** Whether something other than text follows it at once. */
  isFollowed: boolean;
  /** Whether it is the text of a link, where a bracket would end it. */
  isInLink: boolean;
}

/** A text as Markdown; it holds no line endings. */
export function escapeMarkdown(text: string, { before, isFollowed, isInLink }: Surroundings): string {
  // Inside a link an address is only text, but the parser reads it to its end. So nothing in it may need an escape.
  const isAddressSafe = isInLink && !/[\\`*_[\]~<&$!{:](?!\/\/)/.test(text);
  const start = before === "" || before === "\n" ? lineStart(text) : 0;
  const parts: string[] = [];
  let done = 0;
  const mark = (at: number) => {
    parts.push(text.slice(done, at), "\\");
    done = at;
  };
  if (start > 0) mark(start - 1);
  MAYBE_SPECIAL.lastIndex = start;
  for (let found = MAYBE_SPECIAL.exec(text); found; found = MAYBE_SPECIAL.exec(text))
    if (isSpecial(text, found.index, before, isFollowed, isInLink, isAddressSafe)) mark(found.index);
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** The characters that `isSpecial` looks at. */
const MAYBE_SPECIAL = /[\\`*[\]~_<&$!{:.@]/g;

/** The number of characters up to the one that would begin something else than a paragraph; 0 if none does. */
function lineStart(text: string): number {
  if (/^(?:#{1,6}(?:\s|$)|>|[+-](?:\s|-|$)|=+\s*$|\||:?-+:?[\s|]|:-)/.test(text.slice(0, 512))) return 1;
  const number = /^[0-9]{1,9}[.)](?:\s|$)/.exec(text.slice(0, 12));
  return number ? number[0].trimEnd().length : 0;
}

function isSpecial(
  text: string,
  i: number,
  before: string,
  isFollowed: boolean,
  isInLink: boolean,
  isAddressSafe: boolean,
): boolean {
  const previous = i === 0 ? before.slice(-1) : text[i - 1]!;
  const next = text[i + 1];
  switch (text[i]) {
    case "\\":
    case "`":
    case "*":
    case "[":
    case "~":
      return true;
    case "]":
      return isInLink;
    case "_":
      return !(isWordPart(previous) && next !== undefined && isWordPart(next));
    case "<":
      return next === undefined ? isFollowed : /[A-Za-z/!?]/.test(next);
    case "&":
      REFERENCE.lastIndex = i;
      return REFERENCE.test(text);
    case "$":
      return next === "$" || previous === "$" || (next === undefined && isFollowed);
    case "!":
      return next === undefined && isFollowed;
    case "{":
      return next === "%" || (next === undefined && isFollowed);
    case ":":
      if (isEmojiAt(text, i)) return true;
      return !isAddressSafe && text.startsWith("//", i + 1) && /https?$/i.test(text.slice(Math.max(0, i - 5), i));
    case ".":
      return !isAddressSafe && /(?:^|[^A-Za-z0-9])www$/i.test(text.slice(Math.max(0, i - 4), i));
    case "@":
      return !isAddressSafe && /[A-Za-z0-9._+-]/.test(previous) && next !== undefined && /[A-Za-z0-9]/.test(next);
    default:
      return false;
  }
}

function isEmojiAt(text: string, at: number): boolean {
  EMOJI.lastIndex = at;
  const found = EMOJI.exec(text);
  return found !== null && isEmojiCode(found[1]!) && codePointsOf(found[1]!) !== undefined;
}

function isWordPart(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** A text with every mark escaped, for places where lighter escaping was read as something else. */
export function escapeEverything(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** A text between the tags of HTML. Spaces that HTML would take together are written as references. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>]/g, named)
    .replace(/(?<![A-Za-z0-9_]):(?=[a-z0-9_+-]{1,64}:)/g, "&#58;")
    .replace(/[\t\f]|(?<= ) /g, (space) => `&#${space.charCodeAt(0)};`);
}

/** A text in the quotes of an attribute of HTML. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\r\n\t]/g, named);
}

const NAMES: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };

function named(character: string): string {
  return `&${NAMES[character] ?? `#${character.charCodeAt(0)}`};`;
}

/** A text in the quotes of a tag, on one line. */
export function quoteArgument(text: string): string {
  return quoteValue(text.replace(/[\r\n]+/g, " "));
}

/** The value of an attribute of a tag, in quotes; it may have several lines. */
export function quoteValue(text: string): string {
  return `"${text.replace(/\r\n?/g, "\n").replace(/["\\]/g, "\\$&")}"`;
}
