// Decides the conditions of a Markdown text before anything else is read from it. So it does not matter where a
// condition stands: in a paragraph, a cell, a heading, an attribute or a block of HTML. In fenced code and in code
// spans, tags are text.

import type { Scope } from "../expressions";
import type { Code, Node, Root, Span } from "../markdown/nodes";
import { parse } from "../markdown/parse";
import { isEscaped } from "../markdown/parser/tags";
import { frontMatterPlace, textStart } from "../page-file/place";
import { apply, decisions, mayHaveConditions, type Quoting, type Unwrap } from "./conditions";
import { Lines } from "./lines";

/** Removing tags may form new tags. After this many rounds, nothing from the first one on is shown. */
const MAX_ROUNDS = 3;

/** The part of a text that a scope shows. */
export function decided(text: string, scope: Scope): string {
  let result = text;
  for (let round = 0; mayHaveConditions(result); round++) {
    const root = parse(result);
    const start = frontMatterPlace(result)?.after ?? textStart(result);
    const edits = decisions(result, start, scope, quotingIn(result, root), unwrappingIn(result, root));
    if (edits.length === 0) break;
    if (round === MAX_ROUNDS) return result.slice(0, edits[0]!.from);
    result = apply(result, edits);
  }
  return result;
}

/** Which tags of a text are only examples. A backslash has no meaning in HTML and in indented code. */
export function quotingIn(text: string, root: Root): Quoting {
  const [quotes, verbatim]: [Span[], Span[]] = [[], []];
  walk(root, (node) => {
    if (node.type === "inlineCode" || (node.type === "code" && isClosedFence(text, node))) quotes.push(node);
    else if (node.type === "code" || node.type === "html" || node.type === "math") verbatim.push(node);
  });
  const [quoteAt, verbatimAt] = [spanFinder(quotes), spanFinder(verbatim)];
  return (at) => {
    const quote = quoteAt(at);
    if (quote) return quote.start;
    return isEscaped(text, at) && !verbatimAt(at) ? at : undefined;
  };
}

/** Whether code is between two fences. A fence that is never closed would take everything after it. */
function isClosedFence(text: string, { start, end }: Code): boolean {
  const fence = /^(?:`{3,}|~{3,})/.exec(text.slice(start, Math.min(end, start + 1000)))?.[0];
  if (fence === undefined) return false;
  const lastLine = Math.max(text.lastIndexOf("\n", end - 1), text.lastIndexOf("\r", end - 1)) + 1;
  const last = text.slice(Math.max(start, lastLine), end).replace(/^[ \t>]+/, "");
  return lastLine > start && last.startsWith(fence) && last.trimEnd() === fence[0]!.repeat(last.trimEnd().length);
}

/** Conditions that are blocks leave their lines separated from their neighbours. */
function unwrappingIn(text: string, root: Root): Unwrap {
  const closings = new Map<number, number>();
  walk(root, (node) => {
    if (node.type === "tag" && node.close) closings.set(node.open.start, node.close.start);
  });
  let lines: Lines | undefined;
  return (open, close) => {
    if (closings.get(open.start) !== close.start) {
      return [open, close].map(({ start, end }) => ({ from: start, to: end, text: "" }));
    }
    lines ??= new Lines(text);
    return lines.unwrapped(open, close);
  };
}

/** Finds the span that contains an offset; offsets are asked for in ascending order. */
function spanFinder(spans: readonly Span[]): (at: number) => Span | undefined {
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  let next = 0;
  return (at) => {
    while (next < sorted.length && sorted[next]!.end <= at) next++;
    const span = sorted[next];
    return span && span.start <= at ? span : undefined;
  };
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  if ("children" in node) for (const child of node.children) walk(child, visit);
}
