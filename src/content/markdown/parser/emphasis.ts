// Emphasis, strong emphasis and strikethrough: which runs of `*`, `_` and `~` belong together. Each kind of closing run
// remembers how far back nothing was found for it, which keeps the search linear.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Inline, Text } from "../nodes";
import { classOf } from "./characters";
import type { Piece, Row } from "./pieces";

/** How many runs are gone through in one step. */
const STEP = 5_000;

/** A run of marks that may open or close emphasis. */
export interface Run {
  piece: Piece & { node: Text };
  /** Where it began. */
  at: number;
  mark: "*" | "_" | "~";
  /** How many marks are left of it. */
  length: number;
  /** How many there were. */
  original: number;
  opens: boolean;
  closes: boolean;
  previous: Run | undefined;
  next: Run | undefined;
}

/** Whether a run of marks may open and close emphasis, by what stands around it. */
export function flanking(text: string, start: number, end: number): { opens: boolean; closes: boolean } {
  const before = classOf(characterBefore(text, start));
  const after = classOf(characterAt(text, end));
  const left = after === "other" || (after === "punctuation" && before !== "other");
  const right = before === "other" || (before === "punctuation" && after !== "other");
  if (text[start] !== "_") return { opens: left, closes: right };
  return { opens: left && (!right || before === "punctuation"), closes: right && (!left || after === "punctuation") };
}

function characterAt(text: string, at: number): string | undefined {
  const code = text.codePointAt(at);
  return code === undefined ? undefined : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string | undefined {
  const last = text.charCodeAt(at - 1);
  const isPair = last >= 0xdc00 && last <= 0xdfff && at > 1;
  return at === 0 ? undefined : isPair ? characterAt(text, at - 2) : text[at - 1];
}

/** The runs of a content that are not matched yet. */
export class Runs {
  #last: Run | undefined;

  constructor(readonly row: Row) {}

  get last(): Run | undefined {
    return this.#last;
  }

  push(piece: Run["piece"], mark: Run["mark"], length: number, opens: boolean, closes: boolean): void {
    const at = piece.node.start;
    const run: Run = {
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

  /** Forgets the runs from an offset on. */
  forgetFrom(offset: number): void {
    while (this.#last && this.#last.at >= offset) this.#remove(this.#last);
  }

  /** Matches the runs behind `bottom`, and forgets them. */
  *resolve(bottom: Run | undefined): Steps<void> {
    if (this.#last === bottom) return;
    const floors = new Map<string, number>();
    let closer = bottom ? bottom.next : this.#first();
    for (let read = 1; closer; read++) {
      const next: Run | undefined = closer.closes ? this.#close(closer, bottom, floors) : closer.next;
      closer = next;
      if (read % STEP === 0) yield;
    }
    while (this.#last && this.#last !== bottom) this.#remove(this.#last);
  }

  #first(): Run | undefined {
    let run = this.#last;
    while (run?.previous) run = run.previous;
    return run;
  }

  /** Matches a closing run; gives the run to go on with. */
  #close(closer: Run, bottom: Run | undefined, floors: Map<string, number>): Run | undefined {
    const kind =
      closer.mark === "~" ? `~${closer.original}` : closer.mark + (closer.opens ? 3 : 0) + (closer.original % 3);
    const floor = floors.get(kind) ?? 0;
    let opener = closer.previous;
    while (opener && opener !== bottom && opener.at >= floor && !matches(opener, closer)) opener = opener.previous;
    if (opener && opener !== bottom && opener.at >= floor) return this.#join(opener, closer);
    floors.set(kind, closer.at);
    const next = closer.next;
    if (!closer.opens) this.#remove(closer);
    return next;
  }

  #join(opener: Run, closer: Run): Run | undefined {
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

  #wrap(opener: Run, closer: Run, width: number): void {
    const [open, close] = [opener.piece.node, closer.piece.node];
    open.value = open.value.slice(width);
    close.value = close.value.slice(width);
    open.end -= width;
    close.start += width;
    const { children, height } = this.row.takeBetween(opener.piece, closer.piece);
    const type = closer.mark === "~" ? "delete" : width === 2 ? "strong" : "emphasis";
    const node: Inline = { type, children, start: open.end, end: close.start };
    this.row.insertBehind(opener.piece, node, height + 1);
  }

  #remove(run: Run): void {
    if (run.previous) run.previous.next = run.next;
    if (run.next) run.next.previous = run.previous;
    else this.#last = run.previous;
  }
}

function matches(opener: Run, closer: Run): boolean {
  if (opener.mark !== closer.mark || !opener.opens) return false;
  if (opener.mark === "~") return opener.length === closer.length;
  const isOdd = (closer.opens || opener.closes) && closer.original % 3 !== 0;
  return !(isOdd && (opener.original + closer.original) % 3 === 0);
}
