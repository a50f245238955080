// Edits that replace ranges of a text, and leave every byte between them as it is.

/** A replacement for the characters from `from` up to, but not including, `to`. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Returns the text with all edits applied. The edits may come in any order, but must not overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let position = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(position, edit.from) + edit.text;
    position = edit.to;
  }
  return result + text.slice(position);
}
