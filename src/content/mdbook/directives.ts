// The directives of mdBook in a text: `{{#include file.rs:anchor}}` and its kin. They may stand anywhere, also in code,
// because mdBook replaces them before it reads the text as Markdown.

/** A directive in a text. */
export interface Directive {
  readonly start: number;
  readonly end: number;
  /** With a backslash before it, it is shown as it stands, without the backslash. */
  readonly kind: "include" | "playground" | "title" | "escaped";
  /** The file that it names, as it is written; empty if it names none. */
  readonly path: string;
  /** The part of the file: lines, counted from 0, or what is between the marks of an anchor. Default: all of it. */
  readonly lines?: { readonly from: number; readonly to: number };
  readonly anchor?: string;
  /** Further words, such as `editable`. */
  readonly words: readonly string[];
}

/** Neither part runs over the end of a line, or over another brace, and what a directive names begins with no blank. So a
 * text is walked through once. */
const DIRECTIVE = /(\\)?\{\{[ \t]*#([A-Za-z_]{1,32})[ \t]+([^{} \t\n][^{}\n]{0,2047})\}\}/g;

const KINDS = new Map<string, Directive["kind"]>([
  ["include", "include"],
  ["rustdoc_include", "include"],
  ["playground", "playground"],
  ["playpen", "playground"],
  ["title", "title"],
]);

/** Whether a text may have directives. */
export function hasDirectives(text: string): boolean {
  return /\{\{[ \t]*#/.test(text);
}

/** The directives of a text, in its order. */
export function directivesIn(text: string): Directive[] {
  return [...text.matchAll(DIRECTIVE)].flatMap(({ 0: whole, 1: backslash, 2: name = "", 3: rest = "", index }) => {
    const kind = KINDS.get(name);
    const span = { start: index, end: index + whole.length };
    if (backslash !== undefined) return [{ ...span, kind: "escaped", path: "", words: [] }];
    if (kind === undefined) return [];
    const [target = "", ...words] = rest.trim().split(/[\s,]+/);
    return [{ ...span, kind, ...(kind === "title" ? { path: "" } : partOf(target)), words }];
  });
}

/** `file`, `file:anchor`, `file:2` (one line), `file:2:10`, `file::10` and `file:2:`. */
function partOf(target: string): Pick<Directive, "path" | "lines" | "anchor"> {
  const [path = "", first, last] = target.split(":");
  if (first === undefined) return { path };
  if (first !== "" && !/^\d+$/.test(first)) return { path, anchor: first };
  const from = Math.max(0, Number(first) - 1);
  if (last === undefined) return first === "" ? { path } : { path, lines: { from, to: from + 1 } };
  return { path, lines: { from, to: /^\d+$/.test(last) ? Number(last) : Number.POSITIVE_INFINITY } };
}

const ANCHOR = /ANCHOR:\s*([\w-]+)/;
const ANCHOR_END = /ANCHOR_END:\s*([\w-]+)/;

/** The anchors that a file has. */
export function anchorsIn(text: string): Set<string> {
  return new Set(text.split("\n").flatMap((line) => ANCHOR.exec(line)?.[1] ?? []));
}

/** The part of a file that a directive means; undefined when the file has no such anchor. */
export function partIn(
  text: string,
  { lines: range, anchor }: Pick<Directive, "lines" | "anchor">,
): string | undefined {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (anchor === undefined) return (range ? lines.slice(range.from, range.to) : lines).join("\n");
  const start = lines.findIndex((line) => ANCHOR.exec(line)?.[1] === anchor);
  if (start < 0) return undefined;
  const inside: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const end = ANCHOR_END.exec(line);
    if (end?.[1] === anchor) break;
    if (!end && !ANCHOR.test(line)) inside.push(line);
  }
  return inside.join("\n");
}
