// Escapes text so that it is read as the same text: only possible syntax is escaped.

import { getEmojiCodePoints } from "./emoji";
import { EMOJI_CODE } from "./parser/characters";

const REFERENCE = /&(?:#[xX]?[0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});/y;
const EMOJI = /:([a-z0-9_+-]{1,64}):/y;

const WORD_PART = /[\p{L}\p{N}]/u;

export interface EscapeContext {
  /** The character before it; "" or "\n" at the start of a line. */
  before: string;
  /** True if something other than text follows it immediately. */
  isFollowed: boolean;
  /** True for the text of a link, where a bracket would end it. */
  isInLink: boolean;
}

/** Escapes a text without line endings. */
export function escapeMarkdown(text: string, { before, isFollowed, isInLink }: EscapeContext): string {
  // A URL in a link is only text, but the parser reads it to its end. So nothing in it may need an escape.
  const isAddressSafe = isInLink && !/[\\`*_[\]~<&$!{:](?!\/\/)/.test(text);
  /** The number of characters up to the one that would begin another block than a paragraph; 0 if none does. */
  let start = 0;
  if (before === "" || before === "\n") {
    if (/^(?:#{1,6}(?:\s|$)|>|[+-](?:\s|-|$)|=+\s*$|\||:?-+:?[\s|]|:-)/.test(text.slice(0, 512))) start = 1;
    else start = (/^[0-9]{1,9}[.)](?=\s|$)/.exec(text.slice(0, 12))?.[0] ?? "").length;
  }
  const parts: string[] = [];
  let done = 0;
  const mark = (at: number) => {
    parts.push(text.slice(done, at), "\\");
    done = at;
  };
  if (start > 0) mark(start - 1);
  MAYBE_SPECIAL.lastIndex = start;
  for (let match = MAYBE_SPECIAL.exec(text); match; match = MAYBE_SPECIAL.exec(text))
    if (isSpecial(text, match.index, before, isFollowed, isInLink, isAddressSafe)) mark(match.index);
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** The characters that `isSpecial` looks at. */
const MAYBE_SPECIAL = /[\\`*[\]~_<&$!{:.@]/g;

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
      return !(WORD_PART.test(previous) && next !== undefined && WORD_PART.test(next));
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
    case ":": {
      EMOJI.lastIndex = i;
      const name = EMOJI.exec(text)?.[1];
      if (name !== undefined && EMOJI_CODE.test(name) && getEmojiCodePoints(name) !== undefined) return true;
      return !isAddressSafe && text.startsWith("//", i + 1) && /https?$/i.test(text.slice(Math.max(0, i - 5), i));
    }
    case ".":
      return !isAddressSafe && /(?:^|[^A-Za-z0-9])www$/i.test(text.slice(Math.max(0, i - 4), i));
    case "@":
      return !isAddressSafe && /[A-Za-z0-9._+-]/.test(previous) && next !== undefined && /[A-Za-z0-9]/.test(next);
    default:
      return false;
  }
}

/** Escapes all punctuation, for texts that are read as something else with fewer escapes. */
export function escapeEverything(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** Escapes text of HTML. Spaces that HTML would collapse become character references. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>]/g, toCharacterReference)
    .replace(/(?<![A-Za-z0-9_]):(?=[a-z0-9_+-]{1,64}:)/g, "&#58;")
    .replace(/[\t\f]|(?<= ) /g, (space) => `&#${space.charCodeAt(0)};`);
}

export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\r\n\t]/g, toCharacterReference);
}

const NAMES: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };

function toCharacterReference(character: string): string {
  return `&${NAMES[character] ?? `#${character.charCodeAt(0)}`};`;
}

/** Quotes the value of a tag's attribute, which may have several lines. */
export function quoteValue(text: string): string {
  return `"${text.replace(/\r\n?/g, "\n").replace(/["\\]/g, "\\$&")}"`;
}

export function formatHtmlAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeAttribute(String(value))}"`)
    .join(" ");
}
