// What is stored about a user, as lines of JSON. It is read while it is sent, so it can be long.

import { readEvents } from "../../../audit/read";
import type { Actor } from "../../../operation/actor";
import { iterateRows } from "../../../operation/pagination";
import type { Urls } from "../../../ports/urls";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import type { StampedCache } from "../../../utils/stamped-cache";
import { streamJsonLines } from "../../../utils/streams";
import { eventView } from "../audit/reading";
import { members } from "../members/records";
import { scimUsers } from "../members/scim-names";
import { samlLinks } from "../saml/links";
import { sessions } from "../sessions/records";
import { teamMembers } from "../teams/records";
import { tokens } from "../tokens/records";
import { links } from "./host-users";
import { openIdLinks } from "./openid-links";
import { users, userView } from "./records";
import { walkMemberships } from "./spread";
import { writtenBy } from "./written";

interface Context {
  readonly tx: Reader;
  readonly actor: Actor;
  readonly urls: Urls;
  readonly peek: (partition: string) => Promise<Reader>;
  readonly ports: { readonly cache: StampedCache };
}

/** The lines, as bytes. */
export function userLines(context: Context): ReadableStream<Uint8Array> {
  return streamJsonLines(everything(context), yieldToEventLoop);
}

async function* everything(context: Context): AsyncGenerator<object> {
  const { tx, actor, urls, peek, ports } = context;
  const { id } = actor.user;
  const account = await users.get(tx, id);
  if (account) yield { ...userView(account, urls), createdAt: account.createdAt };
  for await (const { record } of iterateRows((slice) => links.list(tx, "ofUser", { under: [id], ...slice })))
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
  yield* eventsOf(tx, DIRECTORY, id, ports.cache);
  for await (const { record } of iterateRows(walkMemberships(tx, id))) {
    const { organization } = record;
    yield* inOrganization(await peek(getOrganizationPartition(organization)), organization, id, ports.cache);
  }
}

async function* inOrganization(
  view: Reader,
  organization: string,
  id: string,
  memory: StampedCache,
): AsyncGenerator<object> {
  const member = await members.get(view, id);
  if (!member) return;
  const { user: _, ...rest } = member;
  yield { object: "member", organization, ...rest };
  const named = await scimUsers.get(view, id);
  if (named) yield { object: "directory-name", organization, ...named };
  for await (const { record } of iterateRows((slice) => teamMembers.list(view, "ofUser", { under: [id], ...slice })))
    yield { object: "team-member", organization, team: record.team, role: record.role, joinedAt: record.joinedAt };
  for await (const written of writtenBy.implementation(view, id)) yield { ...written, organization };
  yield* eventsOf(view, getOrganizationPartition(organization), id, memory);
}

/** What a user did. */
async function* eventsOf(view: Reader, partition: string, id: string, memory: StampedCache): AsyncGenerator<object> {
  for await (const { event } of readEvents(view, partition, { actor: id }, { reverse: false, memory }))
    yield eventView(event);
}
