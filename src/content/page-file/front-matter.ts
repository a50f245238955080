// Front matter: where it lies in a text and what it says. It is YAML of bounded size, read by the fields it may state; what
// cannot be read is reported and stays as it is.

import { isAlias, isMap, type Node, parseDocument, visit, type YAMLMap } from "yaml";
import { FIELDS, FieldReader, type Issue, pairsNamed } from "./fields";

/** How much front matter is read; more is reported and left alone. */
export const MAX_FRONT_MATTER = 16 * 1024;

/** Front matter as it lies in a text: its YAML from `start` to `end`, what follows it at `after`. */
export interface FrontMatter {
  readonly start: number;
  readonly end: number;
  readonly after: number;
  /** What it says, by field; empty when it cannot be read. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
  /** The map that its YAML is, with places counted from `start`; undefined when it is none. */
  readonly map?: YAMLMap;
}

const OPENING = /---[ \t]*\r?\n/y;
const CLOSING = /---[ \t]*(?:\r?\n|$)/y;
const EMPTY_OR_COMMENT = /[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y;
const KEY = /[ \t]*\?[ \t]|[ \t]*(?:[^\s#:"'{}[\]%>|`@][^:\n]*|"[^"\n]*"|'[^'\n]*')[ \t]*:(?:\s|$)/y;

/** Whether front matter has a name, with or without a good value. */
export function states({ map }: FrontMatter, name: string): boolean {
  return map !== undefined && pairsNamed(map, name).length > 0;
}

/** The front matter at a place of a text, if there is one. */
export function frontMatterAt(text: string, at: number): FrontMatter | undefined {
  const start = endOf(OPENING, text, at);
  if (start === undefined) return undefined;
  const closing = closingAfter(text, start);
  if (closing === undefined) return undefined;
  const yaml = text.slice(start, closing.at);
  if (!looksLikeMap(yaml)) return undefined;
  return { start, end: closing.at, after: closing.after, ...read(yaml) };
}

function closingAfter(text: string, start: number): { at: number; after: number } | undefined {
  for (let at = start; at !== 0; at = text.indexOf("\n", at) + 1) {
    const after = endOf(CLOSING, text, at);
    if (after !== undefined) return { at, after };
  }
  return undefined;
}

/** A text may also open with a rule, then prose, then a rule; front matter is empty or begins with a key. */
function looksLikeMap(yaml: string): boolean {
  let at = 0;
  for (let next = endOf(EMPTY_OR_COMMENT, yaml, at); next !== undefined; next = endOf(EMPTY_OR_COMMENT, yaml, at)) {
    if (next === at) return true;
    at = next;
  }
  return endOf(KEY, yaml, at) !== undefined;
}

function read(yaml: string): Pick<FrontMatter, "values" | "issues" | "map"> {
  const nothing = (message: string) => ({ values: {}, issues: [{ message }] });
  if (yaml.length > MAX_FRONT_MATTER)
    return nothing(`The front matter has more than ${MAX_FRONT_MATTER} characters, and is ignored.`);
  // Names are not checked against each other while parsing: that takes time with the square of their number.
  const document = parseDocument(yaml, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  const error = document.errors[0];
  if (error) return nothing(`The front matter is not YAML, and is ignored: ${error.message}`);
  const map = document.contents;
  if (map === null) return { values: {}, issues: [] };
  if (refersToNothing(map)) return nothing("The front matter refers to a value that it does not have, and is ignored.");
  if (!isMap(map) || map.flow) return nothing("The front matter is not a map of names and values, and is ignored.");
  const reader = new FieldReader(document);
  return { values: reader.read(map, FIELDS), issues: reader.issues, map };
}

/** Whether an alias has no anchor before it; the parser lets it pass, though other readers refuse the whole. */
function refersToNothing(contents: Node): boolean {
  const anchors = new Set<string>();
  let isDangling = false;
  visit(contents, {
    Node(_, node) {
      if (isAlias(node)) isDangling ||= !anchors.has(node.source);
      else if (node.anchor !== undefined) anchors.add(node.anchor);
    },
  });
  return isDangling;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
