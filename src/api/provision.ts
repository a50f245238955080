// What only the host may do: make sure that a user exists, with an organization and a token. Not reachable over HTTP.
// It is called by a sign-up page, an import script or at each start of a server: what exists is found again, and what an
// interrupted call left out is made by the next one.

import * as v from "valibot";
import { DocsError } from "../errors";
import { foldText, textSchema } from "../operation/common-schemas";
import { iterateRows } from "../operation/pagination";
import { members, memberships } from "../resources/people/members/records";
import { organizations, theOrganization } from "../resources/people/organizations/records";
import { isOver, newTokenValue, type TokenRecord, tokens } from "../resources/people/tokens/records";
import { followed, type HostUser, hostProfile, settle } from "../resources/people/users/host-users";
import { type UserRecord, users } from "../resources/people/users/records";
import {
  DIRECTORY,
  formatOrganizationId,
  generateCode,
  generateId,
  getOrganizationPartition,
  getOrganizationPlace,
} from "../storage/ids";
import { defineRecordSet } from "../storage/records";
import { hashFingerprint } from "../storage/secrets";
import type { Store } from "../storage/store";
import type { Transaction } from "../storage/transaction";
import { omitUndefined } from "../utils/objects";

export interface Provision {
  /**
   * Found by the host's id, if given, else by e-mail address; created when there is none. A user with this address gets
   * the id: give only addresses that are known to be this user's.
   */
  readonly user: Omit<HostUser, "id" | "emailVerified" | "scopes"> & { readonly id?: HostUser["id"] | undefined };
  /** An organization with the user as its admin: the one that an earlier call founded, or one with this title. */
  readonly organization?: { readonly title: string } | undefined;
  /**
   * A token for the user, who has one of each label. `value`: 16 to 512 visible ASCII characters; a token with another
   * value stays valid beside it. Default: a random one, unless there is a token with this label.
   */
  readonly token?: { readonly label: string; readonly value?: string | undefined } | undefined;
}

export interface Provisioned {
  readonly user: string;
  readonly organization?: string;
  /** The token's value; undefined when the token existed before: only its hash is stored. */
  readonly token?: string;
}

/** Founds an organization in the partition with a code, with a user as its admin. */
type Found = (title: string, user: string, code: string) => Promise<unknown>;

/** The organization that was made, or is being made, for a user under a title. */
const wantedOrganizations = defineRecordSet("provisioned-organization", {
  key: (it: { readonly user: string; readonly title: string; readonly organization: string }) => [it.user, it.title],
});

const Wanted = v.strictObject({
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

export async function provision(store: Store, found: Found, given: Provision): Promise<Provisioned> {
  const { organization, token } = checked(given);
  const user = await store.write(DIRECTORY, async (tx) => {
    const holder = await userFor(tx, store, given.user);
    if (token?.value !== undefined) await tokenFor(tx, store, holder.id, token);
    return holder;
  });
  const home = organization && (await organizationFor(store, found, user.id, organization.title));
  // A random token comes last: its value is shown only once, and everything else can be made again.
  const value = token && (token.value ?? (await store.write(DIRECTORY, (tx) => tokenFor(tx, store, user.id, token))));
  return { user: user.id, ...omitUndefined({ organization: home ? home : undefined, token: value }) };
}

function checked(given: Provision): v.InferOutput<typeof Wanted> {
  const { success, output, issues } = v.safeParse(Wanted, given);
  if (!success)
    throw new TypeError(`provision: \`${v.getDotPath(issues[0]) ?? "it"}\` is wrong. ${issues[0].message}.`);
  return output;
}

async function userFor(tx: Transaction, store: Store, given: Provision["user"]): Promise<UserRecord> {
  const isNamed = given.id !== undefined;
  const profile = hostProfile({ id: "unnamed", ...given, emailVerified: true }, "provision");
  if (isNamed) return settle(tx, profile, store, { isSure: true });
  const known = await users.find(tx, "email", foldText(profile.email));
  const user =
    known ?? followed({ id: generateId("user", "", store.random), createdAt: store.now().toISOString() }, profile);
  if (!known) await users.put(tx, user);
  return user;
}

/** The organization of a user under a title: founded at most once, also when this is interrupted or runs twice at once. */
async function organizationFor(store: Store, found: Found, user: string, title: string): Promise<string> {
  const before = await wantedOrganizations.get(await store.read(DIRECTORY), user, title);
  const usable = before && (await isUsable(store, before.organization, user)) ? before.organization : undefined;
  const own =
    usable ?? (await organizationWith(store, user, title)) ?? formatOrganizationId(generateCode(store.random));
  const organization = await store.write(DIRECTORY, async (tx) => {
    const now = await wantedOrganizations.get(tx, user, title);
    // Another call was faster.
    if (now && now.organization !== before?.organization) return now.organization;
    if (now?.organization !== own) await wantedOrganizations.put(tx, { user, title, organization: own });
    return own;
  });
  if (await theOrganization(await store.read(getOrganizationPartition(organization)))) return organization;
  await found(title, user, getOrganizationPlace(organization).code).catch((error: unknown) => {
    if (!(error instanceof DocsError && error.reason === "idempotency_key_spent")) throw error;
  });
  return organization;
}

/** Whether the organization is still to be founded, or has the user as its admin. */
async function isUsable(store: Store, organization: string, user: string): Promise<boolean> {
  const view = await store.read(getOrganizationPartition(organization));
  return !(await theOrganization(view)) || (await members.get(view, user))?.role === "admin";
}

/** An organization with this title that has the user as its admin. */
async function organizationWith(store: Store, user: string, title: string): Promise<string | undefined> {
  const directory = await store.read(DIRECTORY);
  for await (const { record } of iterateRows((slice) =>
    memberships.list(directory, "ofUser", { under: [user], ...slice }),
  )) {
    const view = await store.read(getOrganizationPartition(record.organization));
    const there = await organizations.get(view, record.organization);
    if (there?.title === title && (await isUsable(store, there.id, user))) return there.id;
  }
  return undefined;
}

/** The value of a new token; undefined when there is one with this label, and the value was left to chance. */
async function tokenFor(
  tx: Transaction,
  store: Store,
  user: string,
  { label, value }: NonNullable<Provision["token"]>,
): Promise<string | undefined> {
  if (value === undefined && (await hasToken(tx, store, user, label))) return undefined;
  const made = value ?? newTokenValue(store.random);
  const same = await tokens.get(tx, hashFingerprint(made));
  if (same && same.user !== user) throw new TypeError("provision: this token is somebody else's.");
  const token: TokenRecord = same ?? {
    id: generateId("token", "", store.random),
    hash: hashFingerprint(made),
    user,
    label,
    scopes: null,
    createdAt: store.now().toISOString(),
    expiresAt: null,
  };
  if (!same) await tokens.put(tx, token);
  return made;
}

/** Whether the user has a token with this label that is still valid and has no limits. */
async function hasToken(tx: Transaction, store: Store, user: string, label: string): Promise<boolean> {
  // The total is the guard: every token that comes or goes changes it.
  const view = await tokens.guarded(tx, "ofUser", [[user]]);
  for await (const { record } of iterateRows((slice) => tokens.list(view, "ofUser", { under: [user], ...slice })))
    if (record.label === label && record.scopes === null && !isOver(record, store.now())) return true;
  return false;
}
