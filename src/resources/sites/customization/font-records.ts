// The stored fonts of an organization, for the customization of its sites.

import { defineRecordSet } from "../../../storage/records";
import type { CustomFontFields } from "./font-schema";

export type FontRecord = CustomFontFields & { readonly id: string; readonly createdAt: string };

export const fonts = defineRecordSet("font", {
  key: (font: FontRecord) => [font.id],
  indexes: { byAge: (font) => [font.createdAt] },
  totals: { all: () => [] },
});

/** The limit of fonts of an organization. */
export const MAX_FONTS = 100;
