// Finds the words that consist of symbols in code: operators (`===`, `=>`), and the dashes before flags (`--fix`, `-c`).

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

/** Returns the end of the row of symbols that begins at `start`, or `start` if none does. */
export function findSymbolsEnd(text: string, start: number, codeEnd: number): number {
  let position = start;
  while (position < codeEnd && IS_SYMBOL[text.charCodeAt(position)] === 1) position++;
  return position;
}

const SPACE = /\s/;

/** Finds the words in a row of symbols. A short row between spaces is one word. In other rows, the longest operators are words. */
export function* findSymbols(
  text: string,
  start: number,
  end: number,
  codeStart: number,
  codeEnd: number,
): Generator<readonly [symbol: string, start: number, end: number], void> {
  const isSeparate =
    (start === codeStart || SPACE.test(text[start - 1]!)) && (end === codeEnd || SPACE.test(text[end]!));
  if (isSeparate && end - start <= MAX_OPERATOR_LENGTH) return yield [text.slice(start, end), start, end];
  for (let position = start; position < end - 1; ) {
    let length = Math.min(MAX_OPERATOR_LENGTH, end - position);
    while (length > 1 && !OPERATORS.has(text.slice(position, position + length))) length--;
    if (length > 1) yield [text.slice(position, position + length), position, position + length];
    position += length;
  }
}

/** Returns the dashes of a flag whose letters begin at a position, or an empty string if there is no flag. */
export function findFlagDashes(text: string, position: number, codeStart: number): string {
  if (text[position - 1] !== "-" || position - 1 < codeStart) return "";
  const start = text[position - 2] === "-" && position - 2 >= codeStart ? position - 2 : position - 1;
  return start === codeStart || /[\s"'`=|/([{]/.test(text[start - 1]!) ? text.slice(start, position) : "";
}
