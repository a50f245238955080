// Formats values as YAML that is parsed to the same values, and bounds the nesting of YAML before it is parsed.

import { Document, type Node, stringify, visit } from "yaml";

export type FrontMatterValue =
  | string
  | number
  | boolean
  | readonly FrontMatterValue[]
  | { readonly [name: string]: FrontMatterValue };

/** Line endings and invisible characters. A text with one of them is quoted, and they are escaped. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\ufeff]|\p{Cs}/gu;
/** Long texts are not wrapped. */
const ON_ONE_LINE = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;

export function formatYamlScalar(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const isPlain = value.search(INVISIBLE) < 0 && stringify({ name: value }, ON_ONE_LINE) === `name: ${value}\n`;
  if (isPlain) return value;
  return JSON.stringify(value).replace(INVISIBLE, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Creates the node of a value. Its texts stay on one line. */
export function createYamlNode(value: FrontMatterValue): Node {
  const node = new Document().createNode(value) as Node;
  visit(node, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && scalar.value.search(INVISIBLE) >= 0) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return node;
}

export function formatYaml(node: Node): string {
  const document = new Document<Node, false>();
  document.contents = node;
  return document.toString(ON_ONE_LINE).trimEnd();
}

/** Checks that two values are equal. The order of their names does not matter. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const names = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && isDeepEqual(Reflect.get(a, name), Reflect.get(b, name)));
}

/** The deepest nesting of YAML on one line. */
const MAX_NESTING = 64;

/** Checks for YAML so deep that a parser may overflow the stack. Brackets in quotes count: no real text has many. */
export function isYamlTooDeep(yaml: string): boolean {
  let brackets = 0;
  let markers = 0;
  for (let i = 0; i < yaml.length; i++) {
    const char = yaml[i];
    if (char === "[" || char === "{") brackets++;
    else if (char === "]" || char === "}") brackets = Math.max(0, brackets - 1);
    else if (char === "\n") markers = 0;
    else if ((char === "-" || char === "?" || char === ":") && /\s/.test(yaml[i + 1] ?? " ")) markers++;
    if (brackets > MAX_NESTING || markers > MAX_NESTING) return true;
  }
  return false;
}
