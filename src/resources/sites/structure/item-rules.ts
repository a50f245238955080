// The targets of operations on sections, groups, external links and site-spaces, and the lookup of ids in a body. Callers who may not edit the site are
// refused before anything is looked up, so they learn nothing.

import { createError, createValidationError, type Reason } from "../../../errors";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { type SpaceContext, space } from "../../library/spaces/rules";
import { findVisibleSpace } from "../audience/visible-items";
import type { GroupRecord, ItemRecord, SectionRecord, SiteSpaceRecord } from "../records";
import { loadEditableSite, type SiteMemberContext, site } from "../rules";
import type { ItemPlacement } from "./moves";
import { isExternalLink, isSection, isSectionGroup, isSiteSpace, readStructure, type Structure } from "./structure";

export interface SiteStructureContext extends SiteMemberContext {
  readonly structure: Structure;
}

async function loadSiteStructure(scope: TargetContext): Promise<SiteStructureContext> {
  const siteContext = await loadEditableSite(scope);
  return { ...siteContext, structure: await readStructure(scope.tx, siteContext.site, scope.ports) };
}

export const siteWithStructure: Target<SiteStructureContext, "edit"> = {
  findPartition: site.findPartition,
  load: loadSiteStructure,
  notFoundReason: "site_not_found",
  rights: site.rights,
};

function defineItemTarget<Item extends object>(
  notFoundReason: Reason,
  find: (structure: Structure, params: TargetContext["params"]) => Item | undefined,
): Target<SiteStructureContext & Item, "edit"> {
  return {
    ...siteWithStructure,
    async load(scope) {
      const siteContext = await loadSiteStructure(scope);
      const item = find(siteContext.structure, scope.params);
      return item && { ...siteContext, ...item };
    },
    notFoundReason,
  };
}

export const siteSection = defineItemTarget("site_section_not_found", (structure, { siteSectionId }) => {
  const section = structure.get(siteSectionId!);
  return isSection(section) ? { section } : undefined;
});

export const siteSectionGroup = defineItemTarget(
  "site_section_group_not_found",
  (structure, { siteSectionGroupId }) => {
    const group = structure.get(siteSectionGroupId!);
    return isSectionGroup(group) ? { group } : undefined;
  },
);

export const siteExternalLink = defineItemTarget(
  "site_external_link_not_found",
  (structure, { siteExternalLinkId }) => {
    const link = structure.get(siteExternalLinkId!);
    return isExternalLink(link) ? { link } : undefined;
  },
);

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
  const item = structure.get(siteSpaceId!);
  return isSiteSpace(item) ? { siteSpace: item } : undefined;
});

/** A site-space. For a member who edits the site by a grant, a space that they may not read is treated as absent. */
export const siteSpace: typeof anySiteSpace = {
  ...anySiteSpace,
  async load(scope) {
    const loaded = await anySiteSpace.load(scope);
    if (!loaded || isRoleAtLeast(loaded.me?.role ?? null, "create")) return loaded;
    const viewing = { ...loaded, tx: scope.tx, actor: scope.actor, visitor: undefined };
    return (await findVisibleSpace(viewing, loaded.structure, loaded.siteSpace)) && loaded;
  },
};

/** A site-space with the space that it shows, for people who may see that space. */
export const siteSpaceWithSpace: Target<
  SiteStructureContext & { readonly siteSpace: SiteSpaceRecord; readonly spaceContext: SpaceContext },
  "edit"
> = {
  ...siteSpace,
  async load(scope) {
    const loaded = await siteSpace.load(scope);
    if (!loaded) return undefined;
    const spaceContext = await space.load({ ...scope, params: { spaceId: loaded.siteSpace.space } });
    if (!spaceContext || !space.rights.view(spaceContext)) throw createError("space_not_found");
    return { ...loaded, spaceContext };
  },
};

export function requireSection(structure: Structure, id: string, field: string): SectionRecord {
  const section = structure.get(id);
  if (!isSection(section)) throw createValidationError(field, "Section not found on this site");
  return section;
}

export function requireGroup(structure: Structure, id: string, field: string): GroupRecord {
  const group = structure.get(id);
  if (!isSectionGroup(group)) throw createValidationError(field, "Section group not found on this site");
  return group;
}

export function requireItem(structure: Structure, { type, id }: ItemReference, field: string): ItemRecord {
  const item = structure.get(id);
  if (item?.type !== type) throw createValidationError(field, "Item not found on this site");
  return item;
}

interface ItemReference {
  readonly type: ItemRecord["type"];
  readonly id: string;
}

/** Returns the neighbor that the position in a body names. */
export function requireNeighbour(
  structure: Structure,
  { before, after }: { readonly before?: ItemReference | undefined; readonly after?: ItemReference | undefined },
): ItemPlacement {
  const side = before ? "before" : "after";
  return { side, neighbour: requireItem(structure, (before ?? after)!, `body.position.${side}`) };
}
