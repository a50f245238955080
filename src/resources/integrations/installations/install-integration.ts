// Installations of an integration in an organization: creating, configuring, pausing and removing. Every change emits
// an event.

import { createError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateFiltered, paginateGroup } from "../../../operation/pagination";
import { rejectDuplicates } from "../../../operation/reject-duplicates";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { findActiveMember } from "../../people/members/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import { organization } from "../../people/organizations/rules";
import { integration, loadIntegrationContext } from "../definitions/rules";
import { presentIntegration } from "../definitions/views";
import {
  emptyInstallation,
  getInstallationKey,
  type InstallationListing,
  type InstallationRecord,
  installationListings,
  installations,
  updateInstallationListing,
} from "../records";
import { createAgreement } from "./agreed-scopes";
import { isConfigurationComplete, resolveConfiguration } from "./configuration";
import { updateAppName } from "./definition-jobs";
import { type InstallationContext, installable, installation, loadInstallationContext } from "./rules";
import {
  Installation,
  InstallationChanges,
  InstallationFilters,
  InstalledIntegration,
  NewInstallation,
  OrganizationInstallationFilters,
} from "./schema";
import { checkTokenScopes } from "./token-limits";
import { presentInstallation } from "./views";

const installationPath = "/integrations/:integrationName/installations/:installationId";

export const listInstallations = defineOperation("GET /integrations/:integrationName/installations", {
  summary: "List installations of an integration",
  target: integration,
  right: "view",
  query: InstallationFilters,
  list: Installation,
  async handle(context) {
    const { tx, actor, query, pageRequest, peek, urls } = context;
    const canList = createMembershipCheck(peek, actor.user.id, integration.rights.inspect(context));
    const definition = context.integration.id;
    return paginateFiltered(
      pageRequest,
      async (slice) => {
        const rows = await installationListings.list(tx, "ofIntegration", { under: [definition], ...slice });
        const isListed = await Promise.all(rows.map(({ record }) => canList(record.organization)));
        return rows.map(({ record, position }, i) => ({
          record: { listing: record, isListed: isListed[i]! },
          position,
        }));
      },
      ({ listing, isListed }) =>
        isListed && (query.externalId === undefined || listing.externalIds.includes(query.externalId)),
      async (found) => {
        const all = await Promise.all(found.map(({ listing }) => loadListedInstallation(listing, { actor, peek })));
        return Promise.all(
          all.flatMap((it) => (it ? [presentInstallation(it.installationContext, it.view, urls)] : [])),
        );
      },
    );
  },
});

/** Creates a cached check that a user may list the installations of an organization. */
export function createMembershipCheck(
  peek: TargetContext["peek"],
  user: string,
  isPublisher: boolean,
): (organization: string) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  const isMember = async (organization: string) => {
    const me = await findActiveMember(await peek(findOrganizationPartition(organization)!), user);
    return isRoleAtLeast(me?.role ?? null, "read");
  };
  return async (organization) => {
    if (isPublisher) return true;
    const answer = answers.get(organization) ?? isMember(organization);
    answers.set(organization, answer);
    return answer;
  };
}

/** Loads the installation of a listing. The installation decides, because the listing may be out of date. */
export async function loadListedInstallation(
  { installation, organization }: Pick<InstallationListing, "installation" | "organization">,
  { actor, peek }: Pick<TargetContext, "actor" | "peek">,
): Promise<{ readonly installationContext: InstallationContext; readonly view: Reader } | undefined> {
  const view = await peek(findOrganizationPartition(organization)!);
  const record = await installations.get(view, installation);
  const installationContext = record && (await loadInstallationContext({ tx: view, actor, peek }, record));
  return installationContext && { installationContext, view };
}

export const listOrganizationInstallations = defineOperation("GET /orgs/:organizationId/installations", {
  summary: "List installations in an organization",
  target: organization,
  right: "listInstallations",
  query: OrganizationInstallationFilters,
  list: InstalledIntegration,
  cache: false,
  async handle(context) {
    const { tx, actor, query, pageRequest, peek, urls, secrets } = context;
    const matches = (it: InstallationRecord) =>
      (query.externalId === undefined || it.externalIds.includes(query.externalId)) &&
      (query.integration === undefined || it.integration === query.integration);
    const present = async (records: readonly InstallationRecord[]) => {
      const views = await Promise.all(
        records.map(async (record) => {
          const installationContext = await loadInstallationContext({ tx, actor, peek }, record);
          const owner = await peek(findOrganizationPartition(record.owner)!);
          const integrationContext = await loadIntegrationContext(owner, record.integration, actor.user.id);
          if (!installationContext || !integrationContext) return [];
          const installation = await presentInstallation(installationContext, tx, urls);
          return [{ integration: presentIntegration(integrationContext, { urls, secrets }), installation }];
        }),
      );
      return views.flat();
    };
    if (query.externalId === undefined && query.integration === undefined)
      return paginateGroup(context, installations, "all", [], present);
    return paginateFiltered(pageRequest, (slice) => installations.list(tx, "all", slice), matches, present);
  },
});

