// Splits a text into the words by which it is found. Compounds (`createDocsApi`, `snake_case`, `api.example.com`) yield their parts and
// the parts joined; scripts without spaces yield runs of characters. The time is linear in the text: no word is longer than
// `MAX_WORD_LENGTH`, and no regular expression sees more than one word. The second half classifies the characters, and folds the
// spellings of one word into one. Each character takes constant time, whatever the text is.

/** Increases when the same text would be split differently. Indexes with another version are built again. */
export const ANALYZER_VERSION = 2;

/** The most UTF-16 units of a word. Only the beginning of a longer one counts. */
export const MAX_WORD_LENGTH = 64;
const MAX_RUN_LENGTH = 256;

/** Joined parts, such as `docsapi`. */
export interface JoinedTerm {
  readonly term: string;
  /** The number of parts that it joins. */
  readonly parts: number;
}

/** Receives the words of a text, in order. */
export interface WordVisitor {
  /** Visits a word: its folded parts, and the terms that they form together, the longest last. A single part forms none. */
  visitWord(parts: readonly string[], joinedTerms: readonly JoinedTerm[], start: number, end: number): void;
  /** Visits characters of a script without spaces. `end` is the end of the last one. */
  visitRun(characters: readonly string[], start: number, end: number): void;
  /** Visits an operator in code. */
  visitSymbol(symbol: string, start: number, end: number): void;
}

/** The places of code in a text: the start and the end of each piece, one after the other, in ascending order. */
export type CodeRanges = readonly number[];

const NO_CODE: CodeRanges = [];

/** Visits the words that begin in a range of a text. Returns the position to continue from. Symbols are words only in code. */
export function analyzeRange(text: string, visitor: WordVisitor, from: number, to: number, code = NO_CODE): number {
  // A binary search finds the first piece of code that ends after `from`.
  let [low, high] = [0, code.length / 2];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (code[2 * middle + 1]! <= from) low = middle + 1;
    else high = middle;
  }
  let piece = 2 * low;

  let position = from;
  while (position < to && position < text.length) {
    while (piece < code.length && code[piece + 1]! <= position) piece += 2;
    const codeStart = code[piece] ?? text.length;
    const isCode = codeStart <= position;
    const kind = getCharacterKind(text, position);
    if (kind === CHARACTER_KINDS.unspaced) {
      let end = position;
      while (end < text.length && end - position < MAX_RUN_LENGTH) {
        const nextKind = getCharacterKind(text, end);
        const isContinued = nextKind === CHARACTER_KINDS.mark || nextKind === CHARACTER_KINDS.invisible;
        if (nextKind !== CHARACTER_KINDS.unspaced && !isContinued) break;
        end += getCharacterWidth(text, end);
      }
      const characters = Array.from(text.slice(position, end).normalize("NFKC").replace(ALL_INVISIBLE, ""));
      if (characters.length > 0) visitor.visitRun(characters, position, end);
      // A longer run continues from its last character, so that neighbors are not separated.
      position = end - position < MAX_RUN_LENGTH ? end : end - getCharacterWidth(text, end - 2);
    } else if (isWordStart(kind))
      position = readWord(text, position, visitor, isCode ? findFlagDashes(text, position, codeStart) : "");
    else if (isCode) position = readSymbols(text, position, visitor, codeStart, code[piece + 1]!);
    else position += getCharacterWidth(text, position);
  }
  return position;
}

/** Visits the terms by which a run is indexed: each character, and each two neighbors. */
export function visitRunTerms(
  characters: readonly string[],
  start: number,
  end: number,
  visit: (term: string, start: number, end: number) => void,
): void {
  // Normalizing may make a character shorter, so positions are estimated from the ends of the run.
  const width = (end - start) / characters.length;
  const estimatePosition = (index: number) => start + Math.round(index * width);
  for (let i = 0; i < characters.length; i++) {
    visit(characters[i]!, estimatePosition(i), estimatePosition(i + 1));
    if (i > 0) visit(characters[i - 1]! + characters[i]!, estimatePosition(i - 1), estimatePosition(i + 1));
  }
}

