// Lets somebody in whom a provider vouched for: in the browser in which they began, as the user that is meant, as a member of
// the organization, with a session.

import type { PlainResponse } from "../../http/plain-request";
import { enqueueJob } from "../../jobs/jobs";
import { foldText } from "../../operation/common-schemas";
import { addMember, members, syncMembership } from "../../resources/people/members/records";
import { type SamlLink, samlLinks } from "../../resources/people/saml/links";
import type { SamlProviderRecord } from "../../resources/people/saml/records";
import { findOpenSession } from "../../resources/people/sessions/records";
import { putChangedTeam, teamMembers, teams } from "../../resources/people/teams/records";
import { isActiveUser, type UserRecord, users } from "../../resources/people/users/records";
import { DIRECTORY } from "../../storage/ids";
import type { Transaction } from "../../storage/transaction";
import { beginSession } from "../begin-session";
import { fieldsOf } from "../pages/forms";
import { seeOther } from "../pages/page";
import type { SignInContext, SignInRequest } from "../parts";
import { type Accepted, seal, THINKING_MS, unseal } from "./accepted";
import { admit, subjectOf } from "./admission";
import { begunIn, forgotten } from "./begin";
import type { Found } from "./found";
import { note, noteFailure } from "./notes";
import { beginAgainPage, confirmPage, missingEmailPage, signInFirstPage, switchedOffPage } from "./pages";
import { spend } from "./records";
import { PATIENCE_MS } from "./request";

/** Lets somebody in whose answer was accepted, if this is the browser in which they began. */
export async function finish(house: SignInContext, request: SignInRequest, found: Found): Promise<PlainResponse> {
  const accepted = await unseal<Accepted>(house, found, "accepted", request.query.get("code"));
  if (!accepted) return beginAgainPage(house, request, found);
  const begun = await begunIn(house, request, found, accepted);
  if (!begun) {
    await noteFailure(house, request, found, "other_browser");
    return beginAgainPage(house, request, found);
  }
  return enter(house, request, found, { accepted, to: begun.to });
}

/** Somebody who was vouched for, and where they want to get to. */
interface Entry {
  readonly accepted: Accepted;
  readonly to: string;
  /** The user who has agreed that the provider may sign them in. */
  readonly confirmedBy?: string;
}

async function enter(house: SignInContext, request: SignInRequest, found: Found, entry: Entry): Promise<PlainResponse> {
  const { kernel } = house;
  const { accepted, confirmedBy } = entry;
  const what = `${confirmedBy === undefined ? "request" : "question"} ${accepted.requestId}`;
  const now = kernel.store.now();
  const until = new Date(now.getTime() + PATIENCE_MS + THINKING_MS);
  const isFirst = await kernel.store.write(found.place.partition, (tx) => spend(tx, what, until, now));
  if (!isFirst) {
    await noteFailure(house, request, found, "request_answered");
    return beginAgainPage(house, request, found);
  }
  const admission = await kernel.store.write(DIRECTORY, (tx) =>
    admit(tx, kernel.store, found.organization, found.provider, accepted, {
      isTrusted: isTrusted(house, found),
      confirmedBy,
    }),
  );
  if (!admission.user) return notYet(house, request, found, entry, admission.misses);
  const { user, link } = admission;
  if (!isActiveUser(user) || !(await join(house, request, found, user, link))) {
    await noteFailure(house, request, found, "switched_off", user.id);
    return switchedOffPage(house, request);
  }
  const setCookie = await begin(house, request, found, user, link, accepted);
  return seeOther(house, entry.to, [setCookie, forgotten(house, accepted.requestId)]);
}

/** Whether the host believes the provider about every address. */
function isTrusted({ options }: SignInContext, { provider }: Found): boolean {
  const trusted = options.saml?.trusted ?? [];
  return trusted === "all" || trusted.includes(provider.id);
}

