// Tables, as grids or as cards.

import type { BlockOf } from "../../content/document";
import type { Strip } from "../flow/strip";
import { captionOf } from "./pictures";
import type { Setting } from "./setting";
import { cardsView } from "./table-cards";
import { gridView } from "./table-grid";
import { readTable } from "./table-reading";

/** A table in its view. */
export function* table(block: BlockOf<"table">, setting: Setting): Generator<Strip> {
  const read = readTable(block);
  if (read.columns.length === 0) return;
  for (const strip of captionOf(block, setting, "left")) yield { ...strip, staysWithNext: true };
  yield* read.view.type === "cards" ? cardsView(read, setting) : gridView(read, setting);
}
