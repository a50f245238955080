// The methods that an expression may call. They are found by name in this table, never on a value, so nothing inherited
// can be reached through them.

import { ExpressionFailed, primitive } from "./values";

interface Method {
  readonly takes: 0 | 1;
  readonly ofText: (text: string, given: unknown) => unknown;
  readonly ofList?: (list: readonly unknown[], given: unknown) => unknown;
}

const methods = new Map<string, Method>([
  ["includes", { takes: 1, ofText: (text, it) => text.includes(word(it)), ofList: (list, it) => list.includes(it) }],
  ["indexOf", { takes: 1, ofText: (text, it) => text.indexOf(word(it)), ofList: (list, it) => list.indexOf(it) }],
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
