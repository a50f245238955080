// Classifies characters for a search: part of a word, between two words, or of a script without spaces. Folds the spellings of one
// word into one. Each character takes constant time, whatever the text is.

/** The kinds of characters. */
export const CHARACTER_KINDS = {
  /** Ends a word. */
  gap: 1,
  /** A letter that is not a capital. */
  small: 2,
  capital: 3,
  digit: 4,
  /** Combines with the character before it. */
  mark: 5,
  /** Holds a compound together between two words: `api.example.com`, `snake_case`, `l'API`. */
  joiner: 6,
  /** Belongs to a script whose words are not separated, such as Chinese, Japanese and Thai; or to Korean, whose words take endings. */
  unspaced: 7,
  /** Is not visible: soft hyphens, zero-width joiners, variation selectors. */
  invisible: 8,
} as const;

/** One of {@link CHARACTER_KINDS}. */
export type CharacterKind = (typeof CHARACTER_KINDS)[keyof typeof CHARACTER_KINDS];

const JOINER = /[.\-_'\u2019\u02bc\u2010\u2011]/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
export const ALL_INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const MARK = /\p{M}/u;
const DIGIT = /\p{N}/u;
const CAPITAL = /\p{Lu}/u;
const LETTER = /\p{L}/u;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Yi}\p{sc=Tangut}]/u;

function classifyCharacter(character: string): CharacterKind {
  if (JOINER.test(character)) return CHARACTER_KINDS.joiner;
  if (INVISIBLE.test(character)) return CHARACTER_KINDS.invisible;
  if (MARK.test(character)) return CHARACTER_KINDS.mark;
  const isLetter = LETTER.test(character);
  if (!isLetter && !DIGIT.test(character)) return CHARACTER_KINDS.gap;
  if (UNSPACED.test(character)) return CHARACTER_KINDS.unspaced;
  if (!isLetter) return CHARACTER_KINDS.digit;
  return CAPITAL.test(character) ? CHARACTER_KINDS.capital : CHARACTER_KINDS.small;
}

/** The kinds of the characters that occurred. The regular expressions would take longer than everything else together. */
const knownKinds = new Uint8Array(0x10000);

/** Returns the kind of the character at a position. The end of the text and a lone surrogate are gaps. */
export function getCharacterKind(text: string, position: number): CharacterKind {
  if (position >= text.length) return CHARACTER_KINDS.gap;
  const unit = text.charCodeAt(position);
  const codePoint = (unit & 0xfc00) === 0xd800 ? text.codePointAt(position)! : unit;
  if (codePoint > 0xffff) return classifyCharacter(String.fromCodePoint(codePoint));
  if (knownKinds[codePoint] === 0) knownKinds[codePoint] = classifyCharacter(String.fromCharCode(codePoint));
  return knownKinds[codePoint] as CharacterKind;
}

/** Returns the UTF-16 units of the character at a position: two for a surrogate pair. */
export function getCharacterWidth(text: string, position: number): number {
  return (text.charCodeAt(position) & 0xfc00) === 0xd800 && (text.charCodeAt(position + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

/** Returns the first UTF-16 units of a text, without half of a surrogate pair. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, (text.charCodeAt(maxLength - 1) & 0xfc00) === 0xd800 ? maxLength - 1 : maxLength);
}

const ASCII = /^[\x00-\x7f]*$/;
// Diacritics of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic. Marks of other scripts (Hindi vowels, the voicing of
// kana) count as letters and stay.
const DIACRITICS =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\p{Default_Ignorable_Code_Point}]/gu;
const NOT_OF_WORDS = /[^\p{L}\p{N}\p{M}.]/gu;
const LETTER_REPLACEMENTS: ReadonlyMap<string, string> = new Map([
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
const REPLACED_LETTERS = /[ßæœøđðþłħıς]/g;

/**
 * Returns the one spelling under which a word is indexed: no capitals, no diacritics, no full-width or ligature forms. It is only for
 * short texts, because normalizing a long row of combining marks takes quadratic time.
 */
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("и\u0306", "й") // a separate letter, not an accented one
    .replace(DIACRITICS, "")
    .replace(REPLACED_LETTERS, (letter) => LETTER_REPLACEMENTS.get(letter)!)
    .replace(NOT_OF_WORDS, "")
    .normalize("NFC");
}
