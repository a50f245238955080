// Resolves the conditions in a text, from `{% if … %}` to `{% endif %}`, at any place. Only visitors who meet a condition see the text
// between its tags. This fails closed: a tag that cannot be parsed, that is never closed, or that closes nothing hides everything that it
// may have been meant for. The time is linear in the text.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { type ExpressionScope, isConditionMet } from "../expressions";
import type { SourceSpan } from "../markdown/nodes";
import { isEscaped, MultilineTag, scanTag } from "../markdown/tags";
import { applyTextEdits, type TextEdit } from "../text-edits";

interface ConditionTag extends SourceSpan {
  readonly type: "opening" | "else" | "closing" | "broken closing";
  /** The condition of an opening tag; undefined if it cannot be parsed, so that it is never met. */
  readonly condition: string | undefined;
}

/**
 * Recognizes tags that are only examples, in code or after a backslash. Returns a number for the example at an offset, which is the same
 * for all tags in one piece of code, or undefined for a real tag. The offsets must be in ascending order.
 */
export type ExampleLookup = (offset: number) => number | undefined;

const TAGS_PER_STEP = 1_000;

/** Returns the edits that remove an opening tag and its closing tag when the condition is met. */
export type TagUnwrapper = (opening: SourceSpan, closing: SourceSpan) => readonly TextEdit[];

/** Spaces and invisible characters, which come with copied text. */
const GAP = "[\\s\\u00ad\\u200b-\\u200f\\u2060]*";
const CONDITION_HINT = new RegExp(`\\{%[-+~=]?${GAP}(?:if|unless|else|elif|elsif|fi|end(?:if|unless|[-_]|\\b))`, "i");

/** Returns false for texts that certainly have no conditions. */
export function mayHaveConditions(text: string): boolean {
  return text.includes("{%") && (CONDITION_HINT.test(text) || /visitor/i.test(text));
}

/**
 * Returns false for texts that certainly are the same for each visitor and include no other texts: they have no conditions, no includes
 * and no expressions, which are elements with an attribute.
 */
