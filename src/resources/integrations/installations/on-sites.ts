// Installations on sites.

import { defineOperation } from "../../../operation/operation";
import { integration } from "../definitions/rules";
import {
  configureOnPlace,
  installOnPlace,
  listPlacesOfInstallation,
  listPlacesOfIntegration,
  uninstallFromPlace,
} from "./install-on-place";
import { createPlacementTarget, installation } from "./rules";
import { NewSiteInstallation, PlacedChanges, PlacedFilters, SiteInstallation } from "./schema";
import { presentPlacement } from "./views";

const sitePlacement = createPlacementTarget("site");
const path = "/integrations/:integrationName/installations/:installationId/sites" as const;

export const listIntegrationSites = defineOperation("GET /integrations/:integrationName/sites", {
  summary: "List the sites that an integration is installed on, as far as you may see them",
  target: integration,
  right: "view",
  query: PlacedFilters,
  list: SiteInstallation,
  handle: (context) => listPlacesOfIntegration("site", context),
});

export const listInstallationSites = defineOperation(`GET ${path}`, {
  summary: "List the sites that an installation is on, as far as you may see them",
  target: installation,
  right: "view",
  query: PlacedFilters,
  list: SiteInstallation,
  handle: (context) => listPlacesOfInstallation("site", context),
});

export const installOnSite = defineOperation(`POST ${path}`, {
  summary: "Install an integration on a site",
  target: installation,
  right: "view",
  body: NewSiteInstallation,
  returns: SiteInstallation,
  status: 201,
  handle: (context) => installOnPlace("site", context.body.siteId ?? context.body.site!, context),
});

export const getSiteInstallation = defineOperation(`GET ${path}/:siteId`, {
  summary: "Get an installation on a site",
  target: sitePlacement,
  right: "view",
  query: { extended: PlacedFilters.extended },
  returns: SiteInstallation,
  async handle(context) {
    const { placement, place, query, urls } = context;
    return presentPlacement("site", context, placement, place, { urls, extended: query.extended });
  },
});

export const updateSiteInstallation = defineOperation(`PATCH ${path}/:siteId`, {
  summary: "Configure an installation on a site",
  target: sitePlacement,
  right: "configure",
  body: PlacedChanges,
  returns: SiteInstallation,
  handle: (context) => configureOnPlace("site", context),
});

export const uninstallFromSite = defineOperation(`DELETE ${path}/:siteId`, {
  summary: "Remove an installation from a site",
  target: sitePlacement,
  right: "manage",
  handle: (context) => uninstallFromPlace(context),
});
