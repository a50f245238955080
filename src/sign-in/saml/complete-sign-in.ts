// Completes a sign-in with an accepted assertion: checks that it is in the browser that started, finds the user, makes them a
// member of the organization, and begins the session.

import type { PlainResponse } from "../../http/plain-request";
import { enqueueJob } from "../../jobs/jobs";
import { foldText } from "../../operation/common-schemas";
import { addMember, members, syncMembership } from "../../resources/people/members/records";
import { samlLinks } from "../../resources/people/saml/links";
import { putChangedTeam, teamMembers, teams } from "../../resources/people/teams/records";
import { isActiveUser, users } from "../../resources/people/users/records";
import { DIRECTORY } from "../../storage/ids";
import { beginSession } from "../begin-session";
import type { SignInContext, SignInRequest } from "../context";
import { findBrowserSession } from "../find-session";
import { readFormFields } from "../pages/forms";
import { createRedirect } from "../pages/page";
import { recordSamlEvent, recordSignInFailure } from "./audit-events";
import { REQUEST_LIFETIME_MS } from "./authn-request";
import type { SamlConnection } from "./connection";
import { showConfirmPage, showProblemPage } from "./pages";
import { acceptOnce } from "./records";
import { getSubjectKey, resolveAssertedUser } from "./resolve-user";
import { type AcceptedAssertion, QUESTION_LIFETIME_MS, sealForBrowser, unsealFromBrowser } from "./sealed-state";
import { clearPendingCookie, findPendingRequest } from "./start-sign-in";

/** Handles the redirect with an accepted assertion, in the browser that started the sign-in. */
export async function completeSignIn(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const code = request.query.get("code");
  const accepted = await unsealFromBrowser<AcceptedAssertion>(context, connection, "accepted", code);
  if (!accepted) return showProblemPage(context, request, connection, "begin-again");
  const pendingRequest = await findPendingRequest(context, request, connection, accepted);
  if (!pendingRequest) {
    await recordSignInFailure(context, request, connection, "other_browser");
    return showProblemPage(context, request, connection, "begin-again");
  }
  return signInWithAssertion(context, request, connection, { accepted, to: pendingRequest.to });
}

/** An accepted assertion, and the path that the user wants to reach. */
interface AssertionSignIn {
  readonly accepted: AcceptedAssertion;
  readonly to: string;
  /** The id of the user who has allowed the provider to sign them in. */
  readonly confirmedBy?: string;
}

async function signInWithAssertion(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  { accepted, to, confirmedBy }: AssertionSignIn,
): Promise<PlainResponse> {
  const { jobs, store } = context.kernel;
  const { place, organization, provider } = connection;
  const messageKey = `${confirmedBy === undefined ? "request" : "question"} ${accepted.requestId}`;
  const now = store.now();
  const usableUntil = new Date(now.getTime() + REQUEST_LIFETIME_MS + QUESTION_LIFETIME_MS);
  const isFirstUse = await store.write(place.partition, (tx) => acceptOnce(tx, messageKey, usableUntil, now));
  if (!isFirstUse) {
    await recordSignInFailure(context, request, connection, "request_answered");
    return showProblemPage(context, request, connection, "begin-again");
  }

  const trustedProviders = context.options.saml?.trusted ?? [];
  const isTrusted = trustedProviders === "all" || trustedProviders.includes(provider.id);
  const resolution = await store.write(DIRECTORY, (tx) =>
    resolveAssertedUser(tx, store, organization, provider, accepted, { isTrusted, confirmedBy }),
  );
  if (!resolution.user) {
    if (resolution.missing === "proof") {
      // A user with this address who is signed in is asked to link their account; anybody else has to sign in another way first.
      const session = (await findBrowserSession(context, request))?.session;
      const owner = session && (await users.get(await store.read(DIRECTORY), session.user));
      if (!owner || foldText(owner.email) !== foldText(accepted.email ?? "")) {
        await recordSignInFailure(context, request, connection, "unproven_address");
        return showProblemPage(context, request, connection, "sign-in-first", to);
      }
      const until = store.now().getTime() + QUESTION_LIFETIME_MS;
      const question: LinkQuestion = { accepted, to, user: owner.id, until };
      const sealed = await sealForBrowser(context, connection, "question", question);
      return showConfirmPage(context, request, connection, sealed);
    }
    await recordSignInFailure(context, request, connection, "no_email");
    return showProblemPage(context, request, connection, "missing-email");
  }
  const { user, link } = resolution;
  // The first time, the user becomes a member, unless the organization has disabled them.
  const isMember =
    isActiveUser(user) &&
    (await store.write(place.partition, async (tx) => {
      const member = await members.get(tx, user.id);
      const joinedAt = store.now().toISOString();
      if (!member && !link.isIn) {
        const role = provider.defaultRole;
        await addMember(tx, { user: user.id, role, disabled: false, sso: true, joinedAt, lastSeenAt: null });
        const team = provider.defaultTeam === null ? undefined : await teams.get(tx, provider.defaultTeam);
        if (team) {
          const now = store.now();
          await putChangedTeam(tx, team, now);
          await teamMembers.put(tx, { team: team.id, user: user.id, role: "member", joinedAt: now.toISOString() });
        }
        enqueueJob(jobs, place, tx, syncMembership, { organization: organization.id, user: user.id });
        recordSamlEvent(context, request, tx, connection, { action: "memberProvisioned", user: user.id });
      }
      return !member?.disabled;
    }));
  if (!isMember) {
    await recordSignInFailure(context, request, connection, "switched_off", user.id);
    return showProblemPage(context, request, connection, "disabled");
  }

  // Providers that the same user has passed in this browser before still count.
  const previous = (await findBrowserSession(context, request))?.session;
  const passed = previous?.user === user.id ? previous.passed : [];
  const { sessionIndex = null, nameId: name, nameIdFormat: format, sessionUntil } = accepted;
  const { setCookie } = await store.write(DIRECTORY, async (tx) => {
    if (!link.isIn) await samlLinks.put(tx, { ...link, isIn: true });
    return beginSession(tx, context, request, {
      user: user.id,
      by: "saml",
      passed: [...new Set([...passed, provider.id])],
      vouched: { provider: provider.id, subject: getSubjectKey(accepted)!, sessionIndex, nameId: { name, format } },
      until: sessionUntil === null ? undefined : new Date(sessionUntil),
    });
  });
  return createRedirect(context, to, [setCookie, clearPendingCookie(context, accepted.requestId)]);
}

/** The question whether the provider may sign a user in from now on. */
interface LinkQuestion extends Required<Pick<AssertionSignIn, "accepted" | "to">> {
  readonly user: string;
  readonly until: number;
}

/** Handles the confirmation of a user that the provider may sign them in. The form is sent in their own session. */
export async function confirmLink(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const fields = await readFormFields(request);
  const question = await unsealFromBrowser<LinkQuestion>(context, connection, "question", fields.get("question"));
  const session = (await findBrowserSession(context, request))?.session;
  if (!question || session?.user !== question.user) return showProblemPage(context, request, connection, "begin-again");
  return signInWithAssertion(context, request, connection, { ...question, confirmedBy: question.user });
}
