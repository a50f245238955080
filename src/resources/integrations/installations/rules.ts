// Rights on an installation: the organization that installed manages it, and the publisher of the integration sees it.
// Spaces and sites are resolved as the caller sees them.

import type * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { MovedError } from "../../../operation/moved-error";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { getClaimingPartition, nameClaims } from "../../../storage/claims";
import { DIRECTORY, getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { findActiveMember } from "../../people/members/records";
import { findOrganizationPartition, organizations } from "../../people/organizations/records";
import { type OrganizationContext, organization } from "../../people/organizations/rules";
import { type IntegrationContext, integration, loadIntegrationContext } from "../definitions/rules";
import {
  type InstallationRecord,
  type IntegrationRecord,
  installations,
  integrations,
  type PlaceKind,
  type PlacementRecord,
  placements,
} from "../records";
import { createImplicitPlacement, isOnAllPlaces } from "./all-places";
import { type InstallPlace, places } from "./places";
import type { NewInstallation } from "./schema";

/** An organization in which an integration is about to be installed. */
export interface Installable extends OrganizationContext {
  readonly found: IntegrationContext;
}

/** The organization in the body, for an integration that the caller may see. */
export const installable: Target<Installable, "install"> = {
  findPartition: () => DIRECTORY,
  async load(scope) {
    const requested = (scope.body as v.InferOutput<typeof NewInstallation>).organization;
    const notFound = createValidationError("body.organization", "Organization not found, or you are not a member");
    if (scope.partitionCode === "") {
      const found = await findVisibleIntegration(scope);
      if (!found) return undefined;
      const partition = findOrganizationPartition(requested);
      if (partition === undefined) throw notFound;
      throw new MovedError(partition);
    }
    const organization = await organizations.get(scope.tx, requested);
    const me = await findActiveMember(scope.tx, scope.actor.user.id);
    if (!organization || !me) throw notFound;
    const found = await findVisibleIntegration(scope);
    return found && { organization, me, ownedTeams: 0, found };
  },
  notFoundReason: "integration_not_found",
  rights: { view: () => true, install: organization.rights.admin },
};

/** Finds the integration of the path, from any partition; undefined if it does not exist or is hidden. */
export async function findVisibleIntegration({
  directory,
  params,
  actor,
  peek,
}: TargetContext): Promise<IntegrationContext | undefined> {
  const name = params.integrationName!;
  const partition = await getClaimingPartition(directory, nameClaims.integration(name));
  const found =
    partition === undefined ? undefined : await loadIntegrationContext(await peek(partition), name, actor.user.id);
  return found && integration.rights.view(found) ? found : undefined;
}

/** An installation with the caller's rights. */
export interface InstallationContext extends OrganizationContext {
  readonly installation: InstallationRecord;
  readonly integration: IntegrationRecord;
  /** True if the caller is an admin of the publisher, or the integration itself. */
  readonly isPublisher: boolean;
  /** True if the caller is the installation itself, or its integration. */
  readonly isItself?: boolean;
}

type InstallationRight = "manage" | "configure" | "act";

export const installation: Target<InstallationContext, InstallationRight> = {
  findPartition({ installationId }) {
    const code = parsePartitionCode("installation", installationId!);
    return code && getPartitionByCode(code);
  },
  async load(scope) {
    const found = await installations.get(scope.tx, scope.params.installationId!);
    if (!found || found.integration !== scope.params.integrationName) return undefined;
    return loadInstallationContext(scope, found);
  },
  notFoundReason: "installation_not_found",
  rights: {
    view: (it) => isRoleAtLeast(it.me?.role ?? null, "read") || it.isPublisher || it.isItself === true,
    manage: organization.rights.admin,
    configure: (it) => organization.rights.admin(it) || it.isItself === true,
    act: (it) => it.isPublisher || it.isItself === true,
  },
  // An integration and its installations may be in two organizations, so a response reads both.
  isCacheable: () => false,
};

/** Loads an installation with the caller's rights; undefined if its integration was unpublished. */
export async function loadInstallationContext(
  { tx, actor, peek }: Pick<TargetContext, "tx" | "actor" | "peek">,
  found: InstallationRecord,
): Promise<InstallationContext | undefined> {
  const organization = await organizations.get(tx, found.organization);
  const owner = await peek(findOrganizationPartition(found.owner)!);
  const integration = await integrations.get(owner, found.integration);
  if (!organization || integration?.id !== found.definition) return undefined;
  const publisher = await findActiveMember(owner, actor.user.id);
  return {
    organization,
    me: await findActiveMember(tx, actor.user.id),
    ownedTeams: 0,
    installation: found,
    integration,
    isPublisher: isRoleAtLeast(publisher?.role ?? null, "admin") || actor.user.id === integration.id,
    isItself: [found.id, integration.id].includes(actor.user.id),
  };
}

/** Loads the installation above another target in the path. Throws its own 404 if it does not exist or is hidden. */
export async function loadParentInstallation(scope: TargetContext): Promise<InstallationContext> {
  const found = await installation.load(scope);
  if (!found || !installation.rights.view(found)) throw createError("installation_not_found");
  return found;
}

/** An installation on a space or a site. */
export interface PlacementContext extends InstallationContext {
  readonly placement: PlacementRecord;
  /** The space or site as the caller sees it; undefined for a publisher who does not see it. */
  readonly place: InstallPlace | undefined;
}

/** Creates the target for an installation on a space or a site, by the id in the path. */
export function createPlacementTarget(kind: PlaceKind): Target<PlacementContext, InstallationRight> {
  return {
    findPartition: installation.findPartition,
    async load(scope) {
      const above = await loadParentInstallation(scope);
      const id = scope.params[`${kind}Id`]!;
      const found = await placements.get(scope.tx, above.installation.id, kind, id);
      const place = await places[kind].find(scope, above, id);
      const isEverywhere = place !== undefined && isOnAllPlaces(above.installation, kind);
      const placement = found ?? (isEverywhere ? createImplicitPlacement(kind, above, id) : undefined);
      return placement && { ...above, placement, place };
    },
    notFoundReason: `${kind}_installation_not_found`,
    rights: {
      view: (it) => it.isPublisher || it.isItself === true || it.place?.isVisible === true,
      manage: (it) => it.place?.canManage === true,
      configure: (it) => it.place?.canManage === true || it.isItself === true,
      act: (it) => it.isPublisher || it.isItself === true,
    },
    // An integration and its installations may be in two organizations, so a response reads both.
    isCacheable: () => false,
  };
}
