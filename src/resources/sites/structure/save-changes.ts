// Saves a changed structure, and answers with it. Every operation that changes a structure uses this.

import type { Urls } from "../../../ports/urls";
import type { Transaction } from "../../../storage/transaction";
import type { StampedCache } from "../../../utils/stamped-cache";
import { checkShowing, shownToMore } from "../audience/right-to-show";
import type { GroupRecord, SectionRecord, SiteSpaceRecord } from "../records";
import type { InStructure } from "./item-rules";
import { type ItemViews, itemViews } from "./item-views";
import { aroundItem, type Structure, saveStructure } from "./structure";

interface Changing extends InStructure {
  readonly tx: Transaction;
  readonly actor: { readonly user: { readonly id: string } };
  readonly urls: Urls;
  readonly ports: { readonly cache: StampedCache };
}

/** Saves a changed structure, if the caller may show what it shows. Returns the caller's views of it: of all items, or of one,
 * for which only the spaces of that one are read. */
export async function change(context: Changing, after: Structure, id?: string): Promise<ItemViews> {
  const { tx, organization, me, actor, urls, structure } = context;
  if (context.site.published) await checkShowing(context, shownToMore(structure, after));
  const site = await saveStructure(tx, context.site, structure, after, context.ports);
  const shown = id === undefined ? after : aroundItem(after, id);
  return itemViews({ tx, organization, me, site, actor, urls, visitor: undefined }, shown);
}

/** Saves a changed structure. Returns the view of one section. */
export async function changedSection(context: Changing, after: Structure, id: string) {
  return (await (await change(context, after, id)).sections([after.get(id) as SectionRecord]))[0]!;
}

/** Saves a changed structure. Returns the view of one group. */
export async function changedGroup(context: Changing, after: Structure, id: string) {
  return (await (await change(context, after, id)).groups([after.get(id) as GroupRecord]))[0]!;
}

/** Saves a changed structure. Returns the view of one site-space. */
export async function changedSiteSpace(context: Changing, after: Structure, id: string) {
  return (await (await change(context, after, id)).siteSpaces([after.get(id) as SiteSpaceRecord]))[0]!;
}
