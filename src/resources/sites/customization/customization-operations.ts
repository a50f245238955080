// The operations on the customization of a site, and of its site-spaces.

import { createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import type { Reader } from "../../../storage/transaction";
import { getJsonSize } from "../../../utils/bytes";
import { checkTargets, type LinkTargetField } from "../addresses/targets";
import type { SiteSpaceRecord } from "../records";
import { site } from "../rules";
import { siteSpace } from "../structure/item-rules";
import { applyOverrides, getEffectiveCustomization } from "./customization";
import { customizations, loadOverrides } from "./customization-records";
import {
  CustomizationChanges,
  type Overrides,
  SiteCustomization,
  SiteSpaceCustomization,
} from "./customization-schema";
import { fonts } from "./font-records";

export const getSiteCustomization = defineOperation("GET /orgs/:organizationId/sites/:siteId/customization", {
  summary: "Get the appearance of a site",
  target: site,
  right: "edit",
  returns: SiteCustomization,
  handle: async ({ tx, site }) => getEffectiveCustomization(tx, await loadOverrides(tx, site.id, null)),
});

export const setSiteCustomization = defineOperation("PUT /orgs/:organizationId/sites/:siteId/customization", {
  summary: "Replace the appearance of a site",
  target: site,
  right: "edit",
  body: CustomizationChanges,
  returns: SiteCustomization,
  async handle(context) {
    const { tx, site, body } = context;
    const overrides = applyOverrides({}, await checkLinksAndFonts(context, body));
    checkSize(overrides);
    await customizations.put(tx, { site: site.id, siteSpace: null, look: overrides });
    return getEffectiveCustomization(tx, overrides);
  },
});

const PATH = "/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization";

export const getSiteSpaceCustomization = defineOperation(`GET ${PATH}`, {
  summary: "Get the appearance of a site-space",
  target: siteSpace,
  right: "edit",
  returns: SiteSpaceCustomization,
  async handle(context) {
    const { tx, site, siteSpace } = context;
    return presentSiteSpaceCustomization(
      context,
      await loadOverrides(tx, site.id, siteSpace.id),
      await loadOverrides(tx, site.id, null),
    );
  },
});

export const updateSiteSpaceCustomization = defineOperation(`PATCH ${PATH}`, {
  summary: "Update the appearance of a site-space",
  target: siteSpace,
  right: "edit",
  body: CustomizationChanges,
  returns: SiteSpaceCustomization,
  async handle(context) {
    const { tx, site, siteSpace, body } = context;
    const before = (await loadOverrides(tx, site.id, siteSpace.id)) ?? {};
    const overrides = applyOverrides(before, await checkLinksAndFonts(context, body));
    checkSize(overrides);
    await customizations.put(tx, { site: site.id, siteSpace: siteSpace.id, look: overrides });
    return presentSiteSpaceCustomization(context, overrides, await loadOverrides(tx, site.id, null));
  },
});

export const resetSiteSpaceCustomization = defineOperation(`DELETE ${PATH}`, {
  summary: "Reset the appearance of a site-space",
  target: siteSpace,
  right: "edit",
  handle: ({ tx, site, siteSpace }) => customizations.delete(tx, site.id, siteSpace.id),
});

/** The limit of bytes of JSON that are set for a site or a site-space, which is one record. */
const MAX_SETTINGS_BYTES = 60 * 1024;

/** Refuses settings that are too large. The error names the largest group. */
function checkSize(settings: Overrides): void {
  if (getJsonSize(settings) <= MAX_SETTINGS_BYTES) return;
  const groups = Object.entries(settings).map(([name, value]) => ({ name, bytes: getJsonSize(value) }));
  const [largest] = groups.sort((a, b) => b.bytes - a.bytes);
  throw createValidationError(
    `body.${largest!.name}`,
    `Expected at most ${MAX_SETTINGS_BYTES} bytes of settings in all; most of them are here`,
  );
}

/** Refuses links and fonts that don't exist for the caller. Returns the settings with only the ids of the organization's fonts. */
async function checkLinksAndFonts(context: Parameters<typeof checkTargets>[0], body: Overrides): Promise<Overrides> {
  const targets: LinkTargetField[] = [];
  const addTarget = (link: { readonly to: LinkTargetField["target"] | null }, linkPath: string) => {
    if (link.to) targets.push({ target: link.to, at: `${linkPath}.to` });
  };
  for (const [i, link] of (body.header?.links ?? []).entries()) {
    const linkPath = `body.header.links.${i}`;
    addTarget(link, linkPath);
    for (const [n, child] of link.links.entries()) addTarget(child, `${linkPath}.links.${n}`);
  }
  for (const [i, { links }] of (body.footer?.groups ?? []).entries())
    for (const [n, link] of links.entries()) addTarget(link, `body.footer.groups.${i}.links.${n}`);
  const announcementLink = body.announcement?.link;
  if (announcementLink) addTarget(announcementLink, "body.announcement.link");
  await checkTargets(context, targets);
  if (!body.styling) return body;
  const styling = { ...body.styling };
  for (const name of ["font", "monospaceFont"] as const) {
    const font = styling[name];
    if (typeof font !== "object" || !("id" in font)) continue;
    if (!(await fonts.get(context.tx, font.id)))
      throw createValidationError(`body.styling.${name}.id`, "Font not found in this organization");
    styling[name] = { id: font.id };
  }
  return { ...body, styling };
}

async function presentSiteSpaceCustomization(
  { tx, siteSpace }: { readonly tx: Reader; readonly siteSpace: SiteSpaceRecord },
  overrides: Overrides = {},
  siteOverrides: Overrides | undefined = undefined,
) {
  const customization = await getEffectiveCustomization(tx, siteOverrides, overrides);
  return { object: "site-space-customization" as const, siteSpace: siteSpace.id, ...customization, overrides };
}
