// Creates the positions of a site's items among their siblings: texts between which another text always fits, so that a move doesn't
// renumber other items.

import { createOrderBetween } from "../../../content/revision/order";
import type { ItemRecord } from "../records";

export type Side = "before" | "after";

export function createLastPosition(siblings: readonly ItemRecord[]): string {
  return createOrderBetween(siblings.at(-1)?.position, undefined);
}

export function createPositionBeside(siblings: readonly ItemRecord[], side: Side, neighbour: ItemRecord): string {
  const index = siblings.findIndex(({ id }) => id === neighbour.id);
  const [low, high] = side === "before" ? [siblings[index - 1], neighbour] : [neighbour, siblings[index + 1]];
  return createOrderBetween(low?.position, high?.position);
}
