// Changes the look of a site, and of one of its site-spaces.

import { invalid } from "../../../errors";
import { operation } from "../../../operation/operation";
import { checkTargets } from "../addresses/targets";
import type { SiteSpaceRecord } from "../records";
import { site } from "../rules";
import { siteSpace } from "../structure/item-rules";
import { changedOverrides, mergeCustomization, targetsIn } from "./customization";
import { customizations, overridesOf } from "./customization-records";
import {
  CustomizationChanges,
  type Overrides,
  SiteCustomization,
  SiteSpaceCustomization,
} from "./customization-schema";

export const getSiteCustomization = operation("GET /orgs/:organizationId/sites/:siteId/customization", {
  summary: "Get how a site looks",
  on: site,
  right: "edit",
  returns: SiteCustomization,
  async handle({ tx, site }) {
    return mergeCustomization(await overridesOf(tx, site.id, null));
  },
});

export const setSiteCustomization = operation("PUT /orgs/:organizationId/sites/:siteId/customization", {
  summary: "Set how a site looks",
  description: "What is left out, or null, has its default again.",
  on: site,
  right: "edit",
  body: CustomizationChanges,
  returns: SiteCustomization,
  async handle(context) {
    const { tx, site, body } = context;
    await checkTargets(context, targetsIn(body, "body"));
    const settings = changedOverrides({}, body);
    checkSize(settings);
    await customizations.put(tx, { site: site.id, siteSpace: null, settings });
    return mergeCustomization(settings);
  },
});

const PATH = "/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization";

export const getSiteSpaceCustomization = operation(`GET ${PATH}`, {
  summary: "Get how a site-space looks: what is set for it, and what comes of it on top of its site",
  on: siteSpace,
  right: "edit",
  returns: SiteSpaceCustomization,
  async handle(context) {
    const { tx, site, siteSpace } = context;
    return view(context, await overridesOf(tx, site.id, siteSpace.id), await overridesOf(tx, site.id, null));
  },
});

export const updateSiteSpaceCustomization = operation(`PATCH ${PATH}`, {
  summary: "Change how a site-space looks",
  description:
    "Groups are changed member by member, lists as a whole; null takes back what was set for the site-space.",
  on: siteSpace,
  right: "edit",
  body: CustomizationChanges,
  returns: SiteSpaceCustomization,
  async handle(context) {
    const { tx, site, siteSpace, body } = context;
    await checkTargets(context, targetsIn(body, "body"));
    const settings = changedOverrides((await overridesOf(tx, site.id, siteSpace.id)) ?? {}, body);
    checkSize(settings);
    await customizations.put(tx, { site: site.id, siteSpace: siteSpace.id, settings });
    return view(context, settings, await overridesOf(tx, site.id, null));
  },
});

export const resetSiteSpaceCustomization = operation(`DELETE ${PATH}`, {
  summary: "Let a site-space look as its site does",
  on: siteSpace,
  right: "edit",
  async handle({ tx, site, siteSpace }) {
    await customizations.delete(tx, site.id, siteSpace.id);
  },
});

/** The most bytes of JSON that are set for a site or a site-space: it is one record. */
const MAX_BYTES = 60 * 1024;

/** Refuses settings that are too large, naming the largest group. */
function checkSize(settings: Overrides): void {
  const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
  if (bytesOf(settings) <= MAX_BYTES) return;
  const groups = Object.entries(settings).map(([name, value]) => ({ name, bytes: bytesOf(value) }));
  const [largest] = groups.sort((a, b) => b.bytes - a.bytes);
  throw invalid(
    `body.${largest!.name}`,
    `Expected at most ${MAX_BYTES} bytes of settings in all; most of them are here`,
  );
}

function view(
  { siteSpace }: { readonly siteSpace: SiteSpaceRecord },
  overrides: Overrides = {},
  ofSite: Overrides | undefined = undefined,
) {
  const object = "site-space-customization" as const;
  return { object, siteSpace: siteSpace.id, overrides, settings: mergeCustomization(ofSite, overrides) };
}
