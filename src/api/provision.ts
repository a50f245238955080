// Provisions a user, an organization and a token, for the host only. A sign-up page, an import script or every start of a server can
// call it: existing records are reused, and the next call completes an interrupted one.

import * as v from "valibot";
import { DocsError } from "../errors";
import { foldText, textSchema } from "../operation/common-schemas";
import { iterateRows } from "../operation/pagination";
import { members, memberships } from "../resources/people/members/records";
import { findPartitionOrganization, organizations } from "../resources/people/organizations/records";
import { generateTokenValue, isExpired, tokens } from "../resources/people/tokens/records";
import {
  applyHostProfile,
  type HostUser,
  parseHostProfile,
  upsertHostUser,
} from "../resources/people/users/host-users";
import { type UserRecord, users } from "../resources/people/users/records";
import {
  CODE_LENGTH,
  DIRECTORY,
  formatOrganizationId,
  generateId,
  generateRandomText,
  getOrganizationPartition,
  getPartitionRef,
} from "../storage/ids";
import { defineRecordSet } from "../storage/records";
import type { Store } from "../storage/store";
import type { Transaction } from "../storage/transaction";
import { omitUndefined } from "../utils/objects";
import { sha256Hex } from "../utils/sha256";

export interface ProvisionRequest {
  /**
   * Found by the host's id, if given, or else by e-mail address; created if there is none. A user with this address gets the id, so
   * pass only addresses that are known to belong to this user.
   */
  readonly user: Omit<HostUser, "id" | "emailVerified" | "scopes"> & { readonly id?: HostUser["id"] | undefined };
  /** An organization with the user as its admin: the one that an earlier call created, or one with this title. */
  readonly organization?: { readonly title: string } | undefined;
  /**
   * A token for the user, who has one for each label. `value` has 16 to 512 visible ASCII characters. A token with another value
   * stays valid. Default: a random value, unless the user has a token with this label.
   */
  readonly token?: { readonly label: string; readonly value?: string | undefined } | undefined;
}

export interface ProvisionResult {
  readonly user: string;
  readonly organization?: string;
  /** The token's value; undefined if the token existed before, because only its hash is stored. */
  readonly token?: string;
}

type CreateOrganization = (title: string, userId: string, partitionCode: string) => Promise<unknown>;

/** The organization that was created, or is being created, for a user under a title. */
const provisionedOrganizations = defineRecordSet("provisioned-organization", {
  key: (it: { readonly user: string; readonly title: string; readonly organization: string }) => [it.user, it.title],
});

const ProvisionSchema = v.strictObject({
  user: v.pipe(
    v.unknown(),
    v.check((it) => typeof it === "object" && it !== null, "Expected an object"),
  ),
  organization: v.optional(v.strictObject({ title: textSchema(2, 255) })),
  token: v.optional(
    v.strictObject({
      label: textSchema(1, 50),
      value: v.optional(
        v.pipe(
          v.string("Expected text"),
          v.regex(/^[\x21-\x7e]{16,512}$/, "A token needs 16 to 512 visible characters"),
        ),
      ),
    }),
  ),
});

/** Finds or creates a user, and then their organization and token. Throws a TypeError that names what is wrong with the request. */
export async function provision(
  store: Store,
  createOrganization: CreateOrganization,
  request: ProvisionRequest,
): Promise<ProvisionResult> {
  const { success, output, issues } = v.safeParse(ProvisionSchema, request);
  if (!success)
    throw new TypeError(`provision: \`${v.getDotPath(issues[0]) ?? "it"}\` is wrong. ${issues[0].message}.`);
  const { organization, token } = output;

  const user = await store.write(DIRECTORY, async (tx) => {
    const profile = parseHostProfile({ id: "unnamed", ...request.user, emailVerified: true }, "provision");
    let owner: UserRecord | undefined;
    if (request.user.id !== undefined) owner = await upsertHostUser(tx, profile, store, { isSure: true });
    else owner = await users.find(tx, "email", foldText(profile.email));
    if (!owner) {
      const id = generateId("user", "", store.random);
      owner = applyHostProfile({ id, createdAt: store.now().toISOString() }, profile);
      await users.put(tx, owner);
    }
    if (token?.value !== undefined) await provisionToken(tx, store, owner.id, token);
    return owner;
  });
  const organizationId =
    organization && (await provisionOrganization(store, createOrganization, user.id, organization.title));

  // A random token comes last: its value is shown only once, and everything else can be repeated.
  const tokenValue =
    token && (token.value ?? (await store.write(DIRECTORY, (tx) => provisionToken(tx, store, user.id, token))));
  return {
    user: user.id,
    ...omitUndefined({ organization: organizationId || undefined, token: tokenValue }),
  };
}

