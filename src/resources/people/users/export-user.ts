// Exports everything that is stored about a user, as lines of JSON. The records are read while the export is sent, so it can be
// long.

import { readEvents } from "../../../audit/read";
import type { Actor } from "../../../operation/actor";
import { iterateRows, type ReadRows } from "../../../operation/pagination";
import type { Urls } from "../../../ports/urls";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import type { VersionedCache } from "../../../utils/versioned-cache";
import { presentAuditEvent } from "../audit/read-log";
import { members, memberships } from "../members/records";
import { scimUsers } from "../members/scim-names";
import { samlLinks } from "../saml/links";
import { sessions } from "../sessions/records";
import { type TeamMemberRecord, teamMembers } from "../teams/records";
import { tokens } from "../tokens/records";
import { listContributions } from "./contributions";
import { hostLinks } from "./host-users";
import { openIdLinks } from "./openid-links";
import { presentUser, users } from "./records";

interface ExportContext {
  readonly tx: Reader;
  readonly actor: Actor;
  readonly urls: Urls;
  readonly peek: (partition: string) => Promise<Reader>;
  readonly ports: { readonly cache: VersionedCache };
}

/** Generates everything that is stored about the caller. */
export async function* generateExport({ tx, actor, urls, peek, ports }: ExportContext): AsyncGenerator<object> {
  const { id } = actor.user;
  const account = await users.get(tx, id);
  if (account) yield { ...presentUser(account, urls), createdAt: account.createdAt };

  for await (const { record } of iterateRows((slice) => hostLinks.list(tx, "ofUser", { under: [id], ...slice })))
    yield { object: "host-id", id: record.host, createdAt: record.linkedAt };
  for await (const { record } of iterateRows((slice) => openIdLinks.list(tx, "ofUser", { under: [id], ...slice })))
    yield { object: "openid-link", issuer: record.issuer, id: record.sub, createdAt: record.linkedAt };
  for await (const { record } of iterateRows((slice) => tokens.list(tx, "ofUser", { under: [id], ...slice }))) {
    const { hash: _, user: __, tool: ___, ...token } = record;
    yield { object: "token", ...token };
  }
  for await (const { record } of iterateRows((slice) => samlLinks.list(tx, "ofUser", { under: [id], ...slice })))
    yield { object: "saml-link", provider: record.provider, createdAt: record.linkedAt };
  for await (const { record } of iterateRows((slice) => sessions.list(tx, "ofUser", { under: [id], ...slice }))) {
    const { hash: _, user: __, vouched: ___, ...session } = record;
    yield { object: "session", ...session };
  }

  const auditOptions = { reverse: false, cache: ports.cache };
  for await (const { event } of readEvents(tx, DIRECTORY, { actor: id }, auditOptions)) yield presentAuditEvent(event);
  for await (const { record } of iterateRows((slice) => memberships.list(tx, "ofUser", { under: [id], ...slice }))) {
    const { organization } = record;
    const partition = getOrganizationPartition(organization);
    const organizationTx = await peek(partition);
    const member = await members.get(organizationTx, id);
    if (!member) continue;
    const { user: _, ...membership } = member;
    yield { object: "member", organization, ...membership };
    const scimUser = await scimUsers.get(organizationTx, id);
    if (scimUser) yield { object: "directory-name", organization, ...scimUser };
    const listTeams: ReadRows<TeamMemberRecord> = (slice) =>
      teamMembers.list(organizationTx, "ofUser", { under: [id], ...slice });
    for await (const { record: teamMember } of iterateRows(listTeams)) {
      const { team, role, joinedAt } = teamMember;
      yield { object: "team-member", organization, team, role, joinedAt };
    }
    for await (const contribution of listContributions.implementation(organizationTx, id))
      yield { ...contribution, organization };
    for await (const { event } of readEvents(organizationTx, partition, { actor: id }, auditOptions))
      yield presentAuditEvent(event);
  }
}
