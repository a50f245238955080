// Decompresses LZ-string. The format states no length, and a few thousand characters can stand for many millions. So
// the text is measured while it grows, and stopped at a limit, which the existing libraries cannot do.

const URI = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
const BITS = 6;

const valuesOf = (alphabet: string) => new Map([...alphabet].map((character, value) => [character, value]));
/** In a URL a plus sign may have become a space. The last character of each alphabet is padding. */
const values = new Map([...valuesOf(URI), ...valuesOf(BASE64), [" ", 62]]);

/** Codes that are not entries of the dictionary. */
const BYTE = 0;
const WORD = 1;
const END = 2;

/** The text; undefined when the input is damaged, or the text is longer than `limit` UTF-16 units. */
export function decompressLzString(packed: string, limit: number): string | undefined {
  const bits = bitsOf(packed);
  if (!bits) return undefined;
  const dictionary: string[] = ["", "", ""];
  const pieces: string[] = [];
  let size = 0;
  let width = 2;
  let room = 4;
  let previous: string | undefined;
  const literal = (code: number) => String.fromCharCode(bits(code === BYTE ? 8 : 16));
  const add = (entry: string) => {
    dictionary.push(entry);
    if (--room === 0) room = 2 ** width++;
  };
  while (!bits.isOver()) {
    const code = bits(width);
    if (code === END) return pieces.join("");
    let entry: string;
    if (code === BYTE || code === WORD) {
      entry = literal(code);
      if (previous === undefined) {
        dictionary.push(entry);
        width = 3;
      } else add(entry);
    } else if (code < dictionary.length) entry = dictionary[code]!;
    else if (code === dictionary.length && previous !== undefined) entry = previous + previous[0];
    else return undefined;
    size += entry.length;
    if (size > limit) return undefined;
    pieces.push(entry);
    if (previous !== undefined) add(previous + entry[0]);
    previous = entry;
  }
  return undefined;
}

interface Bits {
  /** Reads a number of this many bits, the lowest first. */
  (count: number): number;
  isOver(): boolean;
}

function bitsOf(packed: string): Bits | undefined {
  const numbers: number[] = [];
  for (const character of packed) {
    const value = values.get(character);
    if (value === undefined) return undefined;
    numbers.push(value);
  }
  let at = 0;
  const read = (count: number) => {
    let number = 0;
    for (let i = 0; i < count; i++, at++) {
      const value = numbers[Math.floor(at / BITS)] ?? 0;
      number |= ((value >> (BITS - 1 - (at % BITS))) & 1) << i;
    }
    return number;
  };
  return Object.assign(read, { isOver: () => at >= numbers.length * BITS });
}