/**
 * Returns the id of the user's organization with a title. The organization is created at most once, even if a call is interrupted
 * or two calls run at the same time.
 */
async function provisionOrganization(
  store: Store,
  createOrganization: CreateOrganization,
  userId: string,
  title: string,
): Promise<string> {
  // The id is recorded before the organization is created, so that a later call continues with the same one.
  const earlier = await provisionedOrganizations.get(await store.read(DIRECTORY), userId, title);
  let knownId = earlier && (await isUsable(store, earlier.organization, userId)) ? earlier.organization : undefined;
  if (knownId === undefined) {
    // An organization that has this title, and the user as its admin
    const directory = await store.read(DIRECTORY);
    const rows = iterateRows((slice) => memberships.list(directory, "ofUser", { under: [userId], ...slice }));
    for await (const { record } of rows) {
      const view = await store.read(getOrganizationPartition(record.organization));
      const organization = await organizations.get(view, record.organization);
      if (organization?.title !== title || !(await isUsable(store, organization.id, userId))) continue;
      knownId = organization.id;
      break;
    }
  }
  const candidateId = knownId ?? formatOrganizationId(generateRandomText(store.random, CODE_LENGTH));
  const organizationId = await store.write(DIRECTORY, async (tx) => {
    const current = await provisionedOrganizations.get(tx, userId, title);
    // Another call was faster.
    if (current && current.organization !== earlier?.organization) return current.organization;
    if (current?.organization !== candidateId)
      await provisionedOrganizations.put(tx, { user: userId, title, organization: candidateId });
    return candidateId;
  });

  if (await findPartitionOrganization(await store.read(getOrganizationPartition(organizationId))))
    return organizationId;
  await createOrganization(title, userId, getPartitionRef(organizationId).code).catch((error: unknown) => {
    // Another call has created it in the meantime.
    if (!(error instanceof DocsError && error.reason === "idempotency_key_spent")) throw error;
  });
  return organizationId;
}

/** Returns true if the organization does not exist yet, or has the user as its admin. */
async function isUsable(store: Store, organizationId: string, userId: string): Promise<boolean> {
  const view = await store.read(getOrganizationPartition(organizationId));
  return !(await findPartitionOrganization(view)) || (await members.get(view, userId))?.role === "admin";
}

/** Stores a token and returns its value; undefined if no value is given and the user has a token with this label. */
async function provisionToken(
  tx: Transaction,
  store: Store,
  userId: string,
  { label, value }: NonNullable<ProvisionRequest["token"]>,
): Promise<string | undefined> {
  if (value === undefined) {
    // The total is the guard: every token of the user that is added or removed changes it.
    const view = await tokens.readGuarded(tx, "ofUser", [[userId]]);
    const rows = iterateRows((slice) => tokens.list(view, "ofUser", { under: [userId], ...slice }));
    for await (const { record } of rows)
      if (record.label === label && record.scopes === null && !isExpired(record, store.now())) return undefined;
  }

  const tokenValue = value ?? generateTokenValue(store.random);
  const hash = sha256Hex(tokenValue);
  const known = await tokens.get(tx, hash);
  if (known && known.user !== userId) throw new TypeError("provision: this token is somebody else's.");
  if (!known) {
    const id = generateId("token", "", store.random);
    const createdAt = store.now().toISOString();
    await tokens.put(tx, { id, hash, user: userId, label, scopes: null, createdAt, expiresAt: null });
  }
  return tokenValue;
}
