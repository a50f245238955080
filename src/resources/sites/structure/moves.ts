// Moves items of a site, with one mechanism for all kinds. An item that is put beside a neighbour goes into the
// neighbour's group or section. Every move keeps the rules of `edits.ts`.

import { createOrderBetween } from "../../../content/revision/order";
import { createValidationError } from "../../../errors";
import type { GroupRecord, ItemRecord, SectionRecord } from "../records";
import { applyItemChanges, checkIsNotLastInSection, checkPathIsFree, checkSiblingLimit } from "./edit-structure";
import { createLastPosition, createPositionBeside, type Side } from "./positions";
import { isSectionGroup, isSiteSpace, type Structure } from "./structure";

/** The neighbour, and the side. */
export interface ItemPlacement {
  readonly side: Side;
  readonly neighbour: ItemRecord;
}

/** Puts an item beside another one. */
export function moveItem(structure: Structure, item: ItemRecord, { side, neighbour }: ItemPlacement): Structure {
  const refuse = (message: string) => createValidationError(`body.position.${side}`, message);
  if (neighbour.id === item.id) throw refuse("An item cannot stand beside itself");
  if (isSiteSpace(item) !== isSiteSpace(neighbour))
    throw refuse("Site-spaces stand beside site-spaces, sections and groups beside sections and groups");
  if (isSectionGroup(item) && neighbour.parent !== null) throw refuse("A group cannot stand in a group");
  const { parent } = neighbour;
  const siblings = structure.getChildren(parent).filter(({ id }) => id !== item.id);
  const moved = { ...item, parent, position: createPositionBeside(siblings, side, neighbour) } as ItemRecord;
  if (parent !== item.parent) checkNewPlace(structure, item, moved);
  return applyItemChanges(structure, { put: [moved] });
}

function checkNewPlace(structure: Structure, item: ItemRecord, moved: ItemRecord): void {
  if (moved.parent !== null) checkSiblingLimit(structure.getChildren(moved.parent));
  if (!isSiteSpace(item) || !isSiteSpace(moved)) return;
  checkIsNotLastInSection(structure, item);
  checkPathIsFree(structure, moved);
}

/** Puts a section at the end of a group. A section that is already in it does not move. */
export function moveSectionIntoGroup(structure: Structure, section: SectionRecord, group: GroupRecord): Structure {
  if (section.parent === group.id) return structure;
  const row = structure.getChildren(group.id);
  checkSiblingLimit(row);
  return applyItemChanges(structure, { put: [{ ...section, parent: group.id, position: createLastPosition(row) }] });
}

/** Takes a section out of its group, and puts it after the group. */
export function moveSectionOutOfGroup(structure: Structure, section: SectionRecord, group: GroupRecord): Structure {
  const position = createPositionBeside(structure.getChildren(null), "after", group);
  return applyItemChanges(structure, { put: [{ ...section, parent: null, position }] });
}

/** Removes a group. Its sections take its position. */
export function removeGroup(structure: Structure, group: GroupRecord): Structure {
  const row = structure.getChildren(null);
  const at = row.findIndex(({ id }) => id === group.id);
  let low = row[at - 1]?.position;
  const freed: ItemRecord[] = [];
  for (const section of structure.getChildren(group.id)) {
    low = createOrderBetween(low, row[at + 1]?.position);
    freed.push({ ...section, parent: null, position: low } as ItemRecord);
  }
  return applyItemChanges(structure, { without: [group], put: freed });
}