/** Asks somebody who has shown another way that the address is theirs, or says what is missing. */
async function notYet(
  house: SignInContext,
  request: SignInRequest,
  found: Found,
  { accepted, to }: Entry,
  misses: "email" | "proof",
): Promise<PlainResponse> {
  if (misses === "email") {
    await noteFailure(house, request, found, "no_email");
    return missingEmailPage(house, request, found);
  }
  const { store } = house.kernel;
  const current = await currentSession(house, request);
  const person = current && (await users.get(await store.read(DIRECTORY), current.user));
  if (!person || foldText(person.email) !== foldText(accepted.email ?? "")) {
    await noteFailure(house, request, found, "unproven_address");
    return signInFirstPage(house, request, found, to);
  }
  const question: Question = { accepted, to, user: person.id, until: store.now().getTime() + THINKING_MS };
  return confirmPage(house, request, found, await seal(house, found, "question", question));
}

interface Question extends Required<Pick<Entry, "accepted" | "to">> {
  readonly user: string;
  readonly until: number;
}

/** Somebody has agreed that the provider may sign them in. The form comes from a page of ours, in their own session. */
export async function confirm(house: SignInContext, request: SignInRequest, found: Found): Promise<PlainResponse> {
  const fields = await fieldsOf(request);
  const question = await unseal<Question>(house, found, "question", fields.get("question"));
  const current = await currentSession(house, request);
  if (!question || current?.user !== question.user) return beginAgainPage(house, request, found);
  return enter(house, request, found, { ...question, confirmedBy: question.user });
}

/** The session that the browser has now. */
export async function currentSession({ kernel, cookie }: SignInContext, request: SignInRequest) {
  const value = cookie.getValue(request);
  const directory = await kernel.store.read(DIRECTORY);
  return value === undefined ? undefined : (await findOpenSession(directory, value, kernel.store.now()))?.session;
}

/** Makes the user a member the first time. False: the organization has switched them off. */
async function join(
  house: SignInContext,
  request: SignInRequest,
  found: Found,
  user: UserRecord,
  link: SamlLink,
): Promise<boolean> {
  const { jobs: work, store } = house.kernel;
  const { place, organization, provider } = found;
  return store.write(place.partition, async (tx) => {
    const known = await members.get(tx, user.id);
    const joinedAt = store.now().toISOString();
    if (!known && !link.isIn) {
      const role = provider.defaultRole;
      await addMember(tx, { user: user.id, role, disabled: false, sso: true, joinedAt, lastSeenAt: null });
      await joinTeam(tx, provider, user.id, store.now());
      enqueueJob(work, place, tx, syncMembership, { organization: organization.id, user: user.id });
      note(house, request, tx, found, { action: "memberProvisioned", user: user.id });
    }
    return !known?.disabled;
  });
}

async function joinTeam(tx: Transaction, { defaultTeam }: SamlProviderRecord, user: string, now: Date) {
  const team = defaultTeam === null ? undefined : await teams.get(tx, defaultTeam);
  if (!team) return;
  await putChangedTeam(tx, team, now);
  await teamMembers.put(tx, { team: team.id, user, role: "member", joinedAt: now.toISOString() });
}

/** Begins the session. What the same person has passed in this browser before still counts. */
async function begin(
  house: SignInContext,
  request: SignInRequest,
  { provider }: Found,
  user: UserRecord,
  link: SamlLink,
  accepted: Accepted,
): Promise<string> {
  const before = await currentSession(house, request);
  const passed = before?.user === user.id ? before.passed : [];
  const { sessionIndex = null, nameId: name, nameIdFormat: format, sessionUntil } = accepted;
  return house.kernel.store.write(DIRECTORY, async (tx) => {
    if (!link.isIn) await samlLinks.put(tx, { ...link, isIn: true });
    const { setCookie } = await beginSession(tx, house, request, {
      user: user.id,
      by: "saml",
      passed: [...new Set([...passed, provider.id])],
      vouched: { provider: provider.id, subject: subjectOf(accepted)!, sessionIndex, nameId: { name, format } },
      until: sessionUntil === null ? undefined : new Date(sessionUntil),
    });
    return setCookie;
  });
}
