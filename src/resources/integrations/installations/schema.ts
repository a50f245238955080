// Installations on the wire.

import * as v from "valibot";
import {
  BooleanParam,
  Id,
  listSchema,
  maxJsonSize,
  namedObject,
  recordSchema,
  Timestamp,
  textSchema,
  UrlString,
} from "../../../operation/common-schemas";
import type { Json } from "../../../storage/storage";
import { Space } from "../../library/spaces/schema";
import { Site } from "../../sites/schema";
import { Integration, IntegrationName, IntegrationScope } from "../definitions/schema";

const Status = v.pipe(
  v.picklist(["active", "pending", "paused"], "Expected active, pending or paused"),
  v.title("InstallationStatus"),
);
const Selection = v.picklist(["all", "selected"], "Expected all or selected");
const ExternalIds = v.pipe(
  listSchema(textSchema(1, 256), 5, "Expected at most 5 ids"),
  v.check((ids) => new Set(ids).size === ids.length, "Expected ids that differ"),
);

/** At most 50 properties are declared; a component may store more. */
const MAX_MEMBERS = 200;

/** Any JSON. The integration's declaration decides what is valid. */
const Configuration = v.pipe(
  recordSchema(
    v.pipe(v.string(), v.maxLength(100, "Expected at most 100 characters")),
    v.unknown() as v.GenericSchema<unknown, Json>,
    MAX_MEMBERS,
    `Expected at most ${MAX_MEMBERS} members`,
  ),
  maxJsonSize(16 * 1024),
);

export const Installation = namedObject("IntegrationInstallation", {
  object: v.literal("integration-installation"),
  id: Id,
  integration: v.string(),
  status: Status,
  space_selection: Selection,
  site_selection: Selection,
  spaces: v.number(),
  scopes: v.pipe(
    v.array(IntegrationScope),
    v.description("The effective scopes: the approved scopes that the integration still requests."),
  ),
  pendingScopes: v.pipe(
    v.array(IntegrationScope),
    v.description("Requested scopes that aren't approved yet. An admin approves them by updating `scopes`."),
  ),
  configuration: v.optional(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.description("The configuration values. Omitted for callers who can't change them."),
    ),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: v.object({ location: UrlString, app: UrlString, publicEndpoint: UrlString }),
  externalIds: v.array(v.string()),
  target: v.object({ organization: Id }),
});

const AgreedScopes = listSchema(IntegrationScope, 50, "Expected at most 50 scopes", "Expected a list of scopes");

export const NewInstallation = v.strictObject({
  organization: Id,
  scopes: v.optional(v.pipe(AgreedScopes, v.description("The requested scopes that you approve. Defaults to all."))),
});

export const InstallationChanges = v.strictObject({
  configuration: v.optional(Configuration),
  externalIds: v.optional(ExternalIds),
  space_selection: v.optional(Selection),
  site_selection: v.optional(Selection),
  scopes: v.optional(
    v.pipe(
      AgreedScopes,
      v.description(
        "The new scopes of the installation: the scopes from `scopes` and `pendingScopes` that you approve.",
      ),
    ),
  ),
  status: v.optional(
    v.pipe(
      v.picklist(["active", "paused"], "Expected active or paused"),
      v.description(
        "`paused`: no events are delivered. Events of spaces and sites are lost; tasks, and events of the installation " +
          "itself, are delivered later. `active`: resumes delivery; the status is `pending` until the configuration is complete.",
      ),
    ),
  ),
});

const placedEntries = {
  integration: v.string(),
  installation: Id,
  status: Status,
  configuration: v.optional(v.record(v.string(), v.unknown())),
  externalIds: v.array(v.string()),
  urls: v.object({ location: UrlString, publicEndpoint: UrlString }),
};

export const SpaceInstallation = namedObject("IntegrationSpaceInstallation", {
  object: v.literal("integration-space-installation"),
  ...placedEntries,
  space: v.union([Id, Space]),
});

export const SiteInstallation = namedObject("IntegrationSiteInstallation", {
  object: v.literal("integration-site-installation"),
  ...placedEntries,
  site: v.union([Id, Site]),
});

/** An installation beside its integration. */
export const InstalledIntegration = namedObject("InstalledIntegration", {
  integration: Integration,
  installation: Installation,
});

const settings = { configuration: v.optional(Configuration), externalIds: v.optional(ExternalIds) };
export const NewSpaceInstallation = v.pipe(
  v.strictObject({
    spaceId: v.optional(Id),
    space: v.optional(v.pipe(Id, v.description("An alias of `spaceId`."))),
    ...settings,
  }),
  v.forward(
    v.partialCheck(
      [["spaceId"], ["space"]],
      ({ spaceId, space }) => (spaceId === undefined) !== (space === undefined),
      "Expected the id of a space",
    ),
    ["spaceId"],
  ),
);
export const NewSiteInstallation = v.pipe(
  v.strictObject({
    siteId: v.optional(Id),
    site: v.optional(v.pipe(Id, v.description("An alias of `siteId`."))),
    ...settings,
  }),
  v.forward(
    v.partialCheck(
      [["siteId"], ["site"]],
      ({ siteId, site }) => (siteId === undefined) !== (site === undefined),
      "Expected the id of a site",
    ),
    ["siteId"],
  ),
);

export const PlacedChanges = v.strictObject(settings);
export type PlacedChanges = v.InferOutput<typeof PlacedChanges>;

const externalId = v.optional(textSchema(1, 256));
export const InstallationFilters = { externalId };
export const PlacedFilters = { externalId, extended: v.optional(BooleanParam) };
export const OrganizationInstallationFilters = { externalId, integration: v.optional(IntegrationName) };
