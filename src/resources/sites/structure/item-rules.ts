// Sections, groups and site-spaces as targets of changes, and how ids in a body are resolved. Callers who may not edit
// the site are refused before anything is looked up, and learn nothing.

import { createError, createValidationError, type Reason } from "../../../errors";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { findVisibleSpace } from "../audience/visible-alone";
import type { ItemRecord, SectionRecord, SiteSpaceRecord } from "../records";
import { loadEditableSite, type SiteMemberContext, site } from "../rules";
import type { ItemPlacement } from "./moves";
import { isSection, isSectionGroup, isSiteSpace, readStructure, type Structure } from "./structure";

/** A site with its structure, for an editor. */
export interface SiteStructureContext extends SiteMemberContext {
  readonly structure: Structure;
}

async function loadSiteStructure(scope: TargetContext): Promise<SiteStructureContext> {
  const found = await loadEditableSite(scope);
  return { ...found, structure: await readStructure(scope.tx, found.site, scope.ports) };
}

/** The structure of a site. */
export const siteWithStructure: Target<SiteStructureContext, "edit"> = {
  findPartition: site.findPartition,
  load: loadSiteStructure,
  notFoundReason: "site_not_found",
  rights: site.rights,
};

function defineItemTarget<Item extends object>(
  absent: Reason,
  find: (structure: Structure, params: TargetContext["params"]) => Item | undefined,
): Target<SiteStructureContext & Item, "edit"> {
  return {
    ...siteWithStructure,
    async load(scope) {
      const found = await loadSiteStructure(scope);
      const item = find(found.structure, scope.params);
      return item && { ...found, ...item };
    },
    notFoundReason: absent,
  };
}

/** A section of a site. */
export const siteSection = defineItemTarget("site_section_not_found", (structure, { siteSectionId }) => {
  const section = structure.get(siteSectionId!);
  return isSection(section) ? { section } : undefined;
});

/** A group of sections. */
export const siteSectionGroup = defineItemTarget(
  "site_section_group_not_found",
  (structure, { siteSectionGroupId }) => {
    const group = structure.get(siteSectionGroupId!);
    return isSectionGroup(group) ? { group } : undefined;
  },
);

/** A section of a group. */
export const groupedSection = defineItemTarget(
  "site_section_not_found",
  (structure, { siteSectionGroupId, siteSectionId }) => {
    const group = structure.get(siteSectionGroupId!);
    if (!isSectionGroup(group)) throw createError("site_section_group_not_found");
    const section = structure.get(siteSectionId!);
    return isSection(section) && section.parent === group.id ? { group, section } : undefined;
  },
);

const anySiteSpace = defineItemTarget("site_space_not_found", (structure, { siteSpaceId }) => {
  const found = structure.get(siteSpaceId!);
  return isSiteSpace(found) ? { siteSpace: found } : undefined;
});

/** A space on a site. For somebody who edits the site by a grant, a space that they may not read is not there. */
export const siteSpace: typeof anySiteSpace = {
  ...anySiteSpace,
  async load(scope) {
    const found = await anySiteSpace.load(scope);
    if (!found || isRoleAtLeast(found.me?.role ?? null, "create")) return found;
    const viewing = { ...found, tx: scope.tx, actor: scope.actor, visitor: undefined };
    return (await findVisibleSpace(viewing, found.structure, found.siteSpace)) && found;
  },
};

/** The section with an id in a body. */
export function requireSection(structure: Structure, id: string, at: string): SectionRecord {
  const section = structure.get(id);
  if (!isSection(section)) throw createValidationError(at, "There is no such section on this site");
  return section;
}

/** The site-space with an id in a body and this parent. */
export function requireSiteSpace(structure: Structure, id: string, parent: string, at: string): SiteSpaceRecord {
  const found = structure.get(id);
  if (!isSiteSpace(found) || found.parent !== parent)
    throw createValidationError(at, "There is no such site-space in this section");
  return found;
}

/** The item with an id in a body. */
export function requireItem(structure: Structure, { type, id }: ItemReference, at: string): ItemRecord {
  const item = structure.get(id);
  if (item?.type !== type) throw createValidationError(at, "There is no such item on this site");
  return item;
}

interface ItemReference {
  readonly type: ItemRecord["type"];
  readonly id: string;
}

/** The neighbour in a body. */
export function requireNeighbour(
  structure: Structure,
  { before, after }: { readonly before?: ItemReference | undefined; readonly after?: ItemReference | undefined },
): ItemPlacement {
  const side = before ? "before" : "after";
  return { side, neighbour: requireItem(structure, (before ?? after)!, `body.position.${side}`) };
}
