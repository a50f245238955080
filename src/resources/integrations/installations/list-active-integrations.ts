// Lists the integrations that work on a space or a site, or are installed in an organization, and the blocks that they
// bring. Whoever sees the space or site sees what works on it, also a private integration.

import * as v from "valibot";
import { namedObject } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import { loadLazily } from "../../../utils/lazy";
import { space } from "../../library/spaces/rules";
import { organization } from "../../people/organizations/rules";
import { site } from "../../sites/rules";
import { Block, Integration } from "../definitions/schema";
import { installations } from "../records";

const loadPages = loadLazily(() => import("./active-integration-pages"));

export const listSpaceIntegrations = defineOperation("GET /spaces/:spaceId/integrations", {
  summary: "List active integrations of a space",
  target: space,
  right: "view",
  allowsVisitors: true,
  list: Integration,
  cache: false,
  handle: async (context) => (await loadPages()).paginateActiveIntegrations(context, "space", context.space.id),
});

export const listSiteIntegrations = defineOperation("GET /orgs/:organizationId/sites/:siteId/integrations", {
  summary: "List active integrations of a site",
  target: site,
  right: "view",
  list: Integration,
  cache: false,
  handle: async (context) => (await loadPages()).paginateActiveIntegrations(context, "site", context.site.id),
});

export const listOrganizationIntegrations = defineOperation("GET /orgs/:organizationId/integrations", {
  summary: "List installed integrations",
  target: organization,
  right: "listIntegrations",
  list: Integration,
  cache: false,
  async handle(context) {
    const { presentDefinitions } = await loadPages();
    // An integration that was unpublished just now is counted until its installation is removed.
    return paginateGroup(context, installations, "all", [], (records) => presentDefinitions(context, records));
  },
});

const IntegrationBlockOnSpace = namedObject("SpaceIntegrationBlock", {
  ...Block.entries,
  integration: v.pipe(v.string(), v.description("The name of the integration that declares it.")),
});

export const listBlocksOfSpace = defineOperation("GET /spaces/:spaceId/integration-blocks", {
  summary: "List blocks of a space",
  target: space,
  right: "view",
  allowsVisitors: true,
  list: IntegrationBlockOnSpace,
  cache: false,
  handle: async (context) => (await loadPages()).paginateActiveBlocks(context, context.space.id),
});

export const listSpaceIntegrationBlocks = defineOperation("GET /spaces/:spaceId/integrations-blocks", {
  summary: "List integration blocks of a space",
  target: space,
  right: "view",
  allowsVisitors: true,
  list: IntegrationBlockOnSpace,
  cache: false,
  handle: async (context) => (await loadPages()).paginateActiveBlocks(context, context.space.id),
});
