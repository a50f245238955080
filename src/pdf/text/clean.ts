// Text as it may be printed: no control characters, nothing that changes the direction of what follows, and in the composed
// form that fonts know.

// Control characters except tab and line feed, invisible characters except the joiners that scripts and emoji need, marks and
// overrides of direction, non-characters. They would be boxes, or make a text read as another one.
const UNPRINTABLE =
  /(?![\t\n\u200b-\u200d]|\ufe0f)[\p{Cc}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffc]/gu;

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Most texts have nothing to be changed, which one look finds out. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

/** A text without what cannot be printed. Lines are kept. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(LONE_SURROGATE, "\ufffd")
    .replace(/\r\n?|[\u2028\u2029\x85\x0b\x0c]/g, "\n")
    .replace(UNPRINTABLE, "")
    .normalize("NFC");
}

/** A text on one line, cut to a length. */
export function oneLine(text: string, longest: number): string {
  const line = printable(text.slice(0, longest * 4))
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join("")}…`;
}
