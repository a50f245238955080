// Saves a changed structure and presents it. Every operation that changes a structure uses this file.

import type { CallContext } from "../../../operation/operation";
import { checkMayShowSpaces, listNewlyShownSpaces } from "../audience/right-to-show";
import type { ItemRecord } from "../records";
import type { SiteStructureContext } from "./item-rules";
import { createItemPresenter, type ItemPresenter } from "./item-views";
import { extractItemBranch, type Structure, saveStructure } from "./structure";

interface StructureChangeContext extends SiteStructureContext, Pick<CallContext, "ports" | "tx" | "urls"> {
  readonly actor: { readonly user: { readonly id: string } };
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

type ItemViews = "presentSections" | "presentGroups" | "presentSiteSpaces" | "presentExternalLinks";

/** Saves a changed structure. Returns the view of one item, from the given function of the presenter. */
export async function saveAndPresentItem<Name extends ItemViews>(
  context: StructureChangeContext,
  after: Structure,
  id: string,
  name: Name,
): Promise<Awaited<ReturnType<ItemPresenter[Name]>>[number]> {
  const presenter = await saveAndPresent(context, after, id);
  const present = presenter[name] as (items: ItemRecord[]) => ReturnType<ItemPresenter[Name]>;
  return (await present([after.get(id)!]))[0]!;
}
