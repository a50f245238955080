// Moves items of a site, with one mechanism for all kinds. An item that is put beside a neighbour goes into the
// neighbour's group or section. Every move keeps the rules of `edits.ts`.

import { createOrderBetween } from "../../../content/revision/order";
import { createValidationError } from "../../../errors";
import type { GroupRecord, ItemRecord, SectionRecord } from "../records";
import { checkNotLast, checkPath, checkRoom, revised } from "./edits";
import { positionBehind, positionBeside, type Side } from "./positions";
import { isGroup, isSiteSpace, type Structure } from "./structure";

/** The neighbour, and the side. */
export interface Beside {
  readonly side: Side;
  readonly neighbour: ItemRecord;
}

/** Puts an item beside another one. */
export function withMoved(structure: Structure, item: ItemRecord, { side, neighbour }: Beside): Structure {
  const refuse = (message: string) => createValidationError(`body.position.${side}`, message);
  if (neighbour.id === item.id) throw refuse("An item cannot stand beside itself");
  if (isSiteSpace(item) !== isSiteSpace(neighbour))
    throw refuse("Site-spaces stand beside site-spaces, sections and groups beside sections and groups");
  if (isGroup(item) && neighbour.parent !== null) throw refuse("A group cannot stand in a group");
  const { parent } = neighbour;
  const siblings = structure.under(parent).filter(({ id }) => id !== item.id);
  const moved = { ...item, parent, position: positionBeside(siblings, side, neighbour) } as ItemRecord;
  if (parent !== item.parent) checkNewPlace(structure, item, moved);
  return revised(structure, { put: [moved] });
}

function checkNewPlace(structure: Structure, item: ItemRecord, moved: ItemRecord): void {
  if (moved.parent !== null) checkRoom(structure.under(moved.parent));
  if (!isSiteSpace(item) || !isSiteSpace(moved)) return;
  checkNotLast(structure, item);
  checkPath(structure, moved);
}

/** Puts a section at the end of a group. A section that is already in it does not move. */
export function intoGroup(structure: Structure, section: SectionRecord, group: GroupRecord): Structure {
  if (section.parent === group.id) return structure;
  const row = structure.under(group.id);
  checkRoom(row);
  return revised(structure, { put: [{ ...section, parent: group.id, position: positionBehind(row) }] });
}

/** Takes a section out of its group, and puts it after the group. */
export function outOfGroup(structure: Structure, section: SectionRecord, group: GroupRecord): Structure {
  const position = positionBeside(structure.under(null), "after", group);
  return revised(structure, { put: [{ ...section, parent: null, position }] });
}

/** Removes a group. Its sections take its position. */
export function withoutGroup(structure: Structure, group: GroupRecord): Structure {
  const row = structure.under(null);
  const at = row.findIndex(({ id }) => id === group.id);
  let low = row[at - 1]?.position;
  const freed: ItemRecord[] = [];
  for (const section of structure.under(group.id)) {
    low = createOrderBetween(low, row[at + 1]?.position);
    freed.push({ ...section, parent: null, position: low } as ItemRecord);
  }
  return revised(structure, { without: [group], put: freed });
}
