// The methods that an expression may call. They are found by name in this table, never on a value, so nothing inherited
// can be reached through them.

import { ExpressionFailed, primitive } from "./values";

interface Method {
  readonly takes: 0 | 1;
  readonly ofText: (text: string, given: unknown) => unknown;
  readonly ofList?: (list: readonly unknown[], given: unknown) => unknown;
}

const methods = new Map<string, Method>([
  [
    "includes",
    { takes: 1, ofText: (text, it) => findText(text, word(it)) !== -1, ofList: (list, it) => list.includes(it) },
  ],
  ["indexOf", { takes: 1, ofText: (text, it) => findText(text, word(it)), ofList: (list, it) => list.indexOf(it) }],
  ["startsWith", { takes: 1, ofText: (text, it) => text.startsWith(word(it)) }],
  ["endsWith", { takes: 1, ofText: (text, it) => text.endsWith(word(it)) }],
  ["toLowerCase", { takes: 0, ofText: (text) => text.toLowerCase() }],
  ["toUpperCase", { takes: 0, ofText: (text) => text.toUpperCase() }],
  ["trim", { takes: 0, ofText: (text) => text.trim() }],
]);

/** How many values a method takes; undefined when there is no such method. */
export function valuesTakenBy(method: string): number | undefined {
  return methods.get(method)?.takes;
}

/** Calls a method of a text or a list. */
export function callMethod(value: unknown, name: string, given: unknown): unknown {
  const method = methods.get(name);
  if (typeof value === "string" && method) return method.ofText(value, given);
  if (Array.isArray(value) && method?.ofList) return method.ofList(value, given);
  throw new ExpressionFailed(`${name} is not a method of this value.`);
}

const word = (value: unknown): string => String(primitive(value));

/** Up to this many comparisons, the engine's own search is used. */
const MAX_COMPARISONS = 100_000;

/** Returns where a text begins in another one, or -1. Takes linear time: the engine's own search is quadratic for texts of few letters, and
 * a page may have a thousand expressions. */
function findText(text: string, wanted: string): number {
  if (text.length * wanted.length <= MAX_COMPARISONS || wanted.length > text.length) return text.indexOf(wanted);
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = borders[matched - 1]!;
    if (text.charCodeAt(at) === wanted.charCodeAt(matched)) matched++;
    if (matched === wanted.length) return at - matched + 1;
  }
  return -1;
}

/** Returns, for every beginning of a text, the length of its longest proper beginning that it also ends with (Knuth, Morris, Pratt). */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1]!;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}
