// Three versions of a text or a value, and the text that is merged from them.

/** Three versions of a text or a value: the common base, and what each side made of it. */
export interface Versions<Version = string> {
  readonly base: Version;
  readonly ours: Version;
  readonly theirs: Version;
}

/** A place that both sides changed differently. The merged text has ours there, from `start` to `end`. */
export interface TextConflict extends Versions {
  readonly start: number;
  readonly end: number;
}

export interface MergedText {
  readonly text: string;
  readonly conflicts: readonly TextConflict[];
}

export function mapVersions<From, To>(versions: Versions<From>, map: (version: From) => To): Versions<To> {
  return { base: map(versions.base), ours: map(versions.ours), theirs: map(versions.theirs) };
}

export function zipVersions<First, Second, To>(
  first: Versions<First>,
  second: Versions<Second>,
  combine: (first: First, second: Second) => To,
): Versions<To> {
  return {
    base: combine(first.base, second.base),
    ours: combine(first.ours, second.ours),
    theirs: combine(first.theirs, second.theirs),
  };
}

/** Returns the changed version if only one side changed it or both made the same change, else undefined. */
export function mergeTrivially<Version>({ base, ours, theirs }: Versions<Version>): Version | undefined {
  if (ours === theirs || theirs === base) return ours;
  return ours === base ? theirs : undefined;
}

/** Returns ours as the merged text, with theirs in a conflict. */
export function keepOurs(versions: Versions): MergedText {
  return { text: versions.ours, conflicts: [{ ...versions, start: 0, end: versions.ours.length }] };
}

/** Builds a merged text from pieces. Their conflicts keep their positions. */
export class MergedTextBuilder implements MergedText {
  text = "";
  readonly conflicts: TextConflict[] = [];

  append(piece: MergedText | string): void {
    if (typeof piece === "string") {
      this.text += piece;
      return;
    }
    const offset = this.text.length;
    for (const conflict of piece.conflicts)
      this.conflicts.push({ ...conflict, start: conflict.start + offset, end: conflict.end + offset });
    this.text += piece.text;
  }
}
