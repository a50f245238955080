// Saves a changed structure and presents it. Every operation that changes a structure uses this file.

import type { Urls } from "../../../ports/urls";
import type { Transaction } from "../../../storage/transaction";
import type { StampedCache } from "../../../utils/stamped-cache";
import { checkMayShowSpaces, listNewlyShownSpaces } from "../audience/right-to-show";
import type { GroupRecord, SectionRecord, SiteSpaceRecord } from "../records";
import type { SiteStructureContext } from "./item-rules";
import { createItemPresenter, type ItemPresenter } from "./item-views";
import { extractItemBranch, type Structure, saveStructure } from "./structure";

interface StructureChangeContext extends SiteStructureContext {
  readonly tx: Transaction;
  readonly actor: { readonly user: { readonly id: string } };
  readonly urls: Urls;
  readonly ports: { readonly cache: StampedCache };
}

/**
 * Saves a changed structure if the caller may show the spaces that it newly shows. Returns the presenter of all items, or of the one with
 * `id`, for which only its own spaces are read.
 */
export async function saveAndPresent(
  context: StructureChangeContext,
  after: Structure,
  id?: string,
): Promise<ItemPresenter> {
  const { tx, organization, me, actor, urls, structure } = context;
  if (context.site.published) await checkMayShowSpaces(context, listNewlyShownSpaces(structure, after));
  const site = await saveStructure(tx, context.site, structure, after, context.ports);
  const presented = id === undefined ? after : extractItemBranch(after, id);
  return createItemPresenter({ tx, organization, me, site, actor, urls, visitor: undefined }, presented);
}

/** Saves a changed structure. Returns the view of one section. */
export async function saveAndPresentSection(context: StructureChangeContext, after: Structure, id: string) {
  return (await (await saveAndPresent(context, after, id)).presentSections([after.get(id) as SectionRecord]))[0]!;
}

/** Saves a changed structure. Returns the view of one group. */
export async function saveAndPresentGroup(context: StructureChangeContext, after: Structure, id: string) {
  return (await (await saveAndPresent(context, after, id)).presentGroups([after.get(id) as GroupRecord]))[0]!;
}

/** Saves a changed structure. Returns the view of one site-space. */
export async function saveAndPresentSiteSpace(context: StructureChangeContext, after: Structure, id: string) {
  return (await (await saveAndPresent(context, after, id)).presentSiteSpaces([after.get(id) as SiteSpaceRecord]))[0]!;
}
