// Printable text: without control characters and overrides of direction, in the composed form that fonts have.

// Control characters except tab and line feed, invisible characters except the joiners that scripts and emoji need, marks and
// overrides of direction, non-characters. They would be printed as boxes, or disguise one text as another.
const UNPRINTABLE =
  /(?![\t\n\u200b-\u200d]|\ufe0f)[\p{Cc}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffc]/gu;

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Most texts need no change, which one quick check finds out. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

/** Removes unprintable characters from a text. Line breaks stay. */
export function toPrintableText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(LONE_SURROGATE, "\ufffd")
    .replace(/\r\n?|[\u2028\u2029\x85\x0b\x0c]/g, "\n")
    .replace(UNPRINTABLE, "")
    .normalize("NFC");
}

/** Returns a text on one line, cut to a length. */
export function toPrintableLine(text: string, longest: number): string {
  const line = toPrintableText(text.slice(0, longest * 4))
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join("")}…`;
}
