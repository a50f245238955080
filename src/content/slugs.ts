// Slugs: the names of pages in a URL. A slug is made of letters and digits in groups between single dashes, so it can never be
// a path, an escape or something that is not seen. Of a title with conditions, a slug says what everybody is shown.

import { openWords } from "./evaluate/conditions";

/** How long a slug may be, in UTF-16 units. */
export const MAX_SLUG = 100;

/** What a title without letters and digits becomes. */
const FALLBACK = "page";

/** Latin letters that are not a simpler letter with a mark. */
const SPELLED = new Map(
  "ß=ss æ=ae œ=oe ø=o đ=d ð=d ł=l þ=th ħ=h ı=i ŋ=n ŧ=t ĸ=k".split(" ").map((it) => it.split("=") as [string, string]),
);
const SPELLED_LETTER = new RegExp([...SPELLED.keys()].join("|"), "g");

/** The slug of a title. It is the slug of itself. */
export function slugOf(title: string): string {
  // A title may be of any length; what is behind the first few hundred characters cannot reach the slug's end.
  const groups = folded(openWords(title.slice(0, MAX_SLUG * 20))).match(/(?:[\p{L}\p{N}]\p{M}*)+/gu) ?? [];
  return cut(groups.join("-"), MAX_SLUG) || FALLBACK;
}

/** Whether a text is a slug as `slugOf` makes them. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG && slugOf(text) === text;
}

/** A slug with a number behind it, no longer than a slug may be. */
export function numberedSlug(slug: string, number: number): string {
  return `${cut(slug, MAX_SLUG - `-${number}`.length)}-${number}`;
}

/** Lower case, one form for each character, no marks on Latin letters; the marks of other scripts are part of their words. */
function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{Me}|\p{Variation_Selector}/gu, "")
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, "")
    .replace(SPELLED_LETTER, (letter) => SPELLED.get(letter)!)
    .normalize("NFC");
}

/** The beginning of a slug, without half a character or a dash at its end. */
function cut(slug: string, length: number): string {
  return slug
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/-$/, "");
}
