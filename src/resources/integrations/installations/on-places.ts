// The operations of installations on spaces and on sites. Both have the same, each under its own paths.

import type * as v from "valibot";
import { defineOperation } from "../../../operation/operation";
import { integration } from "../definitions/rules";
import type { PlaceKind } from "../records";
import {
  configureOnPlace,
  installOnPlace,
  listPlacesOfInstallation,
  listPlacesOfIntegration,
  uninstallFromPlace,
} from "./install-on-place";
import { createPlacementTarget, installation, type PlacementContext } from "./rules";
import {
  NewSiteInstallation,
  NewSpaceInstallation,
  PlacedChanges,
  PlacedFilters,
  SiteInstallation,
  SpaceInstallation,
} from "./schema";
import { presentPlacement } from "./views";

type ReadContext = PlacementContext &
  Parameters<typeof presentPlacement>[4] & { readonly query: { extended?: boolean | undefined } };

/** Creates the operations for a kind of place, without their routes. `getId` returns the id of the place from a new installation. */
function createPlacementOperations<
  Kind extends PlaceKind,
  Placed extends v.GenericSchema,
  New extends v.GenericSchema<unknown, PlacedChanges>,
>(kind: Kind, placed: Placed, newPlaced: New, getId: (body: v.InferOutput<New>) => string) {
  const placement = createPlacementTarget(kind);
  return {
    listOfIntegration: {
      summary: `List ${kind}s with an integration`,
      target: integration,
      right: "view" as const,
      query: PlacedFilters,
      list: placed,
      handle: (context: Parameters<typeof listPlacesOfIntegration>[1]) => listPlacesOfIntegration(kind, context),
    },
    listOfInstallation: {
      summary: `List ${kind}s of an installation`,
      target: installation,
      right: "view" as const,
      query: PlacedFilters,
      list: placed,
      handle: (context: Parameters<typeof listPlacesOfInstallation>[1]) => listPlacesOfInstallation(kind, context),
    },
    install: {
      summary: `Install an integration on a ${kind}`,
      target: installation,
      right: "view" as const,
      body: newPlaced,
      returns: placed,
      status: 201 as const,
      handle: (context: Omit<Parameters<typeof installOnPlace>[2], "body"> & { readonly body: v.InferOutput<New> }) =>
        installOnPlace(kind, getId(context.body), context),
    },
    get: {
      summary: `Get a ${kind} installation`,
      target: placement,
      right: "view" as const,
      query: { extended: PlacedFilters.extended },
      returns: placed,
      handle: (context: ReadContext) =>
        presentPlacement(kind, context, context.placement, context.place, {
          urls: context.urls,
          extended: context.query.extended,
        }),
    },
    update: {
      summary: `Update a ${kind} installation`,
      target: placement,
      right: "configure" as const,
      body: PlacedChanges,
      returns: placed,
      handle: (context: Parameters<typeof configureOnPlace>[1]) => configureOnPlace(kind, context),
    },
    uninstall: {
      summary: `Uninstall an integration from a ${kind}`,
      target: placement,
      right: "manage" as const,
      handle: uninstallFromPlace,
    },
  };
}

const path = "/integrations/:integrationName/installations/:installationId";

const onSpaces = createPlacementOperations(
  "space",
  SpaceInstallation,
  NewSpaceInstallation,
  ({ spaceId, space }) => spaceId ?? space!,
);
export const listIntegrationSpaces = defineOperation(
  "GET /integrations/:integrationName/spaces",
  onSpaces.listOfIntegration,
);
export const listInstallationSpaces = defineOperation(`GET ${path}/spaces`, onSpaces.listOfInstallation);
export const installOnSpace = defineOperation(`POST ${path}/spaces`, onSpaces.install);
export const getSpaceInstallation = defineOperation(`GET ${path}/spaces/:spaceId`, onSpaces.get);
export const updateSpaceInstallation = defineOperation(`PATCH ${path}/spaces/:spaceId`, onSpaces.update);
export const uninstallFromSpace = defineOperation(`DELETE ${path}/spaces/:spaceId`, onSpaces.uninstall);

const onSites = createPlacementOperations(
  "site",
  SiteInstallation,
  NewSiteInstallation,
  ({ siteId, site }) => siteId ?? site!,
);
export const listIntegrationSites = defineOperation(
  "GET /integrations/:integrationName/sites",
  onSites.listOfIntegration,
);
export const listInstallationSites = defineOperation(`GET ${path}/sites`, onSites.listOfInstallation);
export const installOnSite = defineOperation(`POST ${path}/sites`, onSites.install);
export const getSiteInstallation = defineOperation(`GET ${path}/sites/:siteId`, onSites.get);
export const updateSiteInstallation = defineOperation(`PATCH ${path}/sites/:siteId`, onSites.update);
export const uninstallFromSite = defineOperation(`DELETE ${path}/sites/:siteId`, onSites.uninstall);
