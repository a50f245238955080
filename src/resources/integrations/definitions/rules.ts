// Rights on an integration. The directory maps its name to the partition of its owner.

import * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { MovedError } from "../../../operation/moved-error";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { getClaimingPartition } from "../../../storage/claims";
import { DIRECTORY } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { findActiveMember, type MemberRecord, memberships } from "../../people/members/records";
import {
  findOrganizationPartition,
  findPartitionOrganization,
  getHostnameClaim,
  type OrganizationRecord,
} from "../../people/organizations/records";
import { teamMembers } from "../../people/teams/records";
import { getIntegrationClaim, type IntegrationRecord, integrations } from "../records";
import { IntegrationName, type Publishing } from "./schema";

/** The organization that publishes an integration, and the caller's membership in it. */
export interface PublisherContext {
  readonly owner: OrganizationRecord;
  /** The caller's member record at the owner; undefined for everybody else. */
  readonly me: MemberRecord | undefined;
  readonly ownedTeams: number;
}

export interface IntegrationContext extends PublisherContext {
  readonly integration: IntegrationRecord;
  /** Whether the caller is the integration itself, with its own token. */
  readonly isItself?: boolean;
}

const isAdmin = ({ me }: PublisherContext) => isRoleAtLeast(me?.role ?? null, "admin");
const canSee = ({ integration, me, isItself }: IntegrationContext) =>
  integration.visibility !== "private" || isRoleAtLeast(me?.role ?? null, "read") || isItself === true;

/** The owner of a partition, seen by a user. */
export async function loadPublisher(tx: Reader, user: string): Promise<PublisherContext | undefined> {
  const owner = await findPartitionOrganization(tx);
  const me = await findActiveMember(tx, user);
  return owner && { owner, me, ownedTeams: me ? await teamMembers.total(tx, "owned", user) : 0 };
}

/** An integration by its name in the partition of its owner. */
export async function loadIntegrationContext(
  tx: Reader,
  name: string,
  user: string,
): Promise<IntegrationContext | undefined> {
  const integration = await integrations.get(tx, name);
  const above = integration && (await loadPublisher(tx, user));
  return above && { ...above, integration, isItself: user === integration.id };
}

/** A published integration. A private one is visible only in its own organization. */
export const integration: Target<IntegrationContext, "admin" | "install" | "inspect"> = {
  findPartition: () => DIRECTORY,
  async load(scope) {
    const name = scope.params.integrationName!;
    if (!v.is(IntegrationName, name)) return undefined;
    if (scope.partitionCode !== "") return loadIntegrationContext(scope.tx, name, scope.actor.user.id);
    const partition = await getClaimingPartition(scope.tx, getIntegrationClaim(name));
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
  // An integration and its installations may be in two organizations, so an answer reads both.
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
    if (scope.partitionCode === "") {
      const known = await getClaimingPartition(scope.tx, getIntegrationClaim(name));
      throw new MovedError(known ?? (await publisherOf(scope)));
    }
    const here = await loadPublisher(scope.tx, scope.actor.user.id);
    const known = await integrations.get(scope.tx, name);
    if (here && known) {
      if (!isSameOwner(scope, here) || !here.me) throw createError("integration_name_taken");
      return { ...here, integration: known };
    }
    // The claim that led here may be outdated.
    const home = await publisherOf(scope);
    if (!here || home !== findOrganizationPartition(here.owner.id)) throw new MovedError(home);
    return { ...here, integration: undefined };
  },
  notFoundReason: "integration_not_found",
  rights: { view: () => true, publish: isAdmin },
};

const organizationWanted = ({ body }: TargetContext) => (body as Publishing | undefined)?.organization;

function isSameOwner(scope: TargetContext, { owner }: PublisherContext): boolean {
  const wanted = organizationWanted(scope);
  return wanted === undefined || wanted === owner.id || wanted === owner.hostname;
}

/** The partition of the organization that publishes: the one named, or the only one where the caller is an admin. */
async function publisherOf(scope: TargetContext): Promise<string> {
  const wanted = organizationWanted(scope);
  if (wanted === undefined) return onlyOrganizationOf(scope);
  const partition =
    findOrganizationPartition(wanted) ?? (await getClaimingPartition(scope.directory, getHostnameClaim(wanted)));
  const view = partition === undefined ? undefined : await scope.peek(partition);
  const found = view && (await findPartitionOrganization(view));
  const isIt = found?.id === wanted || found?.hostname === wanted;
  if (!isIt || !(await findActiveMember(view!, scope.actor.user.id)))
    throw createValidationError("body.organization", "There is no such organization, or you are not in it");
  return partition!;
}

async function onlyOrganizationOf({ directory, actor, peek }: TargetContext): Promise<string> {
  const mine = await memberships.list(directory, "ofUser", { under: [actor.user.id], limit: 100 });
  const partitions = mine.map(({ record }) => findOrganizationPartition(record.organization)!);
  const run = [];
  for (const partition of partitions) {
    const me = await findActiveMember(await peek(partition), actor.user.id);
    if (isRoleAtLeast(me?.role ?? null, "admin")) run.push(partition);
  }
  if (run.length !== 1) throw createValidationError("body.organization", "Say which organization publishes it");
  return run[0]!;
}
