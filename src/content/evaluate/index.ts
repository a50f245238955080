// Markdown as one visitor sees it: conditions decided, values inserted, includes filled. Everything else stays byte for
// byte. No value becomes syntax, nothing hidden is left, and the result is bounded.

import { ExpansionBudget } from "../../utils/expansion-budget";
import { type Scope, valueText } from "../expressions";
import { MAX_TEXT_LENGTH } from "../markdown/limits";
import type { Details, Expression, Node, Root, Span, Tag } from "../markdown/nodes";
import { parseInSteps } from "../markdown/parse";
import { decodeReferences } from "../markdown/parser/references";
import { quotedArgument } from "../markdown/parser/tags";
import { runStepsSync, type Steps } from "../markdown/steps";
import { findFrontMatter, skipByteOrderMark } from "../page-source/find-front-matter";
import { skipBlankLines } from "../page-source/title";
import { applyTextEdits, type TextEdit } from "../text-edits";
import { decidedWords } from "./conditions";
import { decided } from "./decide";
import { Lines } from "./lines";
import { firstDifference, type Parsed } from "./shape";
import { asHtml, asMarkdown } from "./values";
import { veiled } from "./veil";

/** How deep an include may lie in others. */
const MAX_DEPTH = 8;
/** How many blocks may lose their values one by one, before all lose them. */
const MAX_ROUNDS = 4;
/** The cost of an include beside its text, so that many empty ones reach the limit too. */
const COST_OF_INCLUDE = 64;
/** How many blocks are gone through in one step. */
const STEP = 1_000;
/** How many expressions are evaluated in one step: one may search ten thousand characters for as many. */
const VALUES_STEP = 50;

/** What a text is evaluated with. */
export interface Surroundings {
  /** What its expressions may name. */
  readonly scope: Scope;
  /**
   * The text behind an address of an include, undefined when there is none. `from` is the address of the include that the tag
   * stands in; undefined in the text itself.
   */
  readonly include: (href: string, from: string | undefined) => string | undefined;
  /** Texts whose conditions were decided in the same scope, for whoever evaluates again: they are not parsed again. */
  readonly decided?: Map<string, Parsed>;
  /** What the text may grow by. Default: up to the length of the longest text that may be written. */
  readonly budget?: ExpansionBudget;
}

/**
 * Evaluates a text. An include that is unknown, lies too deep, includes itself or makes the whole too long stays as it stands.
 * `includes` are the addresses of those that were filled, each once.
 */
export function evaluateMarkdown(text: string, surroundings: Surroundings): Evaluated {
  return runStepsSync(evaluateInSteps(text, surroundings));
}

/** Evaluates a text step by step. */
export function* evaluateInSteps(text: string, surroundings: Surroundings): Steps<Evaluated> {
  const budget = surroundings.budget ?? new ExpansionBudget(MAX_TEXT_LENGTH - text.length);
  const evaluation = new Evaluation(surroundings, budget);
  const evaluated = yield* evaluation.evaluate(text, []);
  const shown = yield* veiled(evaluated);
  const { last } = evaluation;
  return { text: shown, root: last?.text === shown ? last.root : undefined, includes: [...evaluation.included] };
}

/** A text that was evaluated, and the addresses of the includes that were filled. */
interface Evaluated {
  readonly text: string;
  /** The text parsed, where the evaluation has parsed it. */
  readonly root: Root | undefined;
  readonly includes: string[];
}

