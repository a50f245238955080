// The emoji that can be drawn, and what is drawn of a text. Of a sequence that has no drawing, its parts are drawn; tones of
// skin are left out.

import { loadLazily } from "../../utils/lazy";
import { unpackAll } from "../file/packing";

/** Drawings by their code points, as `1f468-200d-1f4bb`. */
export type Emoji = ReadonlyMap<string, string>;

/** What takes the place of an emoji for which there is no drawing. */
const TOGETHER: Readonly<Record<string, string>> = {
  "1f46a": "1f468 1f469 1f466",
  "1f46b": "1f469 1f468",
  "1f46c": "1f468 1f468",
  "1f46d": "1f469 1f469",
  "1f48f": "1f469 1f48b 1f468",
  "1f491": "1f469 2764 1f468",
};

/** Selectors, tones of skin, joiners. */
const UNSEEN = /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;

/** A pair of letters that names a country; else a character with all that is joined to it. */
const CLUSTER = /[\u{1f1e6}-\u{1f1ff}]{2}|[^\u200d](?:\u200d[^\u200d])*|\u200d/gu;

/** The drawings, read when the first emoji is printed. */
export const loadEmoji: () => Promise<Emoji> = loadLazily(async () => {
  const { drawings } = await import("./drawings");
  const lines = new TextDecoder().decode(await unpackAll(bytesOf(atob(drawings)))).split("\n");
  return new Map(
    lines.map((line) => {
      const end = line.indexOf(" ");
      return [line.slice(0, end), line.slice(end + 1)] as const;
    }),
  );
});

function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

/** Whether a character may be an emoji, or a part of one. */
export function mayBeEmoji(codePoint: number): boolean {
  return codePoint > 0x2000 && /[\p{Extended_Pictographic}\p{Emoji_Component}]/u.test(String.fromCodePoint(codePoint));
}

/** Whether a character is an emoji without being asked to. */
export function isAlwaysEmoji(character: string): boolean {
  return /^\p{Emoji_Presentation}/u.test(character);
}

/** Whether a character can be drawn, or has a part in what is. */
export function isDrawn(emoji: Emoji, codePoint: number): boolean {
  const key = codePoint.toString(16);
  return emoji.has(key) || Object.hasOwn(TOGETHER, key) || isPart(codePoint);
}

function isPart(codePoint: number): boolean {
  const isLetter = codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
  return codePoint === 0x200d || codePoint === 0x20e3 || isLetter || (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff);
}

/** A text cut into what is drawn as one: the text, and the name of its drawing. */
export function* drawingsOf(emoji: Emoji, text: string): Generator<readonly [text: string, name: string]> {
  for (const [cluster] of text.replace(UNSEEN, "").matchAll(CLUSTER)) {
    const name = nameOf(cluster);
    if (emoji.has(name) || [...cluster].every((character) => isPart(character.codePointAt(0)!))) yield [cluster, name];
    else for (const part of partsOf(cluster)) yield [String.fromCodePoint(Number.parseInt(part, 16)), part];
  }
}

function partsOf(cluster: string): string[] {
  return [...cluster]
    .filter((character) => character !== "\u200d")
    .flatMap((character) => (TOGETHER[nameOf(character)] ?? nameOf(character)).split(" "));
}

function nameOf(cluster: string): string {
  return Array.from(cluster, (character) => character.codePointAt(0)!.toString(16)).join("-");
}