export function isAdaptive(text: string): boolean {
  return (
    /\{%\s*include/i.test(text) || (/<code[\s/]/i.test(text) && /expression/i.test(text)) || mayHaveConditions(text)
  );
}

/** Returns a short text, such as a title, without the parts that are hidden in a scope. */
export function resolveConditions(text: string, scope: ExpressionScope): string {
  if (!mayHaveConditions(text)) return text;
  const lookUpExample: ExampleLookup = (offset) => (isEscaped(text, offset) ? offset : undefined);
  const edits = runStepsSync(findConditionEditsInSteps(text, 0, scope, lookUpExample));
  return edits.length === 0 ? text : applyTextEdits(text, edits).replace(/ {2,}/g, " ").trim();
}

/** Returns the edits that remove what is hidden in a scope, from an offset on: in order, without overlaps. */
export function* findConditionEditsInSteps(
  text: string,
  from: number,
  scope: ExpressionScope,
  lookUpExample: ExampleLookup,
  unwrapTags: TagUnwrapper = removeTags,
): Steps<TextEdit[]> {
  const resolver = new ConditionResolver(text, from, scope, unwrapTags);
  const examples = new ExampleTags();
  let count = 0;
  for (const tag of findConditionTags(text, from)) {
    if (++count % TAGS_PER_STEP === 0) yield;
    const example = lookUpExample(tag.start);
    if (example !== undefined) examples.add(tag, example);
    else if (tag.type === "opening") resolver.open(tag);
    else if (tag.type === "else") resolver.startElse(tag);
    else resolver.close(tag, examples);
  }
  return resolver.finish();
}

/** Returns the edits that only remove the tags. */
export function removeTags(opening: SourceSpan, closing: SourceSpan): readonly TextEdit[] {
  return [opening, closing].map(({ start, end }) => ({ from: start, to: end, text: "" }));
}

/** Opening tags that are only examples. If a real closing tag follows, one of them may have been meant. */
class ExampleTags {
  readonly #open: { readonly start: number; readonly example: number }[] = [];

  add({ type, start }: ConditionTag, example: number): void {
    if (type === "opening") this.#open.push({ start, example });
    else if (type === "closing" && this.#open.at(-1)?.example === example) this.#open.pop();
  }

  /** Removes the last one without a closing tag, and returns its start. */
  pop(): number | undefined {
    return this.#open.pop()?.start;
  }
}

interface OpenCondition {
  readonly tag: ConditionTag;
  /** The start of the other branch. It is never shown, because it has no condition to check. */
  elseStart: number | undefined;
}

/** Resolves the conditions of a text while its tags are visited in order. */
class ConditionResolver {
  readonly #open: OpenCondition[] = [];
  readonly #hidden: { readonly from: number; readonly to: number }[] = [];
  readonly #unwrapped: TextEdit[] = [];
  /** The conditions that were evaluated. The same condition often occurs many times in a text. */
  readonly #results = new Map<string, boolean>();

  constructor(
    private readonly text: string,
    private readonly from: number,
    private readonly scope: ExpressionScope,
    private readonly unwrapTags: TagUnwrapper,
  ) {}

  open(tag: ConditionTag): void {
    this.#open.push({ tag, elseStart: undefined });
  }

  startElse(tag: ConditionTag): void {
    const innermost = this.#open.at(-1);
    if (innermost) innermost.elseStart ??= tag.start;
    else {
      this.#hide(this.from, tag.end);
      this.open(tag);
    }
  }

  close(closing: ConditionTag, examples: ExampleTags): void {
    if (this.#open.length === 0) {
      this.#hide(examples.pop() ?? this.from, closing.end);
      return;
    }
    if (closing.type !== "closing") return;
    const { tag, elseStart } = this.#open.pop()!;
    if (!this.#isMet(tag.condition)) this.#hide(tag.start, closing.end);
    else if (elseStart === undefined) this.#unwrapped.push(...this.unwrapTags(tag, closing));
    else {
      this.#unwrapped.push({ from: tag.start, to: tag.end, text: "" });
      this.#hide(elseStart, closing.end);
    }
  }

  finish(): TextEdit[] {
    // An empty condition excludes no visitor, closed or not.
    const unclosed = this.#open.find(({ tag }) => tag.condition !== "");
    if (unclosed) this.#hide(unclosed.tag.start, this.text.length);

    const hidden: { from: number; to: number }[] = [];
    for (const { from, to } of this.#hidden.toSorted((a, b) => a.from - b.from)) {
      const last = hidden.at(-1);
      if (last && from <= last.to) last.to = Math.max(last.to, to);
      else hidden.push({ from, to });
    }

    // Edits inside a hidden range are dropped.
    let next = 0;
    const visible = this.#unwrapped
      .sort((a, b) => a.from - b.from)
      .filter(({ from }) => {
        while (next < hidden.length && hidden[next]!.to <= from) next++;
        return next === hidden.length || from < hidden[next]!.from;
      });
    return [...visible, ...hidden.map((range) => ({ ...range, text: "" }))].sort((a, b) => a.from - b.from);
  }

  #isMet(condition: string | undefined): boolean {
    if (condition === undefined) return false;
    const result = this.#results.get(condition) ?? isConditionMet(condition, this.scope);
    this.#results.set(condition, result);
    return result;
  }

  #hide(from: number, to: number): void {
    this.#hidden.push({ from, to });
  }
}

/** The beginning of a tag, with any symbol before its name: `{%- if` of other template languages is a tag as well. */
const TAG_START = new RegExp(`\\{%[-+~=]?${GAP}([A-Za-z][\\w-]*)`, "y");
const OPENING = /^(?:if|ifnot|unless|if[-_].*)$/;
const ELSE = /^(?:else|elif|elsif|elseif|else-if|else_if)$/;
const CLOSING = /^(?:endif|end|fi|end[-_]?(?:if|unless))$/;
const QUOTED = /"[^"]*"|'[^']*'/g;
/** A tag of any name that mentions the visitor outside of quotes, or has a field that looks like a condition. */
const MENTIONS_VISITOR = /\bvisitor\b/i;
const HAS_CONDITION = /\b(?:if|condition|when|unless|visible|show)\s{0,9}=\s{0,9}["'][^"']{0,999}visitor/i;

/** The most characters of a tag that are read. A condition is much shorter. */
const MAX_ARGUMENT_LENGTH = 5000;

/** Finds the tags of conditions. A tag must end before the next one begins. Otherwise it is broken, and the next one still counts. */
function* findConditionTags(text: string, from: number): Generator<ConditionTag> {
  let lineEnd = -1;
  for (let start = text.indexOf("{%", from); start !== -1; ) {
    const next = text.indexOf("{%", start + 2);
    if (lineEnd < start) {
      const lineEnding = /[\r\n]/g;
      lineEnding.lastIndex = start;
      lineEnd = lineEnding.exec(text)?.index ?? text.length;
    }
    TAG_START.lastIndex = start;
    const tagStart = TAG_START.exec(text);
    if (tagStart) {
      const limit = next === -1 ? lineEnd : Math.min(lineEnd, next);
      const tag = scanTag(text, start, limit);
      const nameEnd = start + tagStart[0].length;
      const argumentEnd = tag?.end ?? findLongTagEnd(text, start, lineEnd, next) ?? limit;
      const argument = text.slice(nameEnd, Math.min(argumentEnd, nameEnd + MAX_ARGUMENT_LENGTH));
      const name = tagStart[1]!.toLowerCase();
      let type: ConditionTag["type"] | undefined;
      let condition: string | undefined;
      if (CLOSING.test(name)) type = tag?.name === "endif" && tag.argument === "" ? "closing" : "broken closing";
      else if (ELSE.test(name)) type = "else";
      else if (OPENING.test(name)) {
        type = "opening";
        condition = tag?.name === "if" ? tag.argument : undefined;
      } else if (MENTIONS_VISITOR.test(argument.replace(QUOTED, "")) || HAS_CONDITION.test(argument)) type = "opening";
      if (type) yield { type, condition, start, end: tag?.end ?? nameEnd };
    }
    start = next;
  }
}

/** Returns the end of a tag on several lines, or undefined if none ends before the next one begins. */
function findLongTagEnd(text: string, start: number, lineEnd: number, next: number): number | undefined {
  if (next !== -1 && next < lineEnd) return undefined;
  const tag = MultilineTag.begin(text.slice(start, lineEnd));
  if (!tag) return undefined;
  const below = text.slice(lineEnd, next === -1 ? undefined : next);
  for (const { 0: line, index } of below.matchAll(/[^\r\n]+/g)) {
    const marksLength = /^[ \t>]*/.exec(line)![0].length;
    const end = tag.take(line.slice(marksLength));
    if (end === "none") return undefined;
    if (end !== "more") return lineEnd + index + marksLength + end;
  }
  return undefined;
}
