// Emoji by their short names and by their code points. A document has the code points, `1f604`, and a text usually has the
// short name, `:smile:`. An unknown name is plain text.

import named from "markdown-it-emoji/lib/data/full.mjs";
import type { InlineData } from "../document";

const KEYCAP_OR_FLAG = /^(?:[#*0-9]\ufe0f?\u20e3|\p{Regional_Indicator}{2})$/u;
/** A pictograph with its modifiers and the pictographs that are joined to it. */
const PICTOGRAPH =
  /^\p{Extended_Pictographic}(?:[\p{Emoji_Modifier}\p{Extended_Pictographic}]|[\ufe0e\ufe0f]|\u200d|[\u{e0020}-\u{e007f}])*$/u;
/** Code points separated by `-`, short enough for an emoji in a text. */
const CODE_POINTS = /^(?=.{2,64}$)[0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*$/i;

/** Returns the code points of an emoji by its short name or its code points; undefined for an unknown one. */
export function getEmojiCodePoints(code: string): string | undefined {
  if (Object.hasOwn(named, code)) return toCodePoints(named[code]!);
  if (!CODE_POINTS.test(code)) return undefined;
  const points = code.split("-").map((point) => Number.parseInt(point, 16));
  if (points.some((point) => point > 0x10ffff)) return undefined;
  const picture = String.fromCodePoint(...points);
  return KEYCAP_OR_FLAG.test(picture) || PICTOGRAPH.test(picture) ? toCodePoints(picture) : undefined;
}

function toCodePoints(picture: string): string {
  return Array.from(picture, (character) => character.codePointAt(0)!.toString(16)).join("-");
}

/** Normalizes an emoji: `code` may be a short name, and `name` counts only if it means the same emoji. */
export function normalizeEmoji({ code, name }: InlineData["emoji"]): InlineData["emoji"] | undefined {
  const points = getEmojiCodePoints(code);
  if (points === undefined) return undefined;
  const isName = name !== undefined && name === name.toLowerCase() && getEmojiCodePoints(name) === points;
  if (isName) return { code: points, name };
  return { code: points, name: code === points ? (getEmojiNames().get(points) ?? points) : code.toLowerCase() };
}

export function writeEmoji({ code, name }: InlineData["emoji"]): string {
  return `:${name ?? getEmojiNames().get(code) ?? code}:`;
}

let nameByCodePoints: Map<string, string> | undefined;

/** Returns the first name of each emoji, by its code points. */
function getEmojiNames(): ReadonlyMap<string, string> {
  if (nameByCodePoints) return nameByCodePoints;
  nameByCodePoints = new Map();
  for (const [name, picture] of Object.entries(named)) {
    const points = toCodePoints(picture);
    if (!nameByCodePoints.has(points)) nameByCodePoints.set(points, name);
  }
  return nameByCodePoints;
}
