// What is set of how a site looks, for the site and for its site-spaces.

import { records } from "../../../store/records";
import type { Reader, Transaction } from "../../../store/transaction";
import { MAX_ITEMS } from "../records";
import type { Overrides } from "./customization-schema";

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

/** Takes away what was set for a site that is gone, as far as there is room; true when there is more. */
export function dropCustomizations(tx: Transaction, site: string): Promise<boolean> {
  return customizations.drain(tx, "ofSite", [site]);
}
