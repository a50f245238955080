// Tables, as grids or as cards.

import type { BlockOf } from "../../content/document";
import type { Strip } from "../flow/strip";
import type { LayoutContext } from "./layout-context";
import { layOutCaption } from "./pictures";
import { readTable } from "./read-table";
import { layOutCards } from "./table-cards";
import { layOutGrid } from "./table-grid";

/** Lays out a table in its view. */
export function* layOutTable(block: BlockOf<"table">, context: LayoutContext): Generator<Strip> {
  const read = readTable(block);
  if (read.columns.length === 0) return;
  for (const strip of layOutCaption(block, context, "left")) yield { ...strip, staysWithNext: true };
  yield* read.view.type === "cards" ? layOutCards(read, context) : layOutGrid(read, context);
}
