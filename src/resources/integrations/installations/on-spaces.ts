// Installations on spaces.

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
import { NewSpaceInstallation, PlacedChanges, PlacedFilters, SpaceInstallation } from "./schema";
import { presentPlacement } from "./views";

const spacePlacement = createPlacementTarget("space");
const path = "/integrations/:integrationName/installations/:installationId/spaces" as const;

export const listIntegrationSpaces = defineOperation("GET /integrations/:integrationName/spaces", {
  summary: "List the spaces that an integration is installed on, as far as you may see them",
  target: integration,
  right: "view",
  query: PlacedFilters,
  list: SpaceInstallation,
  handle: (context) => listPlacesOfIntegration("space", context),
});

export const listInstallationSpaces = defineOperation(`GET ${path}`, {
  summary: "List the spaces that an installation is on, as far as you may see them",
  target: installation,
  right: "view",
  query: PlacedFilters,
  list: SpaceInstallation,
  handle: (context) => listPlacesOfInstallation("space", context),
});

export const installOnSpace = defineOperation(`POST ${path}`, {
  summary: "Install an integration on a space",
  target: installation,
  right: "view",
  body: NewSpaceInstallation,
  returns: SpaceInstallation,
  status: 201,
  handle: (context) => installOnPlace("space", context.body.spaceId ?? context.body.space!, context),
});

export const getSpaceInstallation = defineOperation(`GET ${path}/:spaceId`, {
  summary: "Get an installation on a space",
  target: spacePlacement,
  right: "view",
  query: { extended: PlacedFilters.extended },
  returns: SpaceInstallation,
  async handle(context) {
    const { placement, place, query, urls } = context;
    return presentPlacement("space", context, placement, place, { urls, extended: query.extended });
  },
});

export const updateSpaceInstallation = defineOperation(`PATCH ${path}/:spaceId`, {
  summary: "Configure an installation on a space",
  target: spacePlacement,
  right: "configure",
  body: PlacedChanges,
  returns: SpaceInstallation,
  handle: (context) => configureOnPlace("space", context),
});

export const uninstallFromSpace = defineOperation(`DELETE ${path}/:spaceId`, {
  summary: "Remove an installation from a space",
  target: spacePlacement,
  right: "manage",
  handle: (context) => uninstallFromPlace(context),
});
