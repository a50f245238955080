// Values written as YAML, so that reading gives back the same values.

import { Document, type Node, stringify, visit } from "yaml";

/** A value that front matter can hold. */
export type Data = string | number | boolean | readonly Data[] | { readonly [name: string]: Data };

/** Line endings and invisible characters: a text with one is quoted, and they are escaped. */
const UNSEEN = /[\p{Cc}\u2028\u2029\ufeff]|\p{Cs}/gu;
/** Long texts are not broken over lines. */
const ON_ONE_LINE = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;

/** A text, number or boolean on one line. */
export function inline(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const isPlain = value.search(UNSEEN) < 0 && stringify({ name: value }, ON_ONE_LINE) === `name: ${value}\n`;
  return isPlain ? value : quoted(value);
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value as a node whose texts stay on their line. */
export function nodeOf(value: Data): Node {
  const node = new Document().createNode(value) as Node;
  visit(node, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && scalar.value.search(UNSEEN) >= 0) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return node;
}

/** A node as YAML, without a line ending. */
export function printed(node: Node): string {
  const document = new Document<Node, false>();
  document.contents = node;
  return document.toString(ON_ONE_LINE).trimEnd();
}

/** Whether a value is a map of names. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values say the same, whatever the order of their names. */
export function same(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const names = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && same(Reflect.get(a, name), Reflect.get(b, name)));
}

/** How deep YAML may be nested on one line. */
const MAX_NESTING = 64;

/** Whether YAML is nested so deep that a parser may overflow the stack, which some engines do not survive. Brackets in
 * quotes count too: no real text has that many. */
export function isTooDeep(yaml: string): boolean {
  let brackets = 0;
  let markers = 0;
  for (let at = 0; at < yaml.length; at++) {
    const it = yaml[at];
    if (it === "[" || it === "{") brackets++;
    else if (it === "]" || it === "}") brackets = Math.max(0, brackets - 1);
    else if (it === "\n") markers = 0;
    else if ((it === "-" || it === "?" || it === ":") && /\s/.test(yaml[at + 1] ?? " ")) markers++;
    if (brackets > MAX_NESTING || markers > MAX_NESTING) return true;
  }
  return false;
}
