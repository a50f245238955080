// Where a text may be cut: between words where there is a gap nearby, and never inside what a reader sees as one character.

const nearby = 40;
const space = /\s/;
const clings = /\p{M}|\p{Emoji_Modifier}|\u200c|\u200d|[\u{e0020}-\u{e007f}]/u;
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
  if (before === "\u200d" || clings.test(after)) return false;
  // Flags are two letters each, and Korean letters may build one syllable: neither is worth counting through from the start.
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
