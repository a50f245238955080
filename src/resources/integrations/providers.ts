// Implements the extension points of lower modules: installations as callers with their own tokens, and the services of integrations
// for sites.

import { getOrganizationPartition } from "../../storage/ids";
import { callLazily } from "../../utils/lazy";
import type { InstallationAccess } from "../people/members/installation-access";
import type { SiteIntegrations } from "../sites/site-integrations";
import { getGrantedScopes } from "./installations/agreed-scopes";
import { deriveVisitorKeys, findVisitorSigner, hasEventListener } from "./published/active-installations";
import { loadScripts } from "./published/published-scripts";
import { beginLogin } from "./published/visitor-login";
import { deletePlacements, getInstallationSpaceIds, installations, integrations, isInstalledOnPlace } from "./records";

export const installationAccessProvider: InstallationAccess = {
  async getInstalledAt(tx, id) {
    const installation = await installations.get(tx, id);
    return installation && installation.status !== "paused" ? installation.createdAt : undefined;
  },
  async getIntegrationName(tx, id) {
    return (await installations.get(tx, id))?.integration;
  },
  getSpaceIds: getInstallationSpaceIds,
  async isInstalledOn(tx, id, kind, place) {
    const installation = await installations.get(tx, id);
    return installation !== undefined && isInstalledOnPlace(tx, installation, kind, place);
  },
  uninstallFrom: deletePlacements,
  async canReadContent({ tx, peek }, id) {
    const installation = await installations.get(tx, id);
    if (!installation || installation.status === "paused") return false;
    const owner = await peek(getOrganizationPartition(installation.owner));
    const integration = await integrations.get(owner, installation.integration);
    if (integration?.id !== installation.definition) return false;
    return getGrantedScopes(installation, integration).some((scope) => scope.startsWith("space:content:"));
  },
};

export const siteIntegrationProvider: SiteIntegrations = {
  async findVisitorSigner(context, site, name) {
    const signer = await findVisitorSigner(context, site, name);
    return (
      signer && {
        getKeys: (secrets) => deriveVisitorKeys(secrets, signer, site),
        beginLogin: (jobContext, location) => beginLogin(jobContext, signer, site, location),
      }
    );
  },
  listScripts: callLazily(loadScripts, (it) => it.listPublishedScripts),
  hasSubscriber: hasEventListener,
};
