// Decides the conditions of a Markdown text before anything else is read from it. So it does not matter where a
// condition stands: in a paragraph, a cell, a heading, an attribute or a block of HTML. In fenced code and in code
// spans, tags are text.

import type { ExpansionBudget } from "../../utils/expansion-budget";
import type { Scope } from "../expressions";
import type { Code, Node, Root, Span } from "../markdown/nodes";
import { parseInSteps } from "../markdown/parse";
import { isEscaped } from "../markdown/parser/tags";
import type { Steps } from "../markdown/steps";
import { findFrontMatter, skipByteOrderMark } from "../page-source/find-front-matter";
import type { TextEdit } from "../text-edits";
import { apply, decisions, mayHaveConditions, type Quoting, type Unwrap } from "./conditions";
import { Lines } from "./lines";
import type { Parsed } from "./shape";

/** Removing tags may form new tags. After this many rounds, nothing from the first one on is shown. */
const MAX_ROUNDS = 3;

/** A text as far as a scope shows it, parsed. What keeps the parts of it apart is taken from the budget. */
export function* decided(source: string, scope: Scope, budget: ExpansionBudget): Steps<Parsed> {
  let text = source;
  for (let round = 0; ; round++) {
    const root = yield* parseInSteps(text);
    const edits = mayHaveConditions(text) ? yield* decisionsIn(text, root, scope, budget) : [];
    if (edits.length === 0) return { text, root };
    text = round === MAX_ROUNDS ? text.slice(0, edits[0]!.from) : apply(text, edits);
    if (round === MAX_ROUNDS) return { text, root: yield* parseInSteps(text) };
  }
}

function* decisionsIn(text: string, root: Root, scope: Scope, budget: ExpansionBudget): Steps<TextEdit[]> {
  const start = findFrontMatter(text)?.after ?? skipByteOrderMark(text);
  const quoting = quotingIn(text, root);
  yield;
  const unwrap = unwrappingIn(text, root, budget);
  yield;
  return yield* decisions(text, start, scope, quoting, unwrap);
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
function unwrappingIn(text: string, root: Root, budget: ExpansionBudget): Unwrap {
  const closings = new Map<number, number>();
  walk(root, (node) => {
    if (node.type === "tag" && node.close) closings.set(node.open.start, node.close.start);
  });
  let lines: Lines | undefined;
  return (open, close) => {
    if (closings.get(open.start) !== close.start) {
      return [open, close].map(({ start, end }) => ({ from: start, to: end, text: "" }));
    }
    lines ??= new Lines(text, budget);
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
