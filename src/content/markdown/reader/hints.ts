// Words for the four styles of hints, as others write them.

import type { BlockData } from "../../document";

type Style = BlockData["hint"]["style"];

/** The style that a word stands for. */
export const HINTS: ReadonlyMap<string, Style> = new Map(
  (
    [
      ["info", "info note notes information important seealso abstract"],
      ["warning", "warning warn caution attention"],
      ["danger", "danger error critical bug"],
      ["success", "success tip check"],
    ] as const
  ).flatMap(([style, names]) => names.split(" ").map((name): [string, Style] => [name, style])),
);
