// Matches the delimiter runs of emphasis, strong emphasis and strikethrough: `*`, `_` and `~`. Each kind of closing run
// remembers how far back no opener was found for it, which keeps the search linear.

import type { Steps } from "../../../utils/concurrency/steps";
import type { InlineNode, TextNode } from "../nodes";
import { classifyCharacter } from "./characters";
import type { InlineEntry, InlineList } from "./inline-list";

/** The number of runs that are matched in one step. */
const STEP = 5_000;

/** A delimiter run that can open or close emphasis. */
export interface DelimiterRun {
  piece: InlineEntry & { node: TextNode };
  /** Its offset in the content. */
  at: number;
  mark: "*" | "_" | "~";
  /** The number of delimiters that are not matched yet. */
  length: number;
  /** The number of delimiters that it began with. */
  original: number;
  opens: boolean;
  closes: boolean;
  previous: DelimiterRun | undefined;
  next: DelimiterRun | undefined;
}

/** Returns whether a delimiter run can open and close emphasis: whether it is left-flanking and right-flanking. */
export function getFlanking(text: string, start: number, end: number): { opens: boolean; closes: boolean } {
  const unit = text.charCodeAt(start - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff && start > 1;
  const before = classifyCharacter(
    isLowSurrogate ? String.fromCodePoint(text.codePointAt(start - 2)!) : text[start - 1],
  );
  const next = text.codePointAt(end);
  const after = classifyCharacter(next === undefined ? undefined : String.fromCodePoint(next));
  const left = after === "other" || (after === "punctuation" && before !== "other");
  const right = before === "other" || (before === "punctuation" && after !== "other");
  if (text[start] !== "_") return { opens: left, closes: right };
  return { opens: left && (!right || before === "punctuation"), closes: right && (!left || after === "punctuation") };
}

/** The stack of delimiter runs of a content that are not matched yet. */
export class DelimiterStack {
  #last: DelimiterRun | undefined;

  constructor(readonly row: InlineList) {}

  get last(): DelimiterRun | undefined {
    return this.#last;
  }

  push(
    piece: DelimiterRun["piece"],
    mark: DelimiterRun["mark"],
    length: number,
    opens: boolean,
    closes: boolean,
  ): void {
    const at = piece.node.start;
    const run: DelimiterRun = {
      piece,
      at,
      mark,
      length,
      original: length,
      opens,
      closes,
      previous: this.#last,
      next: undefined,
    };
    if (this.#last) this.#last.next = run;
    this.#last = run;
  }

  /** Removes the runs from an offset on. */
  forgetFrom(offset: number): void {
    while (this.#last && this.#last.at >= offset) this.#remove(this.#last);
  }

  /** Matches the runs above `bottom`, and removes them. */
  *resolve(bottom: DelimiterRun | undefined): Steps<void> {
    if (this.#last === bottom) return;
    const floors = new Map<string, number>();
    let closer = bottom ? bottom.next : this.#first();
    for (let read = 1; closer; read++) {
      const next: DelimiterRun | undefined = closer.closes ? this.#close(closer, bottom, floors) : closer.next;
      closer = next;
      if (read % STEP === 0) yield;
    }
    while (this.#last && this.#last !== bottom) this.#remove(this.#last);
  }

  #first(): DelimiterRun | undefined {
    let run = this.#last;
    while (run?.previous) run = run.previous;
    return run;
  }

  #close(
    closer: DelimiterRun,
    bottom: DelimiterRun | undefined,
    floors: Map<string, number>,
  ): DelimiterRun | undefined {
    const kind =
      closer.mark === "~" ? `~${closer.original}` : closer.mark + (closer.opens ? 3 : 0) + (closer.original % 3);
    const floor = floors.get(kind) ?? 0;
    let opener = closer.previous;
    for (; opener && opener !== bottom && opener.at >= floor; opener = opener.previous) {
      if (opener.mark !== closer.mark || !opener.opens) continue;
      const isOdd = (closer.opens || opener.closes) && closer.original % 3 !== 0;
      const isForbidden = isOdd && (opener.original + closer.original) % 3 === 0;
      if (closer.mark === "~" ? opener.length === closer.length : !isForbidden) break;
    }
    if (opener && opener !== bottom && opener.at >= floor) return this.#join(opener, closer);
    floors.set(kind, closer.at);
    const next = closer.next;
    if (!closer.opens) this.#remove(closer);
    return next;
  }

  #join(opener: DelimiterRun, closer: DelimiterRun): DelimiterRun | undefined {
    for (let run = closer.previous; run && run !== opener; run = run.previous) this.#remove(run);
    const width = closer.mark === "~" ? closer.length : opener.length >= 2 && closer.length >= 2 ? 2 : 1;
    this.#wrap(opener, closer, width);
    opener.length -= width;
    closer.length -= width;
    if (opener.length === 0) this.#remove(opener);
    if (closer.length > 0) return closer;
    const next = closer.next;
    this.#remove(closer);
    return next;
  }

  #wrap(opener: DelimiterRun, closer: DelimiterRun, width: number): void {
    const [open, close] = [opener.piece.node, closer.piece.node];
    open.value = open.value.slice(width);
    close.value = close.value.slice(width);
    open.end -= width;
    close.start += width;
    const { children, height } = this.row.takeBetween(opener.piece, closer.piece);
    const type = closer.mark === "~" ? "delete" : width === 2 ? "strong" : "emphasis";
    const node: InlineNode = { type, children, start: open.end, end: close.start };
    this.row.insertAfter(opener.piece, node, height + 1);
  }

  #remove(run: DelimiterRun): void {
    if (run.previous) run.previous.next = run.next;
    if (run.next) run.next.previous = run.previous;
    else this.#last = run.previous;
  }
}
