// Evaluates Markdown for one visitor: conditions are resolved, values inserted, includes filled. Everything else stays byte for byte. No
// value becomes syntax, no hidden text remains, and the size of the result is bounded.

import type { Steps } from "../../utils/concurrency/steps";
import { ExpansionBudget } from "../../utils/expansion-budget";
import { type ExpressionScope, evaluateToText } from "../expressions";
import { MAX_TEXT_LENGTH } from "../markdown/limits";
import type { ExpressionNode, RootNode, SourceNode, SourceSpan, TagNode } from "../markdown/nodes";
import { parseMarkdownInSteps } from "../markdown/parse";
import { decodeReferences } from "../markdown/syntax";
import { parseQuotedArgument } from "../markdown/tags";
import { findFrontMatter, skipByteOrderMark } from "../page-source/find-front-matter";
import { skipBlankLines } from "../page-source/title";
import { applyTextEdits, type TextEdit } from "../text-edits";
import { resolveConditions } from "./conditions";
import { createExampleLookup, resolveTextInSteps } from "./resolve-text";
import { TagLines } from "./tag-lines";
import { findStructureChangeInSteps, type StructuredText } from "./text-structure";

/** The deepest nesting of includes. */
const MAX_INCLUDE_DEPTH = 8;
/** The most blocks that lose their values one by one, before all lose them. */
const MAX_ROUNDS = 4;
/** The cost of an include beside its text, so that many empty ones reach the limit too. */
const INCLUDE_COST = 64;
const BLOCKS_PER_STEP = 1_000;
/** The expressions that are evaluated in one step. One may search ten thousand characters for as many. */
const VALUES_PER_STEP = 50;

export interface EvaluationContext {
  /** The values that expressions may use. */
  readonly scope: ExpressionScope;
  /** Returns an included text by its URL. `from`: the URL of the include with the tag; undefined in the text. */
  readonly getIncludedText: (href: string, from: string | undefined) => string | undefined;
  /** Caches texts whose conditions were resolved in the same scope, so that later evaluations do not parse them again. */
  readonly parsedTexts?: Map<string, StructuredText>;
  /** The growth that the text may have. Default: up to the maximum length of a text. */
  readonly budget?: ExpansionBudget;
}

interface EvaluatedText {
  readonly text: string;
  /** The parse tree, if the evaluation parsed the result. */
  readonly root: RootNode | undefined;
  /** The URLs of the includes that were filled, each once. */
  readonly includes: string[];
}

/** Evaluates a text. An include that is unknown, nested too deep, includes itself or makes the text too long stays as it is. */
export function* evaluateMarkdownInSteps(source: string, context: EvaluationContext): Steps<EvaluatedText> {
  const budget = context.budget ?? new ExpansionBudget(MAX_TEXT_LENGTH - source.length);
  const evaluation = new MarkdownEvaluation(context, budget);
  let text = yield* evaluation.evaluateInSteps(source, []);

  // Expressions about the visitor that remain because no value could be inserted are masked: they would show one visitor what others see.
  // In code, expressions are examples.
  if (text.includes("visitor")) {
    const masks: TextEdit[] = [];
    for (const { 0: opening, index } of text.matchAll(EXPRESSION_START)) {
      const from = index + opening.length;
      if (from < (masks.at(-1)?.to ?? 0)) continue;
      EXPRESSION_END_OR_LINE_END.lastIndex = from;
      const to = EXPRESSION_END_OR_LINE_END.exec(text)?.index ?? text.length;
      if (text.slice(from, to).includes("visitor")) masks.push({ from, to, text: "visitor" });
    }
    if (masks.length > 0) {
      yield;
      const lookUpExample = createExampleLookup(text, yield* parseMarkdownInSteps(text));
      text = applyTextEdits(
        text,
        masks.filter(({ from }) => lookUpExample(from) === undefined),
      );
    }
  }
  const { lastParsed } = evaluation;
  return { text, root: lastParsed?.text === text ? lastParsed.root : undefined, includes: [...evaluation.includes] };
}

