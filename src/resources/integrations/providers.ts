// Fills the hooks of lower wings: installations as callers with their own tokens, and what integrations do for sites.

import { getOrganizationPartition } from "../../storage/ids";
import type { Reader } from "../../storage/transaction";
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
    const found = await installations.get(tx, id);
    return found && found.status !== "paused" ? found.createdAt : undefined;
  },
  async getIntegrationName(tx, id) {
    return (await installations.get(tx, id))?.integration;
  },
  getSpaceIds: getInstallationSpaceIds,
  async isInstalledOn(tx, id, kind, place) {
    const found = await installations.get(tx, id);
    return found !== undefined && isInstalledOnPlace(tx, found, kind, place);
  },
  uninstallFrom: deletePlacements,
  canReadContent: mayReadContent,
};

/** Whether an installation has a scope to read content. */
async function mayReadContent(
  { tx, peek }: { readonly tx: Reader; readonly peek: (partition: string) => Promise<Reader> },
  id: string,
): Promise<boolean> {
  const installation = await installations.get(tx, id);
  if (!installation || installation.status === "paused") return false;
  const integration = await integrations.get(
    await peek(getOrganizationPartition(installation.owner)),
    installation.integration,
  );
  if (integration?.id !== installation.definition) return false;
  return getGrantedScopes(installation, integration).some((scope) => /^space:content:/.test(scope));
}

export const siteIntegrationProvider: SiteIntegrations = {
  async findVisitorSigner(looking, site, name) {
    const signer = await findVisitorSigner(looking, site, name);
    return (
      signer && {
        getKeys: (secrets) => deriveVisitorKeys(secrets, signer, site),
        beginLogin: (work, location) => beginLogin(work, signer, site, location),
      }
    );
  },
  listScripts: callLazily(loadScripts, (it) => it.listPublishedScripts),
  hasSubscriber: hasEventListener,
};
