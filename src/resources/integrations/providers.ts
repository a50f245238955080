// Implements the extension points of lower modules: installations as callers with their own tokens, and the services of integrations
// for sites.

import { enqueueJob } from "../../jobs/jobs";
import { getOrganizationPartition } from "../../storage/ids";
import type { InstallationAccess } from "../people/members/installation-access";
import { findOrganizationPartition } from "../people/organizations/records";
import type { SiteIntegrations } from "../sites/site-integrations";
import { canReachPlace, canReceiveEvent } from "./delivery/event-access";
import { deriveSigningSecrets } from "./delivery/signature";
import { getGrantedScopes } from "./installations/agreed-scopes";
import { isActiveOnPlace, listActiveInstallations, loadActiveInstallation } from "./published/active-installations";
import { loadScripts } from "./published/published-scripts";
import { beginLogin } from "./published/visitor-login";
import {
  createPlacementDeletedEvent,
  getInstallationKey,
  installations,
  integrations,
  isInstalledOnPlace,
  placements,
  updatePlacementListing,
} from "./records";

/** The most spaces that are returned for an installation. */
const MAX_SPACES = 10_000;

export const installationAccessProvider: InstallationAccess = {
  async getInstalledAt(tx, id) {
    const installation = await installations.get(tx, id);
    return installation && installation.status !== "paused" ? installation.createdAt : undefined;
  },
  async getIntegrationName(tx, id) {
    return (await installations.get(tx, id))?.integration;
  },
  async getSpaceIds(tx, id) {
    const installation = await installations.get(tx, id);
    if (!installation) return [];
    if (installation.spaceSelection === "all") return "all";
    const guardedView = await placements.readGuarded(tx, "ofInstallation", [[id, "space"]]);
    const rows = await placements.list(guardedView, "ofInstallation", { under: [id, "space"], limit: MAX_SPACES });
    return rows.map(({ record }) => record.place);
  },
  async isInstalledOn(tx, id, kind, place) {
    const installation = await installations.get(tx, id);
    return installation !== undefined && isInstalledOnPlace(tx, installation, kind, place);
  },
  uninstallFrom: (jobContext, partitionPlace, tx, kind, place) =>
    placements.drain(tx, "ofPlace", [kind, place], async (record) => {
      const installation = await installations.get(tx, record.installation);
      if (!installation) return;
      jobContext.outbox.emit(partitionPlace, tx, createPlacementDeletedEvent(record));
      const key = { ...getInstallationKey(installation), kind, place };
      enqueueJob(jobContext, partitionPlace, tx, updatePlacementListing, key);
    }),
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
    const { tx } = context;
    const installation = await installations.find(tx, "integration", name.toLowerCase());
    if (!installation) return undefined;
    const placement = await placements.get(tx, installation.id, "site", site);
    if (!isActiveOnPlace(installation, "site", placement)) return undefined;
    const signer = await loadActiveInstallation(context, installation);
    if (!signer?.scopes.some((scope) => scope === "site:visitor:auth" || scope === "space:visitor:auth"))
      return undefined;
    return {
      getKeys: (secrets) => deriveSigningSecrets(secrets, signer.integration.id, installation.id, site),
      beginLogin: (jobContext, location) => beginLogin(jobContext, signer, site, location),
    };
  },
  async listScripts(context, site, spaces) {
    const { listSiteScripts, presentScripts } = await loadScripts();
    return presentScripts(context, site.id, await listSiteScripts(context, site, spaces));
  },
  // The installations that could receive an event are cached until an installation changes, and only these are checked.
  async hasSubscriber(context, event) {
    const { tx, organization, ports } = context;
    const keys = await ports.cache.getOrCompute(
      `${findOrganizationPartition(organization.id)} hearing ${event.type}`,
      [await installations.getGuardVersion(tx, "any")],
      async () =>
        // An integration may no longer request a scope that was agreed to.
        (await listActiveInstallations(tx))
          .filter(({ agreed }) => agreed === undefined || canReceiveEvent(agreed.scopes, event.type))
          .map(({ id }) => [id]),
      ({ length }) => 100 * length,
    );
    for (const installation of await installations.getMany(tx, keys)) {
      if (!installation || !(await canReachPlace(tx, installation, event))) continue;
      const active = await loadActiveInstallation(context, installation);
      if (active && canReceiveEvent(active.scopes, event.type)) return true;
    }
    return false;
  },
};
