// Merges three versions of a few lines, line by line. Where both sides changed the same lines, ours stays and theirs is
// in the conflict.

import type { Steps } from "../markdown/steps";
import { createTextNumbering, regionsOf, type Stretch } from "./sequences";
import { linesOf } from "./split-blocks";

/** A place where both sides say something different. In the merged text ours stands there, from `start` to `end`. */
export interface TextConflict {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly start: number;
  readonly end: number;
}

/** A merged text, and its conflicts. */
export interface MergedText {
  readonly text: string;
  readonly conflicts: readonly TextConflict[];
}

/** Three versions of a text. */
export interface Versions<Text = string> {
  readonly base: Text;
  readonly ours: Text;
  readonly theirs: Text;
}

/** Something made of each of the three. */
export function each<From, To>(versions: Versions<From>, make: (version: From) => To): Versions<To> {
  return { base: make(versions.base), ours: make(versions.ours), theirs: make(versions.theirs) };
}

/** The same step by step. */
export function* eachInSteps<From, To>(
  versions: Versions<From>,
  make: (version: From) => Steps<To>,
): Steps<Versions<To>> {
  return {
    base: yield* make(versions.base),
    ours: yield* make(versions.ours),
    theirs: yield* make(versions.theirs),
  };
}

/** The version with a change, if only one side has one or both have the same. */
export function agreed<Text>({ base, ours, theirs }: Versions<Text>): Text | undefined {
  if (ours === theirs || theirs === base) return ours;
  return ours === base ? theirs : undefined;
}

/** Ours, with theirs in a conflict. */
export function kept(versions: Versions): MergedText {
  return { text: versions.ours, conflicts: [{ ...versions, start: 0, end: versions.ours.length }] };
}

/** A text that is put together from pieces; its conflicts keep their positions. */
export class Pieces implements MergedText {
  text = "";
  readonly conflicts: TextConflict[] = [];

  add(piece: MergedText | string): void {
    if (typeof piece !== "string") {
      for (const it of piece.conflicts)
        this.conflicts.push({ ...it, start: it.start + this.text.length, end: it.end + this.text.length });
      this.text += piece.text;
    } else this.text += piece;
  }
}

/** Merges lines. */
export function mergeLines(versions: Versions): MergedText {
  const lines = each(versions, linesOf);
  const numbersOf = lineNumbering();
  const { base, ours, theirs } = each(lines, numbersOf);
  const merged = new Pieces();
  const textIn = (side: keyof Versions, { start, end }: Stretch) => lines[side].slice(start, end).join("");
  for (const region of regionsOf(base, ours, theirs)) {
    const texts = {
      base: textIn("base", region.base),
      ours: textIn("ours", region.ours),
      theirs: textIn("theirs", region.theirs),
    };
    merged.add(agreed(texts) ?? kept(texts));
  }
  return merged;
}

/** Gives equal lines equal numbers. Empty lines are equal only after the same words, because they say nothing
 * themselves. */
function lineNumbering(): (lines: readonly string[]) => number[] {
  const numberOf = createTextNumbering();
  return (lines) => {
    let words = -1;
    return lines.map((line) => {
      if (line.trim() === "") return numberOf(`\n${words} ${line}`);
      words = numberOf(line);
      return words;
    });
  };
}
