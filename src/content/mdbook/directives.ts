// Parses the directives of mdBook, such as `{{#include file.rs:anchor}}`. They may occur anywhere in a text, even in code,
// because mdBook replaces them before it parses the text as Markdown.

export interface Directive {
  readonly start: number;
  readonly end: number;
  /** An escaped directive follows a backslash. It is shown as it is, without the backslash. */
  readonly kind: "include" | "playground" | "title" | "escaped";
  /** The path of the file as it is written; empty if the directive names none. */
  readonly path: string;
  /** The lines to include, counted from 0. Without `lines` and `anchor`, the whole file is included. */
  readonly lines?: { readonly from: number; readonly to: number };
  /** The anchor whose lines are included. */
  readonly anchor?: string;
  /** Further words, such as `editable`. */
  readonly words: readonly string[];
}

/** Takes linear time: no part matches a line ending or another brace, and the argument starts without a space. */
const DIRECTIVE = /(\\)?\{\{[ \t]*#([A-Za-z_]{1,32})[ \t]+([^{} \t\n][^{}\n]{0,2047})\}\}/g;

const KINDS = new Map<string, Directive["kind"]>([
  ["include", "include"],
  ["rustdoc_include", "include"],
  ["playground", "playground"],
  ["playpen", "playground"],
  ["title", "title"],
]);

/** Returns false for texts that certainly have no directives. */
export function hasDirectives(text: string): boolean {
  return /\{\{[ \t]*#/.test(text);
}

export function findDirectives(text: string): Directive[] {
  const directives: Directive[] = [];
  for (const { 0: source, 1: backslash, 2: name = "", 3: rest = "", index } of text.matchAll(DIRECTIVE)) {
    const kind = backslash === undefined ? KINDS.get(name) : "escaped";
    if (kind === undefined) continue;
    const range = { start: index, end: index + source.length };
    const [target = "", ...words] = kind === "escaped" ? [] : rest.trim().split(/[\s,]+/);
    let file: Pick<Directive, "path" | "lines" | "anchor"> = { path: "" };
    if (kind === "include" || kind === "playground") {
      // `file`, `file:anchor`, `file:2` (one line), `file:2:10`, `file::10` and `file:2:`.
      const [path = "", first = "", last] = target.split(":");
      const from = Math.max(0, Number(first) - 1);
      if (first !== "" && !/^\d+$/.test(first)) file = { path, anchor: first };
      else if (last !== undefined)
        file = { path, lines: { from, to: /^\d+$/.test(last) ? Number(last) : Number.POSITIVE_INFINITY } };
      else file = first === "" ? { path } : { path, lines: { from, to: from + 1 } };
    }
    directives.push({ ...range, kind, ...file, words });
  }
  return directives;
}

/** The name of an anchor on a line of an included file. */
export const ANCHOR = /ANCHOR:\s*([\w-]+)/;
const ANCHOR_END = /ANCHOR_END:\s*([\w-]+)/;

/** Returns the part of a file that a directive includes, or undefined if the file does not have the anchor. */
export function extractIncludedPart(
  text: string,
  { lines: range, anchor }: Pick<Directive, "lines" | "anchor">,
): string | undefined {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (anchor === undefined) return (range ? lines.slice(range.from, range.to) : lines).join("\n");

  const start = lines.findIndex((line) => ANCHOR.exec(line)?.[1] === anchor);
  if (start < 0) return undefined;
  const included: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const end = ANCHOR_END.exec(line);
    if (end?.[1] === anchor) break;
    if (!end && !ANCHOR.test(line)) included.push(line);
  }
  return included.join("\n");
}
