// Rights on an integration. The directory maps its name to the partition of its owner.

import * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { MovedError } from "../../../operation/moved-error";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { getClaimingPartition, nameClaims } from "../../../storage/claims";
import { DIRECTORY } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { findActiveMember, type MemberRecord, memberships } from "../../people/members/records";
import {
  findOrganizationPartition,
  findPartitionOrganization,
  type OrganizationRecord,
} from "../../people/organizations/records";
import { teamMembers } from "../../people/teams/records";
import { type IntegrationRecord, integrations } from "../records";
import { type IntegrationDefinition, IntegrationName } from "./schema";

/** The organization that publishes an integration, and the caller's membership in it. */
export interface PublisherContext {
  readonly owner: OrganizationRecord;
  /** The caller's member record at the owner; undefined for everybody else. */
  readonly me: MemberRecord | undefined;
  readonly ownedTeams: number;
}

export interface IntegrationContext extends PublisherContext {
  readonly integration: IntegrationRecord;
  /** True if the caller is the integration itself, with its own token. */
  readonly isItself?: boolean;
}

const isAdmin = ({ me }: PublisherContext) => isRoleAtLeast(me?.role ?? null, "admin");
const canSee = ({ integration, me, isItself }: IntegrationContext) =>
  integration.visibility !== "private" || isRoleAtLeast(me?.role ?? null, "read") || isItself === true;

/** Loads the owner of a partition, as a user sees it. */
export async function loadPublisher(tx: Reader, user: string): Promise<PublisherContext | undefined> {
  const owner = await findPartitionOrganization(tx);
  const me = await findActiveMember(tx, user);
  return owner && { owner, me, ownedTeams: me ? await teamMembers.total(tx, "owned", user) : 0 };
}

/** Loads an integration by its name in the partition of its owner, as a user sees it. */
export async function loadIntegrationContext(
  tx: Reader,
  name: string,
  user: string,
): Promise<IntegrationContext | undefined> {
  const integration = await integrations.get(tx, name);
  const publisher = integration && (await loadPublisher(tx, user));
  return publisher && { ...publisher, integration, isItself: user === integration.id };
}

/** A published integration. A private one is visible only in its own organization. */
export const integration: Target<IntegrationContext, "admin" | "install" | "inspect"> = {
  findPartition: () => DIRECTORY,
  async load(scope) {
    const name = scope.params.integrationName!;
    if (!v.is(IntegrationName, name)) return undefined;
    if (scope.partitionCode !== "") return loadIntegrationContext(scope.tx, name, scope.actor.user.id);
    const partition = await getClaimingPartition(scope.tx, nameClaims.integration(name));
    if (partition !== undefined) throw new MovedError(partition);
    return undefined;
  },
  notFoundReason: "integration_not_found",
  rights: {
    view: canSee,
    admin: isAdmin,
    inspect: (it) => isAdmin(it) || it.isItself === true,
    install: (it) => canSee(it) && (it.integration.visibility !== "private" || isAdmin(it)),
  },
  // An integration and its installations may be in two organizations, so a response reads both.
  isCacheable: () => false,
};

/** A name to publish: an integration of the caller, or a free name. */
export interface Publishable extends PublisherContext {
  readonly integration: IntegrationRecord | undefined;
}

/** The organization in the body that is to publish an integration. A name that another organization has is taken. */
export const publishable: Target<Publishable, "publish"> = {
  findPartition: () => DIRECTORY,
  async load(scope) {
    const name = scope.params.integrationName!;
    if (!v.is(IntegrationName, name))
      throw createValidationError(
        "params.integrationName",
        "Expected 1 to 100 letters, digits, dots, hyphens and underscores",
      );
    const requested = (scope.body as IntegrationDefinition | undefined)?.organization;
    if (scope.partitionCode === "") {
      const claimed = await getClaimingPartition(scope.tx, nameClaims.integration(name));
      throw new MovedError(claimed ?? (await findPublisherPartition(scope, requested)));
    }
    const publisher = await loadPublisher(scope.tx, scope.actor.user.id);
    const existing = await integrations.get(scope.tx, name);
    if (publisher && existing) {
      const { owner } = publisher;
      const isRequestedOwner = requested === undefined || requested === owner.id || requested === owner.hostname;
      if (!isRequestedOwner || !publisher.me) throw createError("integration_name_taken");
      return { ...publisher, integration: existing };
    }
    // The claim that led here may be outdated.
    const partition = await findPublisherPartition(scope, requested);
    if (!publisher || partition !== findOrganizationPartition(publisher.owner.id)) throw new MovedError(partition);
    return { ...publisher, integration: undefined };
  },
  notFoundReason: "integration_not_found",
  rights: { view: () => true, publish: isAdmin },
};

/** Finds the partition of the publisher: the requested one, or the only one in which the caller is an admin. */
async function findPublisherPartition(
  { directory, actor, peek }: TargetContext,
  requested: string | undefined,
): Promise<string> {
  const user = actor.user.id;
  if (requested === undefined) {
    const rows = await memberships.list(directory, "ofUser", { under: [user], limit: 100 });
    const administered: string[] = [];
    for (const { record } of rows) {
      const partition = findOrganizationPartition(record.organization)!;
      const me = await findActiveMember(await peek(partition), user);
      if (isRoleAtLeast(me?.role ?? null, "admin")) administered.push(partition);
    }
    if (administered.length !== 1)
      throw createValidationError("body.organization", "Required: the organization that publishes the integration");
    return administered[0]!;
  }

  const partition =
    findOrganizationPartition(requested) ?? (await getClaimingPartition(directory, nameClaims.subdomain(requested)));
  const view = partition === undefined ? undefined : await peek(partition);
  const organization = view && (await findPartitionOrganization(view));
  const isRequested = organization?.id === requested || organization?.hostname === requested;
  if (!isRequested || !(await findActiveMember(view!, user)))
    throw createValidationError("body.organization", "Organization not found, or you are not a member");
  return partition!;
}
