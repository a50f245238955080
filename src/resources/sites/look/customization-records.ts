// The stored settings of a site's look, for the site and for its site-spaces.

import { records } from "../../../store/records";
import type { Reader, Transaction } from "../../../store/transaction";
import { MAX_ITEMS } from "../records";
import type { Overrides } from "./customization-schema";

/** The settings of a site, or of one of its site-spaces. */
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

/** The settings of a site; undefined when nothing is set. */
export async function overridesOf(tx: Reader, site: string, siteSpace: string | null): Promise<Overrides | undefined> {
  return (await customizations.get(tx, site, siteSpace))?.settings;
}

/** All settings of a site and its site-spaces. */
export async function customizationsOf(tx: Reader, site: string): Promise<CustomizationRecord[]> {
  const rows = await customizations.list(tx, "ofSite", { under: [site], limit: MAX_ITEMS + 1 });
  return rows.map(({ record }) => record);
}

/** Removes the settings of a deleted site, as many as there is room for. True: there is more. */
export function dropCustomizations(tx: Transaction, site: string): Promise<boolean> {
  return customizations.drain(tx, "ofSite", [site]);
}