/** Visits the words in a row of symbols, and returns its end. A short row between spaces is one word. In other rows, the longest operators are. */
function readSymbols(text: string, start: number, visitor: WordVisitor, codeStart: number, codeEnd: number): number {
  let rowEnd = start;
  while (rowEnd < codeEnd && IS_SYMBOL[text.charCodeAt(rowEnd)] === 1) rowEnd++;
  if (rowEnd === start) return start + getCharacterWidth(text, start);
  // The dashes of a flag belong to the word that follows.
  const dashes = isWordStart(getCharacterKind(text, rowEnd)) ? findFlagDashes(text, rowEnd, codeStart) : "";
  const end = rowEnd - dashes.length;
  const isSeparate =
    (start === codeStart || SPACE.test(text[start - 1]!)) && (end === codeEnd || SPACE.test(text[end]!));
  if (isSeparate && end - start <= MAX_OPERATOR_LENGTH) {
    visitor.visitSymbol(text.slice(start, end), start, end);
    return rowEnd;
  }
  for (let position = start; position < end - 1; ) {
    let length = Math.min(MAX_OPERATOR_LENGTH, end - position);
    while (length > 1 && !OPERATORS.has(text.slice(position, position + length))) length--;
    if (length > 1) visitor.visitSymbol(text.slice(position, position + length), position, position + length);
    position += length;
  }
  return rowEnd;
}

const NO_JOINED_TERMS: readonly JoinedTerm[] = [];

/** Reads a word and returns its end. `dashes` are those of a flag before it. */
function readWord(text: string, start: number, visitor: WordVisitor, dashes: string): number {
  // Most words are simple: of ASCII letters that are not capitals, except for the first.
  let simpleEnd = start + 1;
  while (simpleEnd < start + MAX_WORD_LENGTH && isLowercaseAscii(text.charCodeAt(simpleEnd))) simpleEnd++;
  const isSimple =
    dashes === "" &&
    simpleEnd > start + 1 &&
    isLowercaseAscii(text.charCodeAt(start) | 0x20) &&
    !isWordContinuation(getCharacterKind(text, simpleEnd)) &&
    !isJoiner(text, simpleEnd);
  if (isSimple) {
    visitor.visitWord([text.slice(start, simpleEnd).toLowerCase()], NO_JOINED_TERMS, start, simpleEnd);
    return simpleEnd;
  }

  const compound = new Compound();
  let end = start;
  for (let solidStart = start; ; solidStart = end + 1) {
    // Find the end of the letters and digits. Dots and hyphens between digits belong to a number.
    let position = solidStart;
    let before = 0;
    while (position < text.length) {
      const kind = getCharacterKind(text, position);
      const isInNumber =
        kind === CHARACTER_KINDS.joiner &&
        before === CHARACTER_KINDS.digit &&
        getCharacterKind(text, position + 1) === CHARACTER_KINDS.digit;
      if (!isInNumber && !isWordContinuation(kind)) break;
      before = kind;
      position += getCharacterWidth(text, position);
    }
    end = position;
    compound.addSolid(truncateText(text.slice(solidStart, end), MAX_WORD_LENGTH));
    if (end - start >= MAX_WORD_LENGTH || !isJoiner(text, end)) break;
    if (text[end] === ".") compound.endSegment();
  }

  // A suffix distinguishes `c++`, `c#` and similar names from a single letter.
  const isLetter = end === start + 1;
  let suffix = "";
  if (isLetter) {
    suffix = text.startsWith("++", end) ? "++" : text.startsWith("#", end) ? "#" : "";
    if (isWordStart(getCharacterKind(text, end + suffix.length))) suffix = "";
  }
  compound.finish(suffix, dashes);

  const { parts, joinedTerms } = compound;
  if (dashes !== "" && isLetter) visitor.visitWord([], joinedTerms, start - dashes.length, end);
  else if (parts.length > 0) {
    // Single letters mean nothing beside the other parts of a compound: the `l` of `l'API`, the `s` of `page's`.
    const longParts = parts.filter((part) => part.length > 1);
    visitor.visitWord(longParts.length > 0 ? longParts : parts, joinedTerms, start, end);
  }
  return end + suffix.length;
}

