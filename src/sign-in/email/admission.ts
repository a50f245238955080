// Decides which e-mail addresses may sign in: those of existing users and of invited people, and those of newcomers if the host
// allows them.

import { enqueueJob } from "../../jobs/jobs";
import { ANONYMOUS } from "../../operation/actor";
import { foldText } from "../../operation/common-schemas";
import { recordAuditEvent } from "../../resources/people/audit/record-event";
import { loadInvite } from "../../resources/people/invites/rules";
import {
  addMember,
  findActiveMember,
  members,
  memberships,
  syncMembership,
} from "../../resources/people/members/records";
import { domains, findOrganizationPartition, organizations } from "../../resources/people/organizations/records";
import { MAX_SAML_PROVIDERS, samlProviders } from "../../resources/people/saml/records";
import { getSamlProviderStatus } from "../../resources/people/saml/rules";
import { isActiveUser, type UserRecord, users } from "../../resources/people/users/records";
import { DIRECTORY, generateId, getOrganizationPartition, getPartitionRef } from "../../storage/ids";
import type { Reader, Transaction } from "../../storage/transaction";
import type { SignInContext } from "../context";

const INVITE_PAGE_PATH = /^\/o\/([^/?#]+)\/invites\/([^/?#]+)$/;

/**
 * Checks whether the owner of an address may sign in. `to` is the page that they want to reach. A user with an unverified
 * address may have been created by somebody else than the owner of the address, so nobody can sign in as them.
 */
export async function canSignIn(
  context: SignInContext,
  directory: Reader,
  email: string,
  to: string | null,
): Promise<boolean> {
  const user = await users.find(directory, "email", foldText(email));
  if (user) return isActiveUser(user) && user.emailUnverified !== true;
  const { allowSignUp: newcomers = false } = context.options;
  if (newcomers === true) return true;
  if (newcomers === "domains" && (await listOrganizationsByDomain(directory, email)).length > 0) return true;

  // A newcomer whom the options don't allow needs an open invite for the address.
  const [, organizationId = "", inviteId = ""] = to?.match(INVITE_PAGE_PATH) ?? [];
  const partition = findOrganizationPartition(organizationId);
  if (partition === undefined) return false;
  const { store, secrets } = context.kernel;
  const actor = { ...ANONYMOUS, user: { ...ANONYMOUS.user, email } };
  const tx = await store.read(partition);
  const invite = await loadInvite({ tx, params: { organizationId, inviteId }, actor, now: store.now(), secrets });
  return invite?.isOpen === true && invite.isForMe;
}

/** Returns the ids of the organizations that have proven the domain of an address. */
async function listOrganizationsByDomain(directory: Reader, email: string): Promise<string[]> {
  const domain = foldText(email).split("@").at(-1) ?? "";
  const rows = await domains.list(directory, "ofDomain", { under: [domain], limit: 100 });
  return rows.map(({ record }) => record.organization);
}

/** Returns the user with an address that may sign in, or creates one. */
export async function findOrCreateUser(
  tx: Transaction,
  { kernel }: SignInContext,
  email: string,
): Promise<UserRecord & { isNew: boolean }> {
  const existing = await users.find(tx, "email", foldText(email));
  if (existing) return { ...existing, isNew: false };
  const { random, now } = kernel.store;
  const user: UserRecord = {
    id: generateId("user", "", random),
    displayName: suggestDisplayName(email),
    email: foldText(email),
    createdAt: now().toISOString(),
  };
  await users.put(tx, user);
  return { ...user, isNew: true };
}

/** Derives the first display name of a user from the address: `ada.lovelace@…` becomes Ada Lovelace. */
export function suggestDisplayName(email: string): string {
  const words = email
    .split("@")[0]!
    .split(/[._+-]+/)
    .filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  return (name || email).slice(0, 64);
}

/** Adds a newcomer to the organizations that have proven their domain, except those that require single sign-on. */
export async function joinOrganizationsByDomain(
  { kernel, options }: SignInContext,
  { id: user, email }: UserRecord,
): Promise<void> {
  if (options.allowSignUp !== "domains") return;
  const { store, jobs } = kernel;
  for (const organization of await listOrganizationsByDomain(await store.read(DIRECTORY), email)) {
    const place = getPartitionRef(organization);
    await store.write(getOrganizationPartition(organization), async (tx) => {
      const record = await organizations.get(tx, organization);
      if (!record || record.sso || (await members.get(tx, user))) return;
      const joinedAt = store.now().toISOString();
      await addMember(tx, { user, role: record.defaultRole, disabled: false, sso: false, joinedAt, lastSeenAt: null });
      recordAuditEvent(jobs, tx, place, {
        action: "memberProvisioned",
        actor: { type: "system" },
        credential: { type: "email" },
        things: [{ type: "user", id: user }],
      });
      enqueueJob(jobs, place, tx, syncMembership, { organization, user });
    });
  }
}

/** Returns the organizations that a user can only reach by single sign-on, each with the link that starts it. */
export async function listSingleSignOnLinks(
  { kernel }: SignInContext,
  directory: Reader,
  user: string,
): Promise<{ organization: string; link: string }[]> {
  const links: { organization: string; link: string }[] = [];
  const rows = await memberships.list(directory, "ofUser", { under: [user], limit: 50 });
  for (const { record } of rows) {
    const view = await kernel.store.read(getOrganizationPartition(record.organization));
    if (!(await findActiveMember(view, user))?.sso) continue;
    const organization = await organizations.get(view, record.organization);
    const providers = await samlProviders.list(view, "createdAt", { limit: MAX_SAML_PROVIDERS });
    const provider = providers.find((row) => getSamlProviderStatus(row.record) === "active")?.record;
    if (!organization || !provider) continue;
    const link = kernel.urls.api(`/orgs/${organization.id}/saml/${provider.id}/start`);
    links.push({ organization: organization.title, link });
  }
  return links;
}