export const installIntegration = defineOperation("POST /integrations/:integrationName/installations", {
  summary: "Install an integration",
  target: installable,
  right: "install",
  body: NewInstallation,
  returns: Installation,
  status: 201,
  async handle(context) {
    const { tx, found, organization, body, now, newId, enqueueJob, emit, urls } = context;
    const { integration, owner } = found;
    if (integration.visibility === "private" && owner.id !== organization.id) throw createError("integration_private");
    const agreed = createAgreement(integration, body.scopes);
    checkTokenScopes(context, agreed.scopes);
    const schema = integration.configurations.account;
    const configuration = resolveConfiguration(schema, {}, "body.configuration");
    const installed: InstallationRecord = {
      id: newId("installation"),
      integration: integration.name,
      definition: integration.id,
      owner: owner.id,
      organization: organization.id,
      status: isConfigurationComplete(schema, configuration) ? "active" : "pending",
      agreed,
      spaceSelection: "selected",
      siteSelection: "selected",
      configuration,
      externalIds: [],
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    };
    const earlier = await installations.find(tx, "integration", integration.name.toLowerCase());
    // An old installation of an unpublished integration with the same name does not block a new one.
    if (earlier && earlier.definition !== integration.id) {
      await installations.delete(tx, earlier.id);
      enqueueJob(emptyInstallation, getInstallationKey(earlier));
    }
    await rejectDuplicates(installations.put(tx, installed), "already_installed");
    enqueueJob(updateInstallationListing, getInstallationKey(installed));
    enqueueJob(updateAppName, getInstallationKey(installed));
    emit({ type: "installation_setup", installationId: installed.id, status: installed.status });
    const isPublisher = integrationAdmin(found);
    return presentInstallation({ ...context, integration, installation: installed, isPublisher }, tx, urls);
  },
});

const integrationAdmin = integration.rights.admin;
const canManageInstallation = installation.rights.manage;

export const getInstallation = defineOperation(`GET ${installationPath}`, {
  summary: "Get an installation",
  target: installation,
  right: "view",
  returns: Installation,
  handle: (context) => presentInstallation(context, context.tx, context.urls),
});

export const updateInstallation = defineOperation(`PATCH ${installationPath}`, {
  summary: "Update an installation",
  target: installation,
  right: "configure",
  body: InstallationChanges,
  returns: Installation,
  async handle(context) {
    const { tx, installation, integration, body, now, enqueueJob, emit, urls } = context;
    // An installation may configure itself. Those who manage it decide where it works, whether it is active, and which scopes it has.
    const { configuration: _, externalIds: __, ...managed } = body;
    const changesManaged = Object.values(managed).some((value) => value !== undefined);
    if (changesManaged && !canManageInstallation(context)) throw createError("forbidden");
    const agreed = body.scopes && createAgreement(integration, body.scopes);
    if (agreed) checkTokenScopes(context, agreed.scopes);
    if (Object.keys(body).length === 0) return presentInstallation(context, tx, urls);
    const schema = integration.configurations.account;
    const configuration = body.configuration
      ? resolveConfiguration(schema, body.configuration, "body.configuration")
      : installation.configuration;
    const isPaused = (body.status ?? installation.status) === "paused";
    const changed: InstallationRecord = {
      ...installation,
      configuration,
      externalIds: body.externalIds ?? installation.externalIds,
      spaceSelection: body.space_selection ?? installation.spaceSelection,
      siteSelection: body.site_selection ?? installation.siteSelection,
      ...omitUndefined({ agreed }),
      status: isPaused ? "paused" : isConfigurationComplete(schema, configuration) ? "active" : "pending",
      updatedAt: now.toISOString(),
    };
    await installations.put(tx, changed);
    enqueueJob(updateInstallationListing, getInstallationKey(changed));
    enqueueJob(updateAppName, getInstallationKey(changed));
    const previous = { status: installation.status, configuration: installation.configuration };
    emit({ type: "installation_setup", installationId: changed.id, status: changed.status, previous });
    return presentInstallation({ ...context, installation: changed }, tx, urls);
  },
});

export const uninstallIntegration = defineOperation(`DELETE ${installationPath}`, {
  summary: "Uninstall an integration",
  target: installation,
  right: "manage",
  async handle({ tx, installation, enqueueJob, emit }) {
    await installations.delete(tx, installation.id);
    enqueueJob(updateInstallationListing, getInstallationKey(installation));
    enqueueJob(emptyInstallation, getInstallationKey(installation));
    const { id: installationId, configuration } = installation;
    emit({ type: "installation_deleted", installationId, previous: { configuration } });
  },
});
