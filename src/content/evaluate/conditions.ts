// Conditions in a text, `{% if … %}` to `{% endif %}`, wherever they stand. Only visitors who meet a condition see what
// it guards. This fails closed: a tag that cannot be read, that is never closed, or that closes nothing hides
// everything it may have been meant for. The time is linear in the text.

import { conditionHolds, type Scope } from "../expressions";
import type { Span } from "../markdown/nodes";
import { isEscaped, LongTag, scanTag } from "../markdown/parser/tags";
import { runStepsSync, type Steps } from "../markdown/steps";
import type { TextEdit } from "../text-edits";

/** The tags of a text that decide about others. */
interface Mark extends Span {
  readonly is: "opening" | "turn" | "closing" | "broken closing";
  /** The condition of an opening tag; undefined where it cannot be read, so that it never holds. */
  readonly condition: string | undefined;
}

/** Tells which tags are only examples, in code or after a backslash: gives a number for the example at an offset, the
 * same for all tags in one piece of code; undefined for a real tag. Offsets are asked for in ascending order. */
export type Quoting = (at: number) => number | undefined;

/** How many tags are decided in one step. */
const STEP = 1_000;

/** What an opening tag and its closing one become when the condition holds; both are plainly taken out unless told otherwise. */
export type Unwrap = (open: Span, close: Span) => readonly TextEdit[];

/** Spaces and invisible characters, which come with copied text. */
const GAP = "[\\s\\u00ad\\u200b-\\u200f\\u2060]*";
const HINTS = new RegExp(`\\{%[-+~=]?${GAP}(?:if|unless|else|elif|elsif|fi|end(?:if|unless|[-_]|\\b))`, "i");

/** Whether a text may have conditions in it. */
export function mayHaveConditions(text: string): boolean {
  return text.includes("{%") && (HINTS.test(text) || /visitor/i.test(text));
}

/** Whether a text may be another one for each visitor, or holds other texts: it has conditions, includes or expressions, which
 * are elements with an attribute. */
export function isAdaptive(text: string): boolean {
  return (
    /\{%\s*include/i.test(text) || (/<code[\s/]/i.test(text) && /expression/i.test(text)) || mayHaveConditions(text)
  );
}

/** A short text such as a title, without what this scope does not show. */
export function decidedWords(words: string, scope: Scope): string {
  if (!mayHaveConditions(words)) return words;
  const edits = runStepsSync(decisions(words, 0, scope, (at) => (isEscaped(words, at) ? at : undefined)));
  return edits.length === 0 ? words : apply(words, edits).replace(/ {2,}/g, " ").trim();
}

/** What everybody is shown of a short text, whoever they are. */
export function openWords(words: string): string {
  return decidedWords(words, {});
}

/** The edits that leave of a text, from an offset on, what a scope shows. They do not overlap, and stand in their order. */
export function* decisions(
  text: string,
  from: number,
  scope: Scope,
  quoting: Quoting,
  unwrap: Unwrap = taken,
): Steps<TextEdit[]> {
  const deciding = new Deciding(text, from, scope, unwrap);
  const isQuoted = new QuotedMarks();
  let read = 0;
  for (const mark of marksIn(text, from)) {
    if (++read % STEP === 0) yield;
    const by = quoting(mark.start);
    if (by !== undefined) isQuoted.add(mark, by);
    else if (mark.is === "opening") deciding.open(mark);
    else if (mark.is === "turn") deciding.turn(mark);
    else deciding.close(mark, isQuoted);
  }
  return deciding.edits();
}

/** A text with the edits made. */
export function apply(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, text: put } of edits) {
    pieces.push(text.slice(at, from), put);
    at = to;
  }
  return pieces.join("") + text.slice(at);
}

function taken(open: Span, close: Span): readonly TextEdit[] {
  return [open, close].map(({ start, end }) => ({ from: start, to: end, text: "" }));
}

/** Opening tags that are only examples. If a real closing tag follows, one of them may have been meant. */
class QuotedMarks {
  readonly #open: { readonly start: number; readonly by: number }[] = [];

  add({ is, start }: Mark, by: number): void {
    if (is === "opening") this.#open.push({ start, by });
    else if (is === "closing" && this.#open.at(-1)?.by === by) this.#open.pop();
  }

  /** Where the last of them is that nothing closes. */
  last(): number | undefined {
    return this.#open.pop()?.start;
  }
}

interface Open {
  readonly mark: Mark;
  /** Where the other branch begins. It is never shown: it has no condition of its own to check. */
  turn: number | undefined;
}

/** What is decided during the walk over the marks of a text. */
class Deciding {
  readonly #open: Open[] = [];
  readonly #hidden: { readonly from: number; readonly to: number }[] = [];
  readonly #unwrapped: TextEdit[] = [];
  readonly #known = new Map<string, boolean>();

  constructor(
    private readonly text: string,
    private readonly from: number,
    private readonly scope: Scope,
    private readonly unwrap: Unwrap,
  ) {}

  open(mark: Mark): void {
    this.#open.push({ mark, turn: undefined });
  }

  turn(mark: Mark): void {
    const innermost = this.#open.at(-1);
    if (innermost) innermost.turn ??= mark.start;
    else {
      this.#hide(this.from, mark.end);
      this.open(mark);
    }
  }

