// Replacing pieces of a text by their places, so that every byte between them stays.

/** A piece of a text to be replaced. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A text with pieces replaced; they do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  const [pieces, end] = edits
    .toSorted((a, b) => a.from - b.from)
    .reduce<[string, number]>(([done, at], edit) => [done + text.slice(at, edit.from) + edit.text, edit.to], ["", 0]);
  return pieces + text.slice(end);
}
