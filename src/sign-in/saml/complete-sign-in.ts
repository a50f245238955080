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
import type { SignInContext, SignInRequest } from "../context";
import { readFormFields } from "../pages/forms";
import { createRedirect } from "../pages/page";
import { recordSamlEvent, recordSignInFailure } from "./audit-events";
import { REQUEST_LIFETIME_MS } from "./authn-request";
import type { SamlConnection } from "./connection";
import {
  showBeginAgainPage,
  showConfirmPage,
  showDisabledPage,
  showMissingEmailPage,
  showSignInFirstPage,
} from "./pages";
import { acceptOnce } from "./records";
import { getSubjectKey, resolveAssertedUser } from "./resolve-user";
import { type AcceptedAssertion, QUESTION_LIFETIME_MS, sealForBrowser, unsealFromBrowser } from "./sealed-state";
import { clearPendingCookie, findPendingRequest } from "./start-sign-in";

/** Lets somebody in whose answer was accepted, if this is the browser in which they began. */
export async function completeSignIn(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const accepted = await unsealFromBrowser<AcceptedAssertion>(
    context,
    connection,
    "accepted",
    request.query.get("code"),
  );
  if (!accepted) return showBeginAgainPage(context, request, connection);
  const begun = await findPendingRequest(context, request, connection, accepted);
  if (!begun) {
    await recordSignInFailure(context, request, connection, "other_browser");
    return showBeginAgainPage(context, request, connection);
  }
  return signInWithAssertion(context, request, connection, { accepted, to: begun.to });
}

/** Somebody who was vouched for, and where they want to get to. */
interface AssertionSignIn {
  readonly accepted: AcceptedAssertion;
  readonly to: string;
  /** The user who has agreed that the provider may sign them in. */
  readonly confirmedBy?: string;
}

async function signInWithAssertion(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  entry: AssertionSignIn,
): Promise<PlainResponse> {
  const { kernel } = context;
  const { accepted, confirmedBy } = entry;
  const what = `${confirmedBy === undefined ? "request" : "question"} ${accepted.requestId}`;
  const now = kernel.store.now();
  const until = new Date(now.getTime() + REQUEST_LIFETIME_MS + QUESTION_LIFETIME_MS);
  const isFirst = await kernel.store.write(connection.place.partition, (tx) => acceptOnce(tx, what, until, now));
  if (!isFirst) {
    await recordSignInFailure(context, request, connection, "request_answered");
    return showBeginAgainPage(context, request, connection);
  }
  const admission = await kernel.store.write(DIRECTORY, (tx) =>
    resolveAssertedUser(tx, kernel.store, connection.organization, connection.provider, accepted, {
      isTrusted: isTrusted(context, connection),
      confirmedBy,
    }),
  );
  if (!admission.user) return askForProof(context, request, connection, entry, admission.missing);
  const { user, link } = admission;
  if (!isActiveUser(user) || !(await joinOrganization(context, request, connection, user, link))) {
    await recordSignInFailure(context, request, connection, "switched_off", user.id);
    return showDisabledPage(context, request);
  }
  const setCookie = await beginSamlSession(context, request, connection, user, link, accepted);
  return createRedirect(context, entry.to, [setCookie, clearPendingCookie(context, accepted.requestId)]);
}

/** Whether the host believes the provider about every address. */
function isTrusted({ options }: SignInContext, { provider }: SamlConnection): boolean {
  const trusted = options.saml?.trusted ?? [];
  return trusted === "all" || trusted.includes(provider.id);
}

/** Asks somebody who has shown another way that the address is theirs, or says what is missing. */
async function askForProof(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  { accepted, to }: AssertionSignIn,
  misses: "email" | "proof",
): Promise<PlainResponse> {
  if (misses === "email") {
    await recordSignInFailure(context, request, connection, "no_email");
    return showMissingEmailPage(context, request, connection);
  }
  const { store } = context.kernel;
  const current = await currentSession(context, request);
  const person = current && (await users.get(await store.read(DIRECTORY), current.user));
  if (!person || foldText(person.email) !== foldText(accepted.email ?? "")) {
    await recordSignInFailure(context, request, connection, "unproven_address");
    return showSignInFirstPage(context, request, connection, to);
  }
  const question: LinkQuestion = { accepted, to, user: person.id, until: store.now().getTime() + QUESTION_LIFETIME_MS };
  return showConfirmPage(context, request, connection, await sealForBrowser(context, connection, "question", question));
}

interface LinkQuestion extends Required<Pick<AssertionSignIn, "accepted" | "to">> {
  readonly user: string;
  readonly until: number;
}

/** Somebody has agreed that the provider may sign them in. The form comes from a page of ours, in their own session. */
export async function confirmLink(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const fields = await readFormFields(request);
  const question = await unsealFromBrowser<LinkQuestion>(context, connection, "question", fields.get("question"));
  const current = await currentSession(context, request);
  if (!question || current?.user !== question.user) return showBeginAgainPage(context, request, connection);
  return signInWithAssertion(context, request, connection, { ...question, confirmedBy: question.user });
}

/** The session that the browser has now. */
export async function currentSession({ kernel, cookie }: SignInContext, request: SignInRequest) {
  const value = cookie.getValue(request);
  const directory = await kernel.store.read(DIRECTORY);
  return value === undefined ? undefined : (await findOpenSession(directory, value, kernel.store.now()))?.session;
}

/** Makes the user a member the first time. False: the organization has switched them off. */
async function joinOrganization(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  user: UserRecord,
  link: SamlLink,
): Promise<boolean> {
  const { jobs: work, store } = context.kernel;
  const { place, organization, provider } = connection;
  return store.write(place.partition, async (tx) => {
    const known = await members.get(tx, user.id);
    const joinedAt = store.now().toISOString();
    if (!known && !link.isIn) {
      const role = provider.defaultRole;
      await addMember(tx, { user: user.id, role, disabled: false, sso: true, joinedAt, lastSeenAt: null });
      await joinTeam(tx, provider, user.id, store.now());
      enqueueJob(work, place, tx, syncMembership, { organization: organization.id, user: user.id });
      recordSamlEvent(context, request, tx, connection, { action: "memberProvisioned", user: user.id });
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
async function beginSamlSession(
  context: SignInContext,
  request: SignInRequest,
  { provider }: SamlConnection,
  user: UserRecord,
  link: SamlLink,
  accepted: AcceptedAssertion,
): Promise<string> {
  const before = await currentSession(context, request);
  const passed = before?.user === user.id ? before.passed : [];
  const { sessionIndex = null, nameId: name, nameIdFormat: format, sessionUntil } = accepted;
  return context.kernel.store.write(DIRECTORY, async (tx) => {
    if (!link.isIn) await samlLinks.put(tx, { ...link, isIn: true });
    const { setCookie } = await beginSession(tx, context, request, {
      user: user.id,
      by: "saml",
      passed: [...new Set([...passed, provider.id])],
      vouched: { provider: provider.id, subject: getSubjectKey(accepted)!, sessionIndex, nameId: { name, format } },
      until: sessionUntil === null ? undefined : new Date(sessionUntil),
    });
    return setCookie;
  });
}
