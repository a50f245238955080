// Who may come in by mail: people who are known, people who are invited, and newcomers where the host lets them in.

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
import { DIRECTORY, generateId, getOrganizationPartition, getOrganizationPlace } from "../../storage/ids";
import type { Reader, Transaction } from "../../storage/transaction";
import type { SignInContext } from "../context";

/** What opens the page of an invite. */
const INVITE = /^\/o\/([^/?#]+)\/invites\/([^/?#]+)$/;

/**
 * Whether an address may come in. An address that the host gave without proof may be anybody's: whoever made that user
 * could be somebody else than the owner of the address, so nobody comes in as them.
 */
export async function canSignIn(
  context: SignInContext,
  directory: Reader,
  email: string,
  to: string | null,
): Promise<boolean> {
  const known = await users.find(directory, "email", foldText(email));
  if (known) return isActiveUser(known) && known.emailUnverified !== true;
  const { newcomers = false } = context.options;
  if (newcomers === true) return true;
  if (newcomers === "domains" && (await listOrganizationsByDomain(directory, email)).length > 0) return true;
  return isInvited(context, email, to);
}

/** Whether the page that somebody comes from is an invite that is open to this address. */
async function isInvited({ kernel }: SignInContext, email: string, to: string | null): Promise<boolean> {
  const [, organizationId = "", inviteId = ""] = to?.match(INVITE) ?? [];
  const partition = findOrganizationPartition(organizationId);
  if (partition === undefined) return false;
  const { store, secrets } = kernel;
  const actor = { ...ANONYMOUS, user: { ...ANONYMOUS.user, email } };
  const tx = await store.read(partition);
  const found = await loadInvite({ tx, params: { organizationId, inviteId }, actor, now: store.now(), secrets });
  return found?.isOpen === true && found.isForMe;
}

/** The organizations that have proven the domain of an address. */
async function listOrganizationsByDomain(directory: Reader, email: string): Promise<string[]> {
  const domain = foldText(email).split("@").at(-1) ?? "";
  const lines = await domains.list(directory, "ofDomain", { under: [domain], limit: 100 });
  return lines.map(({ record }) => record.organization);
}

/** The user of an address that was let in: found, or made. */
export async function findOrCreateUser(
  tx: Transaction,
  { kernel }: SignInContext,
  email: string,
): Promise<UserRecord & { isNew: boolean }> {
  const known = await users.find(tx, "email", foldText(email));
  if (known) return { ...known, isNew: false };
  const { random, now } = kernel.store;
  const made: UserRecord = {
    id: generateId("user", "", random),
    displayName: suggestDisplayName(email),
    email: foldText(email),
    createdAt: now().toISOString(),
  };
  await users.put(tx, made);
  return { ...made, isNew: true };
}

/** A name that people can read, until the person has said theirs: `ada.lovelace@…` is Ada Lovelace. */
export function suggestDisplayName(email: string): string {
  const messages = email
    .split("@")[0]!
    .split(/[._+-]+/)
    .filter(Boolean);
  const name = messages.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  return (name || email).slice(0, 64);
}

/** Makes a newcomer a member of the organizations of their domain, unless those demand single sign-on. */
export async function joinOrganizationsByDomain(
  { kernel, options }: SignInContext,
  { id: user, email }: UserRecord,
): Promise<void> {
  if (options.newcomers !== "domains") return;
  const { store, jobs: work } = kernel;
  for (const organization of await listOrganizationsByDomain(await store.read(DIRECTORY), email)) {
    const place = getOrganizationPlace(organization);
    await store.write(getOrganizationPartition(organization), async (tx) => {
      const found = await organizations.get(tx, organization);
      if (!found || found.sso || (await members.get(tx, user))) return;
      const joinedAt = store.now().toISOString();
      await addMember(tx, { user, role: found.defaultRole, disabled: false, sso: false, joinedAt, lastSeenAt: null });
      recordAuditEvent(work, tx, place, {
        action: "memberProvisioned",
        actor: { type: "system" },
        credential: { type: "email" },
        things: [{ type: "user", id: user }],
      });
      enqueueJob(work, place, tx, syncMembership, { organization, user });
    });
  }
}

/** Organizations that a user gets into by single sign-on alone, with where that begins. */
export async function listSingleSignOnLinks(
  { kernel }: SignInContext,
  directory: Reader,
  user: string,
): Promise<{ organization: string; link: string }[]> {
  const found: { organization: string; link: string }[] = [];
  const rows = await memberships.list(directory, "ofUser", { under: [user], limit: 50 });
  for (const { record } of rows) {
    const view = await kernel.store.read(getOrganizationPartition(record.organization));
    if (!(await findActiveMember(view, user))?.sso) continue;
    const there = await organizations.get(view, record.organization);
    const providers = await samlProviders.list(view, "createdAt", { limit: MAX_SAML_PROVIDERS });
    const provider = providers.find((row) => getSamlProviderStatus(row.record) === "active")?.record;
    if (!there || !provider) continue;
    found.push({ organization: there.title, link: kernel.urls.api(`/orgs/${there.id}/saml/${provider.id}/start`) });
  }
  return found;
}
