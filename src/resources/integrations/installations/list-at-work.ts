// Lists the integrations that work on a space or a site, or are installed in an organization, and the blocks that they
// bring. Whoever sees the space or site sees what works on it, also a private integration.

import * as v from "valibot";
import { partOfGroup, partOfRows } from "../../../operation/list-parts";
import { type ListPart, operation, type Scope } from "../../../operation/operation";
import type { Secrets } from "../../../secrets";
import { key } from "../../../store/key";
import type { Urls } from "../../../urls";
import { space } from "../../library/spaces/rules";
import { organization } from "../../people/organizations/rules";
import { site } from "../../sites/rules";
import { type InIntegration, integrationIn } from "../definitions/rules";
import { Block, Integration } from "../definitions/schema";
import { integrationView } from "../definitions/views";
import { homeIn } from "../published/for-sites";
import { type InstallationRecord, installations, type PlaceKind } from "../records";
import { type AtWork, atWorkOn, type Remembering, readAgain } from "./at-work";

interface Listed extends Pick<Scope, "tx" | "actor" | "peek"> {
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
    return integrationsPage(context, "space", context.space.id);
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
    return integrationsPage(context, "site", context.site.id);
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
    const { id } = context.space;
    const rows = (await atWorkOn(context, "space", id)).flatMap((from) =>
      from.integration.blocks.map((_, at) => ({ record: { from, at }, position: positionOf(from) + key(at) })),
    );
    return partOfRows(context.listPart, rows, async (shown) => {
      const found = await readAgain(context, "space", id, [...new Set(shown.map(({ from }) => from))]);
      const now = new Map(found.map((it) => [it.installation.id, it.integration]));
      return shown.flatMap(({ from, at }) => {
        const integration = now.get(from.installation.id);
        const block = integration?.blocks[at];
        return block ? [{ ...block, integration: integration.name }] : [];
      });
    });
  },
});

/** A page of the integrations that work on a place. */
async function integrationsPage(context: Listed & Remembering, kind: PlaceKind, place: string) {
  const rows = (await atWorkOn(context, kind, place)).map((record) => ({ record, position: positionOf(record) }));
  return partOfRows(context.listPart, rows, async (some) => {
    const found = await readAgain(context, kind, place, some);
    return integrationViews(
      context,
      found.map(({ installation }) => installation),
    );
  });
}

/** The integrations of installations on the wire. One that is gone is left out. */
async function integrationViews(context: Omit<Listed, "listPart">, some: readonly InstallationRecord[]) {
  const all = await Promise.all(some.map((it) => definitionOf(context, it)));
  return all.flatMap((it) => (it ? [integrationView(it, context)] : []));
}

/** Where an installation stands in the order of installation. */
function positionOf({ installation: { createdAt, id } }: AtWork): string {
  return key(createdAt, id);
}

/** The integration of an installation, as the caller sees it; undefined when it is gone. */
async function definitionOf(
  { tx, peek, actor }: Omit<Listed, "listPart">,
  { owner, organization, integration, definition }: InstallationRecord,
): Promise<InIntegration | undefined> {
  const found = await integrationIn(await homeIn({ tx, peek }, owner, organization), integration, actor.user.id);
  return found?.integration.id === definition ? found : undefined;
}
