// Words made of signs, as they stand in code: operators (`===`, `=>`), and the dashes in front of flags (`--fix`, `-c`).

/** Characters of signs. Quotes, commas and semicolons separate. */
const isSign = new Uint8Array(128);
for (const sign of "!#$%&()*+-./:<=>?@[\\]^{|}~") isSign[sign.charCodeAt(0)] = 1;

/** Operators that are found within a longer row of signs, such as the `=>` in `()=>{`. */
const operators = new Set(
  (
    "=== !== == != <= >= => -> <- <=> && || ?? ?. ++ -- ** << >> >>> += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??= " +
    "... .. ..= ../ :: := |> !! ~~ =~ !~ // /// /* */ <!-- --> </ /> [] {} #{ $" +
    "{ {{ }} {% %} #! @@"
  ).split(" "),
);
const longestOperator = 4;

/** Where a row of signs ends that begins here; `start` when none does. */
export function endOfSigns(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit && isSign[text.charCodeAt(at)] === 1) at++;
  return at;
}

const isSpace = /\s/;

/** The words in a row of signs, with their places. One that stands alone is a word, whatever it is; else the longest
 * operators count. `from` and `limit` are the ends of the code around it. */
export function* operatorsIn(
  text: string,
  start: number,
  end: number,
  from: number,
  limit: number,
): Generator<readonly [word: string, start: number, end: number], void> {
  const isAlone = (start === from || isSpace.test(text[start - 1]!)) && (end === limit || isSpace.test(text[end]!));
  if (isAlone && end - start <= longestOperator) return yield [text.slice(start, end), start, end];
  for (let at = start; at < end - 1; ) {
    let length = Math.min(longestOperator, end - at);
    while (length > 1 && !operators.has(text.slice(at, at + length))) length--;
    if (length > 1) yield [text.slice(at, at + length), at, at + length];
    at += length;
  }
}

/** The dashes of a flag whose letters begin here; empty when it is none. */
export function dashesBefore(text: string, at: number, from: number): string {
  if (text[at - 1] !== "-" || at - 1 < from) return "";
  const start = text[at - 2] === "-" && at - 2 >= from ? at - 2 : at - 1;
  return start === from || /[\s"'`=|/([{]/.test(text[start - 1]!) ? text.slice(start, at) : "";
}
