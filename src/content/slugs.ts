// Slugs: the names of pages in a URL. A slug consists of letters and digits in groups between single dashes, so it can never be
// a path, an escape or an invisible character. The slug of a title with conditions contains only the words that everyone sees.

import { resolveConditions } from "./evaluate/conditions";

/** The longest slug, in UTF-16 units. */
export const MAX_SLUG_LENGTH = 100;

/** The slug of a title without letters and digits. */
const FALLBACK_SLUG = "page";

/** Latin letters that do not decompose to a simpler letter with a mark. */
const SPELLED_LETTERS = new Map(
  "ß=ss æ=ae œ=oe ø=o đ=d ð=d ł=l þ=th ħ=h ı=i ŋ=n ŧ=t ĸ=k".split(" ").map((it) => it.split("=") as [string, string]),
);
const SPELLED_LETTER = new RegExp([...SPELLED_LETTERS.keys()].join("|"), "g");

/** Returns the slug of a title. The slug of a slug is the slug itself. */
export function createSlug(title: string): string {
  // A title may have any length, but characters after the first few hundred cannot be part of the slug.
  const words = resolveConditions(title.slice(0, MAX_SLUG_LENGTH * 20), {});
  // Lower case, one form for each character, and no marks on Latin letters. The marks of other scripts are part of their words.
  const normalized = words
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{Me}|\p{Variation_Selector}/gu, "")
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, "")
    .replace(SPELLED_LETTER, (letter) => SPELLED_LETTERS.get(letter)!)
    .normalize("NFC");
  const groups = normalized.match(/(?:[\p{L}\p{N}]\p{M}*)+/gu) ?? [];
  return truncateSlug(groups.join("-"), MAX_SLUG_LENGTH) || FALLBACK_SLUG;
}

export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && createSlug(text) === text;
}

/** Returns the slug with a number at its end, shortened to the longest slug if necessary. */
export function addNumberToSlug(slug: string, number: number): string {
  return `${truncateSlug(slug, MAX_SLUG_LENGTH - `-${number}`.length)}-${number}`;
}

/** Truncates a slug without leaving half a character or a dash at its end. */
function truncateSlug(slug: string, length: number): string {
  return slug
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/-$/, "");
}
