// Moves items of a site, in the same way for all types. An item that is moved beside a neighbor goes into the group or section of the
// neighbor. Every move keeps the rules of `edit-structure.ts`.

import { createOrderBetween } from "../../../content/revision/order";
import { createValidationError } from "../../../errors";
import type { GroupRecord, ItemRecord, SectionRecord } from "../records";
import { applyItemChanges, checkIsNotLastInSection, checkPathIsFree, checkSiblingLimit } from "./edit-structure";
import { createLastPosition, createPositionBeside, type Side } from "./positions";
import { isSectionGroup, isSiteSpace, type Structure } from "./structure";

export interface ItemPlacement {
  readonly side: Side;
  readonly neighbour: ItemRecord;
}

export function moveItem(structure: Structure, item: ItemRecord, { side, neighbour }: ItemPlacement): Structure {
  const refuse = (message: string) => createValidationError(`body.position.${side}`, message);
  if (neighbour.id === item.id) throw refuse("An item cannot stand beside itself");
  if (isSiteSpace(item) !== isSiteSpace(neighbour))
    throw refuse("Site-spaces stand beside site-spaces; sections, groups and external links beside each other");
  if (isSectionGroup(item) && neighbour.parent !== null) throw refuse("A group cannot stand in a group");
  const { parent } = neighbour;
  const siblings = structure.getChildren(parent).filter(({ id }) => id !== item.id);
  const moved = { ...item, parent, position: createPositionBeside(siblings, side, neighbour) } as ItemRecord;
  if (parent !== item.parent) {
    if (parent !== null) checkSiblingLimit(structure.getChildren(parent));
    if (isSiteSpace(item) && isSiteSpace(moved)) {
      checkIsNotLastInSection(structure, item);
      checkPathIsFree(structure, moved);
    }
  }
  return applyItemChanges(structure, { put: [moved] });
}

/** Moves a section to the end of a group. A section that is already in the group keeps its position. */
export function moveSectionIntoGroup(structure: Structure, section: SectionRecord, group: GroupRecord): Structure {
  if (section.parent === group.id) return structure;
  const siblings = structure.getChildren(group.id);
  checkSiblingLimit(siblings);
  const moved = { ...section, parent: group.id, position: createLastPosition(siblings) };
  return applyItemChanges(structure, { put: [moved] });
}

export function moveSectionOutOfGroup(structure: Structure, section: SectionRecord, group: GroupRecord): Structure {
  const position = createPositionBeside(structure.getChildren(null), "after", group);
  return applyItemChanges(structure, { put: [{ ...section, parent: null, position }] });
}

/** Removes a group. Its sections and links take its place. */
export function removeGroup(structure: Structure, group: GroupRecord): Structure {
  const siblings = structure.getChildren(null);
  const index = siblings.findIndex(({ id }) => id === group.id);
  let position = siblings[index - 1]?.position;
  const moved: ItemRecord[] = [];
  for (const section of structure.getChildren(group.id)) {
    position = createOrderBetween(position, siblings[index + 1]?.position);
    moved.push({ ...section, parent: null, position } as ItemRecord);
  }
  return applyItemChanges(structure, { without: [group], put: moved });
}