/** A text without a tag or an expression stays as it is. */
const ADAPTIVE = /\{%|expression/i;

/** One evaluation of a text and all that it includes. */
class Evaluation {
  readonly included = new Set<string>();
  /** What was parsed last. */
  last: Parsed | undefined;

  constructor(
    private readonly surroundings: Surroundings,
    private readonly budget: ExpansionBudget,
  ) {}

  /** `path` leads to the text: the addresses of the includes that it lies in. */
  *evaluate(source: string, path: readonly string[]): Steps<string> {
    if (!ADAPTIVE.test(source)) return source;
    const parsed = yield* this.decide(source);
    const { text, root } = parsed;
    const [values, includes]: [(Expression | Span)[], Tag[]] = [[], []];
    const visit = (node: Node): void => {
      if (node.type === "expression") values.push(node);
      if (node.type === "html" && "lines" in node) values.push({ start: node.start, end: node.end });
      if (node.type === "details") values.push(headOf(node));
      if (node.type === "tag" && node.name === "include") includes.push(node);
      if ("children" in node) for (const child of node.children) visit(child);
    };
    for (const [at, block] of root.children.entries()) {
      visit(block);
      if (at % STEP === STEP - 1) yield;
    }
    const inserted: TextEdit[] = [];
    for (const [at, node] of values.entries()) {
      inserted.push(...("value" in node ? this.value(text, node) : this.valuesInHtml(text, node)));
      if (at % VALUES_STEP === VALUES_STEP - 1) yield;
    }
    const tags: TextEdit[] = [];
    const lines = includes.length === 0 ? undefined : new Lines(text, this.budget);
    for (const tag of includes) {
      tags.push(...(yield* this.filled(lines!, tag, path)));
      yield;
    }
    const { kept, after } = yield* harmless(inserted, parsed);
    this.last = after;
    return applyTextEdits(text, [...kept, ...tags]);
  }

  /** Decides the conditions of a text, unless that was done. */
  private *decide(source: string): Steps<Parsed> {
    const { scope, decided: cache } = this.surroundings;
    const cached = cache?.get(source);
    if (cached && this.budget.take(cached.text.length - source.length)) return cached;
    const parsed = yield* decided(source, scope, this.budget);
    cache?.set(source, parsed);
    return parsed;
  }

  private value(text: string, { value, start, end }: Expression): TextEdit[] {
    return this.insert(value, { start, end }, (words) => asMarkdown(words, text, start, end));
  }

  /** Puts the value of an expression in its place. Its length is taken from the budget before anything is made of it, and what
   * escaping adds before it is put in. */
  private insert(expression: string, { start, end }: Span, write: (words: string) => string): TextEdit[] {
    const { scope } = this.surroundings;
    const words = valueText(expression, scope);
    const taken = Math.max(words.length, end - start);
    if (!this.budget.take(taken - (end - start))) return [];
    // Variables may hold conditions as well.
    const text = write(decidedWords(words, scope));
    return this.budget.take(text.length - taken) ? [{ from: start, to: end, text }] : [];
  }

  /** Blocks of HTML are one piece to the parser; expressions in them are found here. Comments and the like stay. */
  private valuesInHtml(text: string, { start, end }: Span): TextEdit[] {
    if (/^\s*<[!?]/.test(text.slice(start, start + 9))) return [];
    return expressionsIn(text.slice(start, end)).flatMap(({ source, from, to }) =>
      this.insert(decodeReferences(source).trim(), { start: start + from, end: start + to }, asHtml),
    );
  }

  private *filled(lines: Lines, tag: Tag, path: readonly string[]): Steps<TextEdit[]> {
    const href = quotedArgument(tag.argument);
    if (href === undefined || path.includes(href) || path.length >= MAX_DEPTH) return [];
    const source = this.surroundings.include(href, path.at(-1));
    if (source === undefined || !this.budget.take(source.length + COST_OF_INCLUDE)) return [];
    const content = bodyOf(yield* this.evaluate(source, [...path, href]));
    const edit = lines.exchanged(tag, content);
    if (!edit) return [];
    this.included.add(href);
    return [edit];
  }
}

/**
 * The values that leave the shape of a text as it was, and the text with them. Where one would complete something that its author began, such as the
 * target of a link, all of its block stay out.
 */
function* harmless(values: readonly TextEdit[], before: Parsed): Steps<{ kept: readonly TextEdit[]; after: Parsed }> {
  let kept = values;
  for (let round = 0; round < MAX_ROUNDS && kept.length > 0; round++) {
    const text = applyTextEdits(before.text, kept);
    const after = { text, root: yield* parseInSteps(text) };
    const block = yield* firstDifference(before, after, kept);
    if (!block) return { kept, after };
    kept = kept.filter(({ from }) => from < block.start || from >= block.end);
  }
  return { kept: [], after: before };
}

/** Where the title of a block of details stands. */
function headOf({ start, end, children }: Details): Span {
  return { start, end: children[0]?.start ?? end };
}

/** What an included file contributes: its text without front matter and without empty lines around it. */
function bodyOf(text: string): string {
  const body = text.slice(findFrontMatter(text)?.after ?? skipByteOrderMark(text));
  return body.slice(skipBlankLines(body, 0)).trimEnd();
}

const OPENING = /<code[ \t]+class=(?:"expression"|'expression')[ \t]*>/gi;
const CLOSING = /<\/code>/gi;

/** The expressions in a block of HTML, each on one line. A closing tag is searched for once, however many open before
 * it. */
function expressionsIn(html: string): { source: string; from: number; to: number }[] {
  const found: { source: string; from: number; to: number }[] = [];
  const closings = html.matchAll(CLOSING);
  let closing = closings.next().value;
  for (const { 0: opening, index: from } of html.matchAll(OPENING)) {
    const start = from + opening.length;
    while (closing && closing.index < start) closing = closings.next().value;
    if (!closing) break;
    const source = html.slice(start, closing.index);
    if (!/[\r\n<]/.test(source)) found.push({ source, from, to: closing.index + closing[0].length });
  }
  return found;
}
