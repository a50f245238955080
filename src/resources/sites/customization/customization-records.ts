// The stored customization settings of a site and of its site-spaces.

import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import type { Overrides } from "./customization-schema";
import { convertFormerOverrides, type FormerOverrides } from "./former-customization";

type CustomizationRecord = {
  readonly site: string;
  /** Null for the site itself. */
  readonly siteSpace: string | null;
  readonly look?: Overrides;
  /** Settings that were stored in the former format. */
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

function getFontKey(font: FontSetting | undefined): readonly string[] | undefined {
  return typeof font === "object" && "id" in font ? [font.id] : undefined;
}

type FontSetting = NonNullable<NonNullable<Overrides["styling"]>["font" | "monospaceFont"]>;

/** Returns the settings of a record, whatever the format in which they were stored. */
export function readOverrides({ look, settings }: CustomizationRecord): Overrides {
  return look ?? convertFormerOverrides(settings ?? {});
}

export async function loadOverrides(
  tx: Reader,
  site: string,
  siteSpace: string | null,
): Promise<Overrides | undefined> {
  const record = await customizations.get(tx, site, siteSpace);
  return record && readOverrides(record);
}