/** Texts without a tag or an expression stay as they are. */
const TAG_OR_EXPRESSION = /\{%|expression/i;

/** One evaluation of a text and everything that it includes. */
class MarkdownEvaluation {
  readonly includes = new Set<string>();
  lastParsed: StructuredText | undefined;

  constructor(
    private readonly context: EvaluationContext,
    private readonly budget: ExpansionBudget,
  ) {}

  /** Evaluates a text. `path` has the URLs of the includes that it is in. */
  *evaluateInSteps(source: string, path: readonly string[]): Steps<string> {
    if (!TAG_OR_EXPRESSION.test(source)) return source;
    const parsed = yield* this.resolveConditionsInSteps(source);
    const { text, root } = parsed;

    const [values, includes]: [(ExpressionNode | SourceSpan)[], TagNode[]] = [[], []];
    const visit = (node: SourceNode): void => {
      const { start, end } = node;
      if (node.type === "expression") values.push(node);
      if (node.type === "html" && "lines" in node) values.push({ start, end });
      if (node.type === "details") values.push({ start, end: node.children[0]?.start ?? end });
      if (node.type === "tag" && node.name === "include") includes.push(node);
      if ("children" in node) for (const child of node.children) visit(child);
    };
    for (const [i, block] of root.children.entries()) {
      visit(block);
      if (i % BLOCKS_PER_STEP === BLOCKS_PER_STEP - 1) yield;
    }

    const valueEdits: TextEdit[] = [];
    for (const [i, node] of values.entries()) {
      if ("value" in node) {
        const escapeWords = (words: string) => escapeForMarkdown(words, text, node.start, node.end);
        valueEdits.push(...this.insertValue(node.value, node, escapeWords));
      } else valueEdits.push(...this.insertValuesIntoHtml(text, node));
      if (i % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
    }
    const includeEdits: TextEdit[] = [];
    const lines = includes.length === 0 ? undefined : new TagLines(text, this.budget);
    for (const tag of includes) {
      const edit = yield* this.fillIncludeInSteps(lines!, tag, path);
      if (edit) includeEdits.push(edit);
      yield;
    }

    // If a value would complete something that the author began, such as the target of a link, all values of its block are left out.
    let edits = valueEdits;
    let after: StructuredText | undefined;
    for (let round = 0; round < MAX_ROUNDS && edits.length > 0 && !after; round++) {
      const editedText = applyTextEdits(text, edits);
      const edited = { text: editedText, root: yield* parseMarkdownInSteps(editedText) };
      const block = yield* findStructureChangeInSteps(parsed, edited, edits);
      if (block) edits = edits.filter(({ from }) => from < block.start || from >= block.end);
      else after = edited;
    }
    this.lastParsed = after ?? parsed;
    return applyTextEdits(text, [...(after ? edits : []), ...includeEdits]);
  }

  private *resolveConditionsInSteps(source: string): Steps<StructuredText> {
    const { scope, parsedTexts } = this.context;
    const cached = parsedTexts?.get(source);
    if (cached && this.budget.take(cached.text.length - source.length)) return cached;
    const parsed = yield* resolveTextInSteps(source, scope, this.budget);
    parsedTexts?.set(source, parsed);
    return parsed;
  }

  /**
   * Returns the edit that replaces an expression by its value. The length of the value is taken from the budget before anything is done
   * with it, and the characters that escaping adds before it is inserted.
   */
  private insertValue(
    expression: string,
    { start, end }: SourceSpan,
    escapeWords: (words: string) => string,
  ): TextEdit[] {
    const { scope } = this.context;
    const words = evaluateToText(expression, scope);
    const taken = Math.max(words.length, end - start);
    if (!this.budget.take(taken - (end - start))) return [];
    // Variables may have conditions as well.
    const text = escapeWords(resolveConditions(words, scope));
    return this.budget.take(text.length - taken) ? [{ from: start, to: end, text }] : [];
  }

  /** Inserts values, each on one line, into a block of HTML, which the parser does not split. Comments stay. */
  private insertValuesIntoHtml(text: string, { start, end }: SourceSpan): TextEdit[] {
    if (/^\s*<[!?]/.test(text.slice(start, start + 9))) return [];
    const html = text.slice(start, end);
    const edits: TextEdit[] = [];
    // A closing tag is searched for once, however many open before it.
    const closings = html.matchAll(EXPRESSION_END);
    let closing = closings.next().value;
    for (const { 0: opening, index } of html.matchAll(EXPRESSION_START)) {
      const sourceStart = index + opening.length;
      while (closing && closing.index < sourceStart) closing = closings.next().value;
      if (!closing) break;
      const source = html.slice(sourceStart, closing.index);
      if (/[\r\n<]/.test(source)) continue;
      const span = { start: start + index, end: start + closing.index + closing[0].length };
      edits.push(...this.insertValue(decodeReferences(source).trim(), span, escapeForHtml));
    }
    return edits;
  }

  private *fillIncludeInSteps(lines: TagLines, tag: TagNode, path: readonly string[]): Steps<TextEdit | undefined> {
    const href = parseQuotedArgument(tag.argument);
    if (href === undefined || path.includes(href) || path.length >= MAX_INCLUDE_DEPTH) return undefined;
    const source = this.context.getIncludedText(href, path.at(-1));
    if (source === undefined || !this.budget.take(source.length + INCLUDE_COST)) return undefined;
    // The content of an included file is its text without front matter and without blank lines around it.
    const text = yield* this.evaluateInSteps(source, [...path, href]);
    const body = text.slice(findFrontMatter(text)?.after ?? skipByteOrderMark(text));
    const edit = lines.replaceTag(tag, body.slice(skipBlankLines(body, 0)).trimEnd());
    if (edit) this.includes.add(href);
    return edit;
  }
}

const EXPRESSION_START = /<code[ \t]+class=(?:"expression"|'expression')[ \t]*>/gi;
const EXPRESSION_END = /<\/code>/gi;

const EXPRESSION_END_OR_LINE_END = /<\/code>|[\r\n]/gi;

// Escapes values so that they are read as words, whatever they contain. If the text around them would still turn them into syntax, the
// changed structure shows it.

/** The characters around a value that are searched for syntax that the value could complete. */
const MAX_CONTEXT_LENGTH = 100;

/** Several spaces could be code or a line break, and a line ending could be anything. */
const SPACES = /[\s\p{Cc}]+/gu;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Returns a value for a paragraph, a heading or a cell. It replaces the text from `start` to `end`. */
function escapeForMarkdown(value: string, text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - MAX_CONTEXT_LENGTH), start);
  const after = text.slice(end, end + MAX_CONTEXT_LENGTH);
  const words = value.replace(SPACES, " ");
  let escaped = words
    .replace(PUNCTUATION, (mark, index: number) => {
      // Some marks are never syntax, others not inside a word. A dot after a `w` could begin a URL.
      const [previous, next] = [words[index - 1] ?? "", words[index + 1] ?? ""];
      const isInWord = /^[\p{L}\p{N}]$/u.test(previous) && /^[\p{L}\p{N}]$/u.test(next);
      const isHarmlessInWord = mark === "-" || mark === "_" || (mark === "." && !/w/i.test(previous));
      if (",'\"/?".includes(mark) || (isInWord && isHarmlessInWord)) return mark;
      // A backslash does not keep these two from ending something that began before the value.
      return mark === "`" || mark === "$" ? toCharacterReference(mark) : `\\${mark}`;
    })
    .replace(/^ | $/g, toCharacterReference);
  // Letters or digits at the beginning could complete syntax around the value: a reference, an emoji, a list.
  const completesName = /&#?\w*$|:[\w+-]+:$/.test(before) || (/:[\w+-]*$/.test(before) && /^[\w+-]*:|^</.test(after));
  const completesListNumber =
    /^\d+$/.test(words) && /^\d*[.)<]/.test(after) && /(?:^|[\r\n])(?:[^\S\r\n]|[>\d.)*+-])*$/.test(before);
  if (/^[\p{L}\p{N}]/u.test(words) && (completesName || completesListNumber))
    escaped = escaped.replace(/^./su, toCharacterReference);
  return /^:[\w+-]+:/.test(after) ? escaped.replace(/[\p{L}\p{N}]$/u, toCharacterReference) : escaped;
}

function escapeForHtml(value: string): string {
  return value.replace(SPACES, " ").replace(PUNCTUATION, toCharacterReference);
}

function toCharacterReference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
