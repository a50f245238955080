// Lists the integrations that work on a space or a site, or are installed in an organization, and the blocks that they
// bring. Whoever sees the space or site sees what works on it, also a private integration.

import * as v from "valibot";
import { partOfGroup, partOfRows } from "../../../operation/list-parts";
import { type ListPart, operation, type Scope } from "../../../operation/operation";
import type { Secrets } from "../../../secrets";
import { key } from "../../../store/key";
import type { Urls } from "../../../urls";
import { space } from "../../library/spaces/rules";
import { partitionOf } from "../../people/organizations/records";
import { organization } from "../../people/organizations/rules";
import { site } from "../../sites/rules";
import { type InIntegration, integrationIn } from "../definitions/rules";
import { Block, Integration } from "../definitions/schema";
import { integrationView } from "../definitions/views";
import type { Working } from "../published/for-sites";
import { type InstallationRecord, installations } from "../records";
import { atWorkOn } from "./at-work";

interface Listed extends Pick<Scope, "actor" | "peek"> {
  readonly listPart: ListPart;
  readonly urls: Urls;
  readonly secrets: Secrets;
}

export const listSpaceIntegrations = operation("GET /spaces/:spaceId/integrations", {
  summary: "List the integrations that work on a space",
  description: "Those that are installed on it and configured, and are not paused, in the order of installation.",
  on: space,
  right: "view",
  forVisitors: true,
  list: Integration,
  kept: false,
  async handle(context) {
    return integrationsPage(context, await atWorkOn(context, "space", context.space.id));
  },
});

export const listSiteIntegrations = operation("GET /orgs/:organizationId/sites/:siteId/integrations", {
  summary: "List the integrations that work on a site",
  description: "Those that are installed on it and configured, and are not paused, in the order of installation.",
  on: site,
  right: "view",
  list: Integration,
  kept: false,
  async handle(context) {
    return integrationsPage(context, await atWorkOn(context, "site", context.site.id));
  },
});

export const listOrganizationIntegrations = operation("GET /orgs/:organizationId/integrations", {
  summary: "List the integrations that are installed in an organization",
  description:
    "In the order of installation, whatever the state of the installation. `GET /integrations?owner=` lists those that it publishes.",
  on: organization,
  right: "listIntegrations",
  list: Integration,
  kept: false,
  async handle(context) {
    // One that was unpublished just now is counted until its installation is removed.
    return partOfGroup(context, installations, "all", [], (some) => integrationViews(context, some));
  },
});

const IntegrationBlockOnSpace = v.pipe(
  v.object({
    ...Block.entries,
    integration: v.pipe(v.string(), v.description("The name of the integration that declares it.")),
  }),
  v.title("SpaceIntegrationBlock"),
);

export const listSpaceIntegrationBlocks = operation("GET /spaces/:spaceId/integrations-blocks", {
  summary: "List the blocks that integrations bring to a space",
  description: "Of the integrations that work on it, in the order of installation, and each in its own order.",
  on: space,
  right: "view",
  forVisitors: true,
  list: IntegrationBlockOnSpace,
  kept: false,
  async handle(context) {
    const found = await atWorkOn(context, "space", context.space.id);
    const rows = found.flatMap(({ installation, integration: { name, blocks } }) =>
      blocks.map((block, at) => ({
        record: { ...block, integration: name },
        position: positionOf(installation) + key(at),
      })),
    );
    return partOfRows(context.listPart, rows, (blocks) => blocks);
  },
});

/** A page of the integrations of installations. */
function integrationsPage(context: Listed, found: readonly Working[]) {
  const rows = found.map(({ installation }) => ({ record: installation, position: positionOf(installation) }));
  return partOfRows(context.listPart, rows, (some) => integrationViews(context, some));
}

/** The integrations of installations on the wire. One that is gone is left out. */
async function integrationViews(context: Omit<Listed, "listPart">, some: readonly InstallationRecord[]) {
  const all = await Promise.all(some.map((it) => definitionOf(context, it)));
  return all.flatMap((it) => (it ? [integrationView(it, context)] : []));
}

/** Where an installation stands in the order of installation. */
function positionOf({ createdAt, id }: InstallationRecord): string {
  return key(createdAt, id);
}

/** The integration of an installation, as the caller sees it; undefined when it is gone. */
async function definitionOf(
  { actor, peek }: Pick<Scope, "actor" | "peek">,
  { owner, integration, definition }: InstallationRecord,
): Promise<InIntegration | undefined> {
  const found = await integrationIn(await peek(partitionOf(owner)!), integration, actor.user.id);
  return found?.integration.id === definition ? found : undefined;
}