const VERSION = /^v\d+\./;
/** Pure numbers keep their separators, all as one character: `2024-01-15` and `2024.01.15` match each other. */
const NUMBER_JOINERS = /[-_'\u2019\u02bc\u2010\u2011]/g;

/** Collects the parts of a word: humps (`docs|Api`) within solids (`snake|case`) within segments (`api|example|com`). */
class Compound {
  readonly parts: string[] = [];
  readonly joinedTerms: JoinedTerm[] = [];
  #segment = { term: "", parts: 0, pieces: 0 };
  #whole = { term: "", parts: 0, pieces: 0 };

  addSolid(solid: string): void {
    let term = "";
    let parts = 0;
    let partStart = 0;
    for (let i = 1; i <= solid.length; i++) {
      // A new part begins with a capital: `docs|Api`, `HTTP|Server`, `v2|Client`.
      const [before, kind] = [getCharacterKind(solid, i - 1), getCharacterKind(solid, i)];
      const isAfterCapital =
        before === CHARACTER_KINDS.capital &&
        i + 1 < solid.length &&
        getCharacterKind(solid, i + 1) === CHARACTER_KINDS.small;
      const isHumpStart =
        kind === CHARACTER_KINDS.capital &&
        (before === CHARACTER_KINDS.small || before === CHARACTER_KINDS.digit || isAfterCapital);
      if (i < solid.length && !isHumpStart) continue;
      const source = solid.slice(partStart, i).replace(NUMBER_JOINERS, ".");
      partStart = i;
      const part = truncateText(foldWord(source), MAX_WORD_LENGTH);
      if (part === "") continue;
      this.parts.push(VERSION.test(part) ? part.slice(1) : part);
      term += part;
      parts++;
    }
    if (parts > 1 || VERSION.test(term)) this.#addJoinedTerm(term, parts);
    const segment = this.#segment;
    this.#segment = { term: segment.term + term, parts: segment.parts + parts, pieces: segment.pieces + 1 };
  }

  endSegment(): void {
    const { term, parts, pieces } = this.#segment;
    if (pieces > 1) this.#addJoinedTerm(term, parts);
    const whole = this.#whole;
    this.#whole = { term: whole.term + term, parts: whole.parts + parts, pieces: whole.pieces + 1 };
    this.#segment = { term: "", parts: 0, pieces: 0 };
  }

  finish(suffix: string, dashes: string): void {
    this.endSegment();
    const { term, parts, pieces } = this.#whole;
    if (pieces > 1 || suffix !== "") this.#addJoinedTerm(term + suffix, parts);
    if (dashes !== "") this.#addJoinedTerm(dashes + term, parts);
  }

  #addJoinedTerm(term: string, parts: number): void {
    if (parts > 0) this.joinedTerms.push({ term: truncateText(term, MAX_WORD_LENGTH), parts });
  }
}

/** Checks that a character joins two parts of a compound. */
function isJoiner(text: string, position: number): boolean {
  return (
    position + 1 < text.length &&
    getCharacterKind(text, position) === CHARACTER_KINDS.joiner &&
    isWordStart(getCharacterKind(text, position + 1))
  );
}

function isLowercaseAscii(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

function isWordStart(kind: number): boolean {
  return kind === CHARACTER_KINDS.small || kind === CHARACTER_KINDS.capital || kind === CHARACTER_KINDS.digit;
}

function isWordContinuation(kind: number): boolean {
  return isWordStart(kind) || kind === CHARACTER_KINDS.mark || kind === CHARACTER_KINDS.invisible;
}

/** The symbols by their character codes. Quotes, commas and semicolons are separators. */
const IS_SYMBOL = new Uint8Array(128);
for (const symbol of "!#$%&()*+-./:<=>?@[\\]^{|}~") IS_SYMBOL[symbol.charCodeAt(0)] = 1;

/** Operators that are found within a longer row of symbols, such as the `=>` in `()=>{`. */
const OPERATORS = new Set(
  (
    "=== !== == != <= >= => -> <- <=> && || ?? ?. ++ -- ** << >> >>> += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??= " +
    "... .. ..= ../ :: := |> !! ~~ =~ !~ // /// /* */ <!-- --> </ /> [] {} #{ $" +
    "{ {{ }} {% %} #! @@"
  ).split(" "),
);
const MAX_OPERATOR_LENGTH = 4;

const SPACE = /\s/;

/** Returns the dashes of a flag whose letters begin at a position, or an empty string if there is no flag. */
function findFlagDashes(text: string, position: number, codeStart: number): string {
  if (text[position - 1] !== "-" || position - 1 < codeStart) return "";
  const start = text[position - 2] === "-" && position - 2 >= codeStart ? position - 2 : position - 1;
  return start === codeStart || /[\s"'`=|/([{]/.test(text[start - 1]!) ? text.slice(start, position) : "";
}

const CHARACTER_KINDS = {
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

type CharacterKind = (typeof CHARACTER_KINDS)[keyof typeof CHARACTER_KINDS];

const JOINER = /[.\-_'\u2019\u02bc\u2010\u2011]/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const ALL_INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
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
function getCharacterKind(text: string, position: number): CharacterKind {
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
