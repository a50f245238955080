// Where a text may be cut: between words if there is a space nearby, and never inside a visible character.

const nearby = 40;
const space = /\s/;
// Letters by name, but drawn onto the one before: Thai and Lao am, half-width voicing of kana.
const clings = /\p{M}|\p{Emoji_Modifier}|[\u0e33\u0eb3\uff9e\uff9f\u{e0020}-\u{e007f}]|\u200c|\u200d/u;
// Joiners of emoji, and of consonants in the scripts of India; first letters of Korean syllables; Arabic number signs.
const holds = /\u200d|[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1100-\u115f\ua960-\ua97c\u0600-\u0605\u06dd]/;
const flag = /\p{Regional_Indicator}/u;
const koreanLetter = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;
const korean = /[\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff]/;

/** Whether a cut here leaves every character that a reader sees in one piece. */
export function mayCut(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (isPairAt(text, at - 1)) return false;
  const before = String.fromCodePoint(text.codePointAt(isPairAt(text, at - 2) ? at - 2 : at - 1)!);
  const after = String.fromCodePoint(text.codePointAt(at)!);
  if (before === "\r" && after === "\n") return false;
  if (holds.test(before) || clings.test(after)) return false;
  // Flags are pairs of letters, and Korean letters may form one syllable. Counting from the start would cost too much,
  // so these are not cut.
  if (flag.test(before) && flag.test(after)) return false;
  return !(korean.test(before) && koreanLetter.test(after));
}

/** A place from here on, but not past `latest`, where an excerpt may begin: behind a space, if one is near. */
export function startFrom(text: string, at: number, latest: number): number {
  if (at <= 0) return 0;
  const last = Math.min(latest, at + nearby);
  for (let place = at; place <= last; place++) if (space.test(text[place - 1]!)) return place;
  for (let place = at; place <= last; place++) if (mayCut(text, place)) return place;
  return latest;
}

/** A place up to here, but not before `earliest`, where an excerpt may end: before a space, if one is near. */
export function endUpTo(text: string, at: number, earliest: number): number {
  if (at >= text.length) return text.length;
  const first = Math.max(earliest, at - nearby);
  for (let place = at; place >= first; place--) if (space.test(text[place]!)) return place;
  for (let place = at; place >= first; place--) if (mayCut(text, place)) return place;
  return isPairAt(text, at - 1) ? at - 1 : at;
}

function isPairAt(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}
