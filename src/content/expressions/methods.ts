// The methods that an expression may call. They are found by name in this table, never on a value, so nothing inherited can be reached
// through them.

import { toPrimitive } from "./values";

interface ExpressionMethod {
  /** The number of arguments. */
  readonly arity: 0 | 1;
  readonly callOnText: (text: string, argument: unknown) => unknown;
  readonly callOnList?: (list: readonly unknown[], argument: unknown) => unknown;
}

export const METHODS: ReadonlyMap<string, ExpressionMethod> = new Map<string, ExpressionMethod>([
  [
    "includes",
    {
      arity: 1,
      callOnText: (text, argument) => findText(text, String(toPrimitive(argument))) !== -1,
      callOnList: (list, argument) => list.includes(argument),
    },
  ],
  [
    "indexOf",
    {
      arity: 1,
      callOnText: (text, argument) => findText(text, String(toPrimitive(argument))),
      callOnList: (list, argument) => list.indexOf(argument),
    },
  ],
  ["startsWith", { arity: 1, callOnText: (text, argument) => text.startsWith(String(toPrimitive(argument))) }],
  ["endsWith", { arity: 1, callOnText: (text, argument) => text.endsWith(String(toPrimitive(argument))) }],
  ["toLowerCase", { arity: 0, callOnText: (text) => text.toLowerCase() }],
  ["toUpperCase", { arity: 0, callOnText: (text) => text.toUpperCase() }],
  ["trim", { arity: 0, callOnText: (text) => text.trim() }],
]);

/** The most comparisons for which the engine's own search is used. */
const MAX_COMPARISONS = 100_000;

/**
 * Returns the start of a text in another one, or -1. It takes linear time (Knuth, Morris, Pratt): the engine's own search is quadratic for
 * texts of few letters, and a page may have a thousand expressions.
 */
function findText(text: string, wanted: string): number {
  if (text.length * wanted.length <= MAX_COMPARISONS || wanted.length > text.length) return text.indexOf(wanted);

  // For each beginning of the wanted text: the length of its longest proper beginning that it also ends with.
  const borders = new Uint32Array(wanted.length);
  let length = 0;
  for (let i = 1; i < wanted.length; i++) {
    while (length > 0 && wanted.charCodeAt(i) !== wanted.charCodeAt(length)) length = borders[length - 1]!;
    if (wanted.charCodeAt(i) === wanted.charCodeAt(length)) length++;
    borders[i] = length;
  }

  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    while (matched > 0 && text.charCodeAt(i) !== wanted.charCodeAt(matched)) matched = borders[matched - 1]!;
    if (text.charCodeAt(i) === wanted.charCodeAt(matched)) matched++;
    if (matched === wanted.length) return i - matched + 1;
  }
  return -1;
}
