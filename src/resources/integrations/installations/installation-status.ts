// Tells whether an integration is installed in an organization, by its name. Members ask it before they install or configure one.

import * as v from "valibot";
import { Id, namedObject, UrlString } from "../../../operation/common-schemas";
import { type CallContext, defineOperation } from "../../../operation/operation";
import { defineOrganizationTarget, organization } from "../../people/organizations/rules";
import { type InstallationRecord, installations } from "../records";
import { findVisibleIntegration } from "./rules";

/** An integration that the organization has installed, or that the caller can see. */
const installationSlot = defineOrganizationTarget(
  "integration_not_found",
  async (scope): Promise<{ readonly installed: InstallationRecord | undefined } | undefined> => {
    const name = scope.params.integrationName!;
    const found = await installations.find(scope.tx, "integration", name.toLowerCase());
    const installed = found?.integration === name ? found : undefined;
    return installed || (await findVisibleIntegration(scope)) ? { installed } : undefined;
  },
  // To guests, an integration that is installed is as one that is not.
  { view: organization.rights.listInstallations },
);

const InstallationStatus = namedObject("IntegrationInstallationStatus", {
  object: v.literal("integration-installation-status"),
  integration: v.pipe(v.string(), v.description("The name of the integration.")),
  installed: v.pipe(v.boolean(), v.description("Whether the organization has installed the integration.")),
  installation: v.optional(v.pipe(Id, v.description("The ID of the installation. Omitted if there is none."))),
  status: v.optional(
    v.pipe(
      v.picklist(["active", "pending", "paused"]),
      v.description("The status of the installation. Omitted if there is none."),
    ),
  ),
  urls: v.object({ location: UrlString }),
});

type StatusContext = Pick<CallContext, "urls"> & {
  readonly params: { readonly organizationId: string; readonly integrationName: string };
  readonly installed: InstallationRecord | undefined;
};

export const getInstallationStatus = defineOperation(
  "GET /orgs/:organizationId/integrations/:integrationName/installation_status",
  {
    summary: "Get the installation status of an integration",
    target: installationSlot,
    right: "view",
    returns: InstallationStatus,
    cache: false,
    handle: async (context) => presentStatus(context),
  },
);

export const listInstallationStatuses = defineOperation(
  "GET /orgs/:organizationId/integrations/:integrationName/installations-status",
  {
    summary: "List the installation statuses of an integration",
    target: installationSlot,
    right: "view",
    list: InstallationStatus,
    cache: false,
    // An organization installs an integration once.
    handle: async (context) => ({
      items: context.installed ? [presentStatus(context)] : [],
      count: context.installed ? 1 : 0,
      lastPosition: undefined,
    }),
  },
);

function presentStatus({ params, urls, installed }: StatusContext): v.InferOutput<typeof InstallationStatus> {
  const { organizationId, integrationName } = params;
  return {
    object: "integration-installation-status",
    integration: integrationName,
    installed: installed !== undefined,
    ...(installed && { installation: installed.id, status: installed.status }),
    urls: { location: urls.api(`/orgs/${organizationId}/integrations/${integrationName}/installation_status`) },
  };
}
