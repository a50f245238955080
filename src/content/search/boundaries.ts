// Finds the places where a text may be cut: between words if there is a space nearby, and never inside a visible character.

/** The most characters to the nearest space. */
const MAX_SPACE_DISTANCE = 40;
const SPACE = /\s/;
// Characters that are drawn onto the one before. Some are letters by name: Thai and Lao am, half-width voicing of kana.
const JOINS_BEFORE = /\p{M}|\p{Emoji_Modifier}|[\u0e33\u0eb3\uff9e\uff9f\u{e0020}-\u{e007f}]|\u200c|\u200d/u;
// Joiners of emoji, and of consonants in the scripts of India; first letters of Korean syllables; Arabic number signs.
const JOINS_AFTER = /\u200d|[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1100-\u115f\ua960-\ua97c\u0600-\u0605\u06dd]/;
const FLAG = /\p{Regional_Indicator}/u;
const KOREAN_LETTER = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;
const KOREAN = /[\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff]/;

/** Checks that a cut at a position leaves every visible character intact. */
export function isCutAllowed(text: string, position: number): boolean {
  if (position <= 0 || position >= text.length) return true;
  if (isSurrogatePair(text, position - 1)) return false;
  const before = String.fromCodePoint(
    text.codePointAt(isSurrogatePair(text, position - 2) ? position - 2 : position - 1)!,
  );
  const after = String.fromCodePoint(text.codePointAt(position)!);
  if (before === "\r" && after === "\n") return false;
  if (JOINS_AFTER.test(before) || JOINS_BEFORE.test(after)) return false;
  // Flags are pairs of letters, and Korean letters may form one syllable. Counting from the start would take too long, so rows of them
  // are not cut.
  if (FLAG.test(before) && FLAG.test(after)) return false;
  return !(KOREAN.test(before) && KOREAN_LETTER.test(after));
}

/** Returns a start for an excerpt between two positions: after a space, if one is near the first. */
export function findExcerptStart(text: string, from: number, latest: number): number {
  if (from <= 0) return 0;
  const last = Math.min(latest, from + MAX_SPACE_DISTANCE);
  for (let position = from; position <= last; position++) if (SPACE.test(text[position - 1]!)) return position;
  for (let position = from; position <= last; position++) if (isCutAllowed(text, position)) return position;
  return latest;
}

/** Returns an end for an excerpt, up to a position but not before `earliest`: before a space, if one is near. */
export function findExcerptEnd(text: string, to: number, earliest: number): number {
  if (to >= text.length) return text.length;
  const first = Math.max(earliest, to - MAX_SPACE_DISTANCE);
  for (let position = to; position >= first; position--) if (SPACE.test(text[position]!)) return position;
  for (let position = to; position >= first; position--) if (isCutAllowed(text, position)) return position;
  return isSurrogatePair(text, to - 1) ? to - 1 : to;
}

function isSurrogatePair(text: string, position: number): boolean {
  return (text.charCodeAt(position) & 0xfc00) === 0xd800 && (text.charCodeAt(position + 1) & 0xfc00) === 0xdc00;
}
