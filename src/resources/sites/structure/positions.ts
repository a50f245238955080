// Positions of a site's items among siblings: texts between which another text always fits, so moving one item does not
// renumber others.

import { createOrderBetween } from "../../../content/revision/order";
import type { ItemRecord } from "../records";

/** Before or after a neighbour. */
export type Side = "before" | "after";

/** The position after the last sibling. */
export function createLastPosition(row: readonly ItemRecord[]): string {
  return createOrderBetween(row.at(-1)?.position, undefined);
}

/** The position beside a sibling. */
export function createPositionBeside(row: readonly ItemRecord[], side: Side, neighbour: ItemRecord): string {
  const at = row.findIndex(({ id }) => id === neighbour.id);
  const [low, high] = side === "before" ? [row[at - 1], neighbour] : [neighbour, row[at + 1]];
  return createOrderBetween(low?.position, high?.position);
}
