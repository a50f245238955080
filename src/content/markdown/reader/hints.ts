// The names that other tools have for the four styles of hints.

import type { BlockData } from "../../document";

export const HINTS: ReadonlyMap<string, BlockData["hint"]["style"]> = new Map(
  (
    [
      ["info", "info note notes information important seealso abstract"],
      ["warning", "warning warn caution attention"],
      ["danger", "danger error critical bug"],
      ["success", "success tip check"],
    ] as const
  ).flatMap(([style, names]) => names.split(" ").map((name) => [name, style] as const)),
);
