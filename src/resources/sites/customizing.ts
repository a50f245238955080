// Changing how a site looks, as a whole and in one of its site-spaces.

import { failure } from "../../errors";
import { operation, type Scope, type Target } from "../../operation";
import { changedOverrides, mergeCustomization, targetsIn } from "./customization";
import { customizations, overridesOf } from "./customization-records";
import {
  CustomizationChanges,
  type Overrides,
  SiteCustomization,
  SiteSpaceCustomization,
} from "./customization-schema";
import { type SiteSpaceRecord, siteItems } from "./records";
import { type InSite, site } from "./rules";
import { checkTargets } from "./targets";

/** A site-space for those who edit its site, all of which they see. */
const editedSiteSpace: Target<InSite & { readonly siteSpace: SiteSpaceRecord }, "edit"> = {
  partition: site.partition,
  async load(scope: Scope) {
    const found = await site.load(scope);
    if (!found || !site.rights.view(found)) throw failure("site_not_found");
    const item = await siteItems.get(scope.tx, found.site.id, scope.params.siteSpaceId!);
    return item?.type === "site-space" ? { ...found, siteSpace: item } : undefined;
  },
  absent: "site_space_not_found",
  rights: { view: site.rights.edit, edit: site.rights.edit },
};

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
    await customizations.put(tx, { site: site.id, siteSpace: null, settings });
    return mergeCustomization(settings);
  },
});

const PATH = "/orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/customization";

export const getSiteSpaceCustomization = operation(`GET ${PATH}`, {
  summary: "Get how a site-space looks: what is set for it, and what comes of it on top of its site",
  on: editedSiteSpace,
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
  on: editedSiteSpace,
  right: "edit",
  body: CustomizationChanges,
  returns: SiteSpaceCustomization,
  async handle(context) {
    const { tx, site, siteSpace, body } = context;
    await checkTargets(context, targetsIn(body, "body"));
    const settings = changedOverrides((await overridesOf(tx, site.id, siteSpace.id)) ?? {}, body);
    await customizations.put(tx, { site: site.id, siteSpace: siteSpace.id, settings });
    return view(context, settings, await overridesOf(tx, site.id, null));
  },
});

export const resetSiteSpaceCustomization = operation(`DELETE ${PATH}`, {
  summary: "Let a site-space look as its site does",
  on: editedSiteSpace,
  right: "edit",
  async handle({ tx, site, siteSpace }) {
    await customizations.delete(tx, site.id, siteSpace.id);
  },
});

function view(
  { siteSpace }: { readonly siteSpace: SiteSpaceRecord },
  overrides: Overrides = {},
  ofSite: Overrides | undefined = undefined,
) {
  const object = "site-space-customization" as const;
  return { object, siteSpace: siteSpace.id, overrides, settings: mergeCustomization(ofSite, overrides) };
}
