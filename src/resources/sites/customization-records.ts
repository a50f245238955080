// What is set of how a site looks, for the site and for its site-spaces.

import { records } from "../../store/records";
import type { Reader, Transaction } from "../../store/transaction";
import type { Overrides } from "./customization-schema";
import { MAX_ITEMS } from "./records";

/** What is set for a site, or for one of its site-spaces. */
type CustomizationRecord = {
  readonly site: string;
  /** Null: the site itself. */
  readonly siteSpace: string | null;
  readonly settings: Overrides;
};

export const customizations = records("site-customization", {
  key: (it: CustomizationRecord) => [it.site, it.siteSpace],
  indexes: { ofSite: (it) => [it.site] },
});

/** What is set for a site; undefined for nothing. */
export async function overridesOf(tx: Reader, site: string, siteSpace: string | null): Promise<Overrides | undefined> {
  return (await customizations.get(tx, site, siteSpace))?.settings;
}

/** Everything that is set for a site. */
export async function customizationsOf(tx: Reader, site: string): Promise<CustomizationRecord[]> {
  const rows = await customizations.list(tx, "ofSite", { under: [site], limit: MAX_ITEMS + 1 });
  return rows.map(({ record }) => record);
}

/** Customizations that one transaction takes away. */
const AT_ONCE = 75;

/** Takes away some of what was set for a site that is gone; true when it took some: there may be more. */
export async function dropCustomizations(tx: Transaction, site: string): Promise<boolean> {
  const rows = await customizations.list(tx, "ofSite", { under: [site], limit: AT_ONCE });
  for (const { record } of rows) await customizations.delete(tx, site, record.siteSpace);
  return rows.length > 0;
}
