// What a character is to a search: part of a word, between two words, or of a script that writes without spaces; and how
// the spellings of one word become one. Constant time for each character, whatever the text.

/** What a character is to a search. */
export const kinds = {
  /** Ends a word. */
  gap: 1,
  /** A letter that is not a capital. */
  small: 2,
  capital: 3,
  digit: 4,
  /** Combines with the character before it. */
  mark: 5,
  /** Holds a compound together when it stands between two words: `api.example.com`, `snake_case`, `l'API`. */
  joiner: 6,
  /** Of a script whose words are not set apart: Chinese, Japanese, Thai; and Korean, whose words take endings. */
  unspaced: 7,
  /** Not seen: soft hyphens, joiners of zero width, variation selectors. */
  unseen: 8,
} as const;

/** One of {@link kinds}. */
export type Kind = (typeof kinds)[keyof typeof kinds];

const joiners = /[.\-_'\u2019\u02bc\u2010\u2011]/;
const unseen = /\p{Default_Ignorable_Code_Point}/u;
const allUnseen = /\p{Default_Ignorable_Code_Point}/gu;
const mark = /\p{M}/u;
const digit = /\p{N}/u;
const capital = /\p{Lu}/u;
const letter = /\p{L}/u;
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Yi}\p{sc=Tangut}]/u;

function classify(character: string): Kind {
  if (joiners.test(character)) return kinds.joiner;
  if (unseen.test(character)) return kinds.unseen;
  if (mark.test(character)) return kinds.mark;
  const isLetter = letter.test(character);
  if (!isLetter && !digit.test(character)) return kinds.gap;
  if (unspaced.test(character)) return kinds.unspaced;
  if (!isLetter) return kinds.digit;
  return capital.test(character) ? kinds.capital : kinds.small;
}

// Filled as characters are seen: asking the regular expressions each time would cost more than everything else.
const known = new Uint8Array(0x10000);

/** What the character with this code point is. */
export function kindOf(codePoint: number): Kind {
  if (codePoint > 0xffff) return classify(String.fromCodePoint(codePoint));
  if (known[codePoint] === 0) known[codePoint] = classify(String.fromCharCode(codePoint));
  return known[codePoint] as Kind;
}

/** What the character at this place is; half of a pair that was torn apart is a gap, and so is the end. */
export function kindAt(text: string, at: number): Kind {
  if (at >= text.length) return kinds.gap;
  const unit = text.charCodeAt(at);
  return kindOf((unit & 0xfc00) === 0xd800 ? text.codePointAt(at)! : unit);
}

/** How many units the character at this place takes: two when it is a pair. */
export function widthAt(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

/** The first units of a text, never half of a pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, (text.charCodeAt(most - 1) & 0xfc00) === 0xd800 ? most - 1 : most);
}

const plain = /^[\x00-\x7f]*$/;
// Diacritics of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic. Marks of other scripts (Hindi
// vowels, the voicing of kana) count as letters and stay.
const diacritics =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\p{Default_Ignorable_Code_Point}]/gu;
const notOfWords = /[^\p{L}\p{N}\p{M}.]/gu;
const sameAs: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ł", "l"],
  ["ħ", "h"],
  ["ı", "i"],
  ["ς", "σ"],
]);
const special = /[ßæœøđðþłħıς]/g;

/** The one spelling of a word: no capitals, no diacritics, no full-width or ligature forms. Only for short texts:
 * ordering a long row of combining marks takes time with the square of its length. */
export function fold(word: string): string {
  if (plain.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("и\u0306", "й") // a letter of its own, not an accented one
    .replace(diacritics, "")
    .replace(special, (found) => sameAs.get(found)!)
    .replace(notOfWords, "")
    .normalize("NFC");
}

/** The characters of a script without spaces, each as one: half-width kana and Korean letters put together. */
export function foldRun(run: string): string[] {
  return Array.from(run.normalize("NFKC").replace(allUnseen, ""));
}
