// Emoji by their short names and by their code points. Documents have the code points, `1f604`, and texts usually have
// the name, `:smile:`. A name that no emoji has is plain text.

import named from "markdown-it-emoji/lib/data/full.mjs";
import type { InlineData } from "../document";

/** Characters that are one emoji: a keycap, a flag, or a picture with its modifiers and what is joined to it. */
const PICTURE =
  /^(?:[#*0-9]\ufe0f?\u20e3|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\p{Extended_Pictographic}|\ufe0e|\ufe0f|\u200d|[\u{e0020}-\u{e007f}])*)$/u;
/** Code points with `-` between them, short enough to stand between two colons of a text. */
const CODE_POINTS = /^(?=.{2,64}$)[0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*$/i;

/** The code points of the emoji that has this short name or these code points; undefined when none has. */
export function codePointsOf(code: string): string | undefined {
  if (Object.hasOwn(named, code)) return codePointsIn(named[code]!);
  if (!CODE_POINTS.test(code)) return undefined;
  const points = code.split("-").map((point) => Number.parseInt(point, 16));
  if (points.some((point) => point > 0x10ffff)) return undefined;
  const picture = String.fromCodePoint(...points);
  return PICTURE.test(picture) ? codePointsIn(picture) : undefined;
}

function codePointsIn(picture: string): string {
  return Array.from(picture, (character) => character.codePointAt(0)!.toString(16)).join("-");
}

/** What stands between two colons in a text is an emoji: its code points, and how it was written. */
export function emojiWritten(name: string): InlineData["emoji"] | undefined {
  const code = codePointsOf(name);
  return code === undefined ? undefined : { code, name };
}

/** An emoji in normal form: `code` may be a short name, and `name` counts only if it means the same. */
export function normalEmoji({ code, name }: InlineData["emoji"]): InlineData["emoji"] | undefined {
  const points = codePointsOf(code);
  if (points === undefined) return undefined;
  const isName = name !== undefined && name === name.toLowerCase() && codePointsOf(name) === points;
  if (isName) return { code: points, name };
  return { code: points, name: code === points ? (names().get(points) ?? points) : code.toLowerCase() };
}

/** The characters of the emoji with a short name or with code points; undefined when there is none. */
export function emojiShown(code: string): string | undefined {
  const points = codePointsOf(code);
  return points && String.fromCodePoint(...points.split("-").map((point) => Number.parseInt(point, 16)));
}

/** An emoji as a text has it. */
export function writtenEmoji({ code, name }: InlineData["emoji"]): string {
  return `:${name ?? names().get(code) ?? code}:`;
}

let known: Map<string, string> | undefined;

/** The first name of each emoji, by its code points. */
function names(): ReadonlyMap<string, string> {
  if (known) return known;
  known = new Map();
  for (const [name, picture] of Object.entries(named)) {
    const points = codePointsIn(picture);
    if (!known.has(points)) known.set(points, name);
  }
  return known;
}
