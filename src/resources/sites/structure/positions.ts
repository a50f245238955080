// Positions of a site's items among their siblings: texts between which there is always room, so that moving one item
// renumbers no other.

import { orderBetween } from "../../../content/revision/order";
import type { ItemRecord } from "../records";

/** Before or after a neighbour. */
export type Side = "before" | "after";

/** The position behind the last of a row. */
export function positionBehind(row: readonly ItemRecord[]): string {
  return orderBetween(row.at(-1)?.position, undefined);
}

/** The position next to one of a row. */
export function positionBeside(row: readonly ItemRecord[], side: Side, neighbour: ItemRecord): string {
  const at = row.findIndex(({ id }) => id === neighbour.id);
  const [low, high] = side === "before" ? [row[at - 1], neighbour] : [neighbour, row[at + 1]];
  return orderBetween(low?.position, high?.position);
}