  close(mark: Mark, quoted: QuotedMarks): void {
    if (this.#open.length === 0) this.#hide(quoted.last() ?? this.from, mark.end);
    else if (mark.is === "closing") this.#decide(this.#open.pop()!, mark);
  }

  edits(): TextEdit[] {
    // An empty condition excludes nobody, closed or not.
    const unclosed = this.#open.find(({ mark }) => mark.condition !== "");
    if (unclosed) this.#hide(unclosed.mark.start, this.text.length);
    const hidden = merged(this.#hidden);
    let next = 0;
    const shown = this.#unwrapped
      .sort((a, b) => a.from - b.from)
      .filter(({ from }) => {
        while (next < hidden.length && hidden[next]!.to <= from) next++;
        return next === hidden.length || from < hidden[next]!.from;
      });
    return [...shown, ...hidden.map((range) => ({ ...range, text: "" }))].sort((a, b) => a.from - b.from);
  }

  #decide({ mark, turn }: Open, close: Mark): void {
    if (!this.#holds(mark.condition)) this.#hide(mark.start, close.end);
    else if (turn === undefined) this.#unwrapped.push(...this.unwrap(mark, close));
    else {
      this.#unwrapped.push({ from: mark.start, to: mark.end, text: "" });
      this.#hide(turn, close.end);
    }
  }

  /** Cached, because the same condition often stands in a text many times. */
  #holds(condition: string | undefined): boolean {
    if (condition === undefined) return false;
    const known = this.#known.get(condition) ?? conditionHolds(condition, this.scope);
    this.#known.set(condition, known);
    return known;
  }

  #hide(from: number, to: number): void {
    this.#hidden.push({ from, to });
  }
}

function merged(ranges: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** The beginning of a tag, with any sign before its name: `{%- if` of other template languages counts as well. */
const BEGINNING = new RegExp(`\\{%[-+~=]?${GAP}([A-Za-z][\\w-]*)`, "y");
const OPENING = /^(?:if|ifnot|unless|if[-_].*)$/;
const TURN = /^(?:else|elif|elsif|elseif|else-if|else_if)$/;
const CLOSING = /^(?:endif|end|fi|end[-_]?(?:if|unless))$/;
const IN_QUOTES = /"[^"]*"|'[^']*'/g;
/** A tag of any name that mentions the visitor outside of quotes, or has a field that looks like a condition. */
const SPEAKS_OF_VISITOR = /\bvisitor\b/i;
const HAS_CONDITION = /\b(?:if|condition|when|unless|visible|show)\s{0,9}=\s{0,9}["'][^"']{0,999}visitor/i;

/** How much of a tag is read; a condition is much shorter. */
const MAX_ARGUMENT = 5000;

/** The marks of a text. A tag must end before the next one begins. Otherwise it is broken, and the next one is still
 * read. */
function* marksIn(text: string, from: number): Generator<Mark> {
  let lineEnd = -1;
  for (let at = text.indexOf("{%", from); at !== -1; ) {
    const next = text.indexOf("{%", at + 2);
    if (lineEnd < at) lineEnd = endOfLine(text, at);
    BEGINNING.lastIndex = at;
    const beginning = BEGINNING.exec(text);
    if (beginning) {
      const end = next === -1 ? lineEnd : Math.min(lineEnd, next);
      const tag = scanTag(text, at, end);
      const behind = at + beginning[0].length;
      const saidTo = tag?.end ?? endOfLongTag(text, at, lineEnd, next) ?? end;
      const mark = markOf(beginning[1]!, tag, text.slice(behind, Math.min(saidTo, behind + MAX_ARGUMENT)));
      if (mark) yield { is: mark.is, condition: mark.condition, start: at, end: tag?.end ?? behind };
    }
    at = next;
  }
}

/** Where a tag ends that goes over several lines; undefined when there is none that ends before the next one begins. */
function endOfLongTag(text: string, at: number, lineEnd: number, next: number): number | undefined {
  if (next !== -1 && next < lineEnd) return undefined;
  const tag = LongTag.begin(text.slice(at, lineEnd));
  if (!tag) return undefined;
  const below = text.slice(lineEnd, next === -1 ? undefined : next);
  for (const { 0: line, index } of below.matchAll(/[^\r\n]+/g)) {
    const marks = /^[ \t>]*/.exec(line)![0].length;
    const end = tag.take(line.slice(marks));
    if (end === "none") return undefined;
    if (end !== "more") return lineEnd + index + marks + end;
  }
  return undefined;
}

function markOf(
  written: string,
  tag: { readonly name: string; readonly argument: string } | undefined,
  rest: string,
): Pick<Mark, "is" | "condition"> | undefined {
  const name = written.toLowerCase();
  if (CLOSING.test(name))
    return { is: tag?.name === "endif" && tag.argument === "" ? "closing" : "broken closing", condition: undefined };
  if (TURN.test(name)) return { is: "turn", condition: undefined };
  if (OPENING.test(name)) return { is: "opening", condition: tag?.name === "if" ? tag.argument : undefined };
  const isGuard = SPEAKS_OF_VISITOR.test(rest.replace(IN_QUOTES, "")) || HAS_CONDITION.test(rest);
  return isGuard ? { is: "opening", condition: undefined } : undefined;
}

function endOfLine(text: string, at: number): number {
  const ending = /[\r\n]/g;
  ending.lastIndex = at;
  return ending.exec(text)?.index ?? text.length;
}
