// The stored settings of a site's look, for the site and for its site-spaces.

import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { MAX_ITEMS } from "../records";
import type { Overrides } from "./customization-schema";
import { convertFormerOverrides, type FormerOverrides } from "./former-customization";

/** The settings of a site, or of one of its site-spaces. */
type CustomizationRecord = {
  readonly site: string;
  /** Null: the site itself. */
  readonly siteSpace: string | null;
  readonly look?: Overrides;
  /** What was set before settings had the shape of today. */
  readonly settings?: FormerOverrides;
};

export const customizations = defineRecordSet("site-customization", {
  key: (it: CustomizationRecord) => [it.site, it.siteSpace],
  indexes: { ofSite: (it) => [it.site] },
  totals: {
    withFont: (it) => getFontKey(it.look?.styling?.font),
    withMonospaceFont: (it) => getFontKey(it.look?.styling?.monospaceFont),
  },
});

/** The font of the organization that a setting names. */
function getFontKey(chosen: FontSetting | undefined): readonly string[] | undefined {
  return typeof chosen === "object" && "id" in chosen ? [chosen.id] : undefined;
}

type FontSetting = NonNullable<NonNullable<Overrides["styling"]>["font" | "monospaceFont"]>;

/** Whether the look of any site or site-space names a font of the organization. */
export async function isFontUsed(tx: Reader, font: string): Promise<boolean> {
  const used = await Promise.all([
    customizations.total(tx, "withFont", font),
    customizations.total(tx, "withMonospaceFont", font),
  ]);
  return used.some((count) => count > 0);
}

function readOverrides({ look, settings }: CustomizationRecord): Overrides {
  return look ?? convertFormerOverrides(settings ?? {});
}

/** The settings of a site; undefined when nothing is set. */
export async function loadOverrides(
  tx: Reader,
  site: string,
  siteSpace: string | null,
): Promise<Overrides | undefined> {
  const found = await customizations.get(tx, site, siteSpace);
  return found && readOverrides(found);
}

/** All settings of a site and its site-spaces; null is the site itself. */
export async function loadAllOverrides(tx: Reader, site: string): Promise<ReadonlyMap<string | null, Overrides>> {
  const rows = await customizations.list(tx, "ofSite", { under: [site], limit: MAX_ITEMS + 1 });
  return new Map(rows.map(({ record }) => [record.siteSpace, readOverrides(record)]));
}

/** Removes the settings of a deleted site, as many as there is room for. True: there is more. */
export function dropCustomizations(tx: Transaction, site: string): Promise<boolean> {
  return customizations.drain(tx, "ofSite", [site]);
}
