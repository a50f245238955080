// Maps offsets in the value of an HTML block to the source.

import type { HtmlBlockNode } from "../nodes";

export function createOffsetMap({ value, lines }: Pick<HtmlBlockNode, "value" | "lines">): (offset: number) => number {
  const starts = [0];
  for (let at = value.indexOf("\n"); at !== -1; at = value.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    // Counted from the end of the line, because a partly read tab becomes spaces at the start of the line's value.
    const length = (starts[low + 1] ?? value.length + 1) - 1 - starts[low]!;
    return Math.max(lines[low]!.start, lines[low]!.end - (length - (offset - starts[low]!)));
  };
}
