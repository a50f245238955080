// The way back from a block of HTML to the source.

import type { Html } from "../nodes";

/** From offsets of a block's value to those of the source. */
export function placesOf({ value, lines }: Pick<Html, "value" | "lines">): (offset: number) => number {
  const starts = [0];
  for (let at = value.indexOf("\n"); at !== -1; at = value.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    // Counted from the end of the line: a tab of which a part was read is spaces at the beginning of the value's.
    const length = (starts[low + 1] ?? value.length + 1) - 1 - starts[low]!;
    return Math.max(lines[low]!.start, lines[low]!.end - (length - (offset - starts[low]!)));
  };
}
