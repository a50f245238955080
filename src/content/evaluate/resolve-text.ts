// Resolves the conditions of a Markdown text before anything else is read from it. So a condition may be anywhere: in a paragraph, a cell, a
// heading, an attribute or a block of HTML. In fenced code and in code spans, tags are text.

import type { Steps } from "../../utils/concurrency/steps";
import type { ExpansionBudget } from "../../utils/expansion-budget";
import type { ExpressionScope } from "../expressions";
import { type RootNode, type SourceSpan, visitNodes } from "../markdown/nodes";
import { parseMarkdownInSteps } from "../markdown/parse";
import { isEscaped } from "../markdown/tags";
import { findFrontMatter, skipByteOrderMark } from "../page-source/find-front-matter";
import { applyTextEdits, type TextEdit } from "../text-edits";
import {
  type ExampleLookup,
  findConditionEditsInSteps,
  mayHaveConditions,
  removeTags,
  type TagUnwrapper,
} from "./conditions";
import { TagLines } from "./tag-lines";
import type { StructuredText } from "./text-structure";

/** Removing tags may form new tags. After this many rounds, nothing from the first one on is shown. */
const MAX_ROUNDS = 3;

/** Returns the visible part of a text in a scope, parsed. The text that keeps its parts separate is taken from the budget. */
export function* resolveTextInSteps(
  source: string,
  scope: ExpressionScope,
  budget: ExpansionBudget,
): Steps<StructuredText> {
  let text = source;
  for (let round = 0; ; round++) {
    const root = yield* parseMarkdownInSteps(text);
    let edits: TextEdit[] = [];
    if (mayHaveConditions(text)) {
      const start = findFrontMatter(text)?.after ?? skipByteOrderMark(text);
      const lookUpExample = createExampleLookup(text, root);
      yield;
      // The lines of conditions that are blocks stay separate from their neighbors.
      const closings = new Map<number, number>();
      visitNodes(root, (node) => {
        if (node.type === "tag" && node.close) closings.set(node.open.start, node.close.start);
      });
      let lines: TagLines | undefined;
      const unwrapTags: TagUnwrapper = (opening, closing) => {
        if (closings.get(opening.start) !== closing.start) return removeTags(opening, closing);
        lines ??= new TagLines(text, budget);
        return lines.unwrapTags(opening, closing);
      };
      yield;
      edits = yield* findConditionEditsInSteps(text, start, scope, lookUpExample, unwrapTags);
    }
    if (edits.length === 0) return { text, root };
    text = round === MAX_ROUNDS ? text.slice(0, edits[0]!.from) : applyTextEdits(text, edits);
    if (round === MAX_ROUNDS) return { text, root: yield* parseMarkdownInSteps(text) };
  }
}

/** Creates the lookup for the tags of a text that are only examples. A backslash has no meaning in HTML and in indented code. */
export function createExampleLookup(text: string, root: RootNode): ExampleLookup {
  const [quotes, verbatim]: [SourceSpan[], SourceSpan[]] = [[], []];
  visitNodes(root, (node) => {
    if (node.type === "inlineCode") quotes.push(node);
    else if (node.type === "html" || node.type === "math") verbatim.push(node);
    else if (node.type === "code") {
      // A fence that is never closed would take everything after it.
      const { start, end } = node;
      const fence = /^(?:`{3,}|~{3,})/.exec(text.slice(start, Math.min(end, start + 1000)))?.[0];
      const lastLineStart = Math.max(text.lastIndexOf("\n", end - 1), text.lastIndexOf("\r", end - 1)) + 1;
      const lastLine = text
        .slice(Math.max(start, lastLineStart), end)
        .replace(/^[ \t>]+/, "")
        .trimEnd();
      const isClosed =
        fence !== undefined &&
        lastLineStart > start &&
        lastLine.startsWith(fence) &&
        lastLine === fence[0]!.repeat(lastLine.length);
      (isClosed ? quotes : verbatim).push(node);
    }
  });
  const [findQuote, findVerbatim] = [createSpanFinder(quotes), createSpanFinder(verbatim)];
  return (offset) => {
    const quote = findQuote(offset);
    if (quote) return quote.start;
    return isEscaped(text, offset) && !findVerbatim(offset) ? offset : undefined;
  };
}

/** Creates a function that finds the span that contains an offset. The offsets must be in ascending order. */
function createSpanFinder(spans: readonly SourceSpan[]): (offset: number) => SourceSpan | undefined {
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  let next = 0;
  return (offset) => {
    while (next < sorted.length && sorted[next]!.end <= offset) next++;
    const span = sorted[next];
    return span && span.start <= offset ? span : undefined;
  };
}
