// Decompresses LZ-string. The format states no length, and a few thousand characters can stand for many millions. So
// decompression stops when the text exceeds a limit, which the existing libraries cannot do.

const URI = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
const BITS_PER_CHARACTER = 6;

/** In a URL a plus sign may have become a space. The last character of each alphabet is padding. */
const values = new Map([
  ...[URI, BASE64].flatMap((alphabet) => [...alphabet].map((character, value) => [character, value] as const)),
  [" ", 62],
]);

/** Codes that are not entries of the dictionary. */
const BYTE = 0;
const WORD = 1;
const END = 2;

/** Returns the text; undefined if the input is damaged, or the text is longer than `limit` UTF-16 units. */
export function decompressLzString(packed: string, limit: number): string | undefined {
  const numbers: number[] = [];
  for (const character of packed) {
    const value = values.get(character);
    if (value === undefined) return undefined;
    numbers.push(value);
  }
  let position = 0;
  /** Reads a number of this many bits, the lowest first. */
  const readBits = (count: number) => {
    let number = 0;
    for (let i = 0; i < count; i++, position++) {
      const value = numbers[Math.floor(position / BITS_PER_CHARACTER)] ?? 0;
      number |= ((value >> (BITS_PER_CHARACTER - 1 - (position % BITS_PER_CHARACTER))) & 1) << i;
    }
    return number;
  };

  const dictionary: string[] = ["", "", ""];
  const pieces: string[] = [];
  let size = 0;
  let width = 2;
  let entriesUntilWider = 4;
  let previous: string | undefined;
  const addEntry = (entry: string) => {
    dictionary.push(entry);
    if (--entriesUntilWider === 0) entriesUntilWider = 2 ** width++;
  };
  while (position < numbers.length * BITS_PER_CHARACTER) {
    const code = readBits(width);
    if (code === END) return pieces.join("");
    let entry: string;
    if (code === BYTE || code === WORD) {
      entry = String.fromCharCode(readBits(code === BYTE ? 8 : 16));
      if (previous === undefined) {
        dictionary.push(entry);
        width = 3;
      } else addEntry(entry);
    } else if (code < dictionary.length) entry = dictionary[code]!;
    else if (code === dictionary.length && previous !== undefined) entry = previous + previous[0];
    else return undefined;
    size += entry.length;
    if (size > limit) return undefined;
    pieces.push(entry);
    if (previous !== undefined) addEntry(previous + entry[0]);
    previous = entry;
  }
  return undefined;
}
