// Begins a session for a user who has authenticated, and ends it.

import { createError } from "../errors";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { recordUserAuditEvent } from "../resources/people/audit/record-event";
import { MAX_SESSIONS, type SessionRecord, sessions } from "../resources/people/sessions/records";
import { isActiveUser, users } from "../resources/people/users/records";
import { DIRECTORY, generateId, generateRandomText } from "../storage/ids";
import type { Transaction } from "../storage/transaction";
import { omitUndefined } from "../utils/objects";
import { sha256Hex } from "../utils/sha256";
import type { SignInContext, SignInRequest } from "./context";
import { toLocalPath } from "./pages/forms";
import { createRedirect } from "./pages/page";

const DAY_SECONDS = 24 * 60 * 60;
const DAY_MS = DAY_SECONDS * 1000;

export type SessionDetails = Pick<SessionRecord, "user" | "by" | "vouched"> & {
  readonly passed?: readonly string[];
  /** The latest end of the session. */
  readonly until?: Date | undefined;
};

/**
 * Puts a session into a transaction of the directory, and returns the `Set-Cookie` to send once the commit is stored. The
 * value of the session is always new, and the session that the browser had before ends.
 */
export async function beginSession(
  tx: Transaction,
  { kernel, cookie, options }: Pick<SignInContext, "kernel" | "cookie" | "options">,
  request: Pick<PlainRequest, "method" | "headers" | "address">,
  { user, by, passed = [], vouched, until }: SessionDetails,
): Promise<{ readonly session: SessionRecord; readonly setCookie: string }> {
  const { idleDays = 14, maxDays = 90 } = options.sessions ?? {};
  const { random } = kernel.store;
  const now = kernel.store.now();
  const userRecord = await users.get(tx, user);
  if (userRecord?.disabledAt !== undefined) throw createError("user_disabled");
  if (!isActiveUser(userRecord)) throw createError("user_not_found");

  const previousValue = cookie.getValue(request);
  if (previousValue !== undefined) await sessions.delete(tx, sha256Hex(previousValue));
  // A user at the limit loses their oldest session.
  if ((await sessions.total(tx, "ofUser", user)) >= MAX_SESSIONS) {
    const [oldest] = await sessions.list(tx, "ofUser", { under: [user], limit: 1 });
    if (oldest) await sessions.delete(tx, oldest.record.hash);
  }

  const value = generateRandomText(random, 32);
  const userAgent = request.headers.get("user-agent")?.slice(0, 200);
  const session: SessionRecord = {
    id: generateId("session", "", random),
    hash: sha256Hex(value),
    user,
    by,
    passed,
    ...omitUndefined({ vouched }),
    createdAt: now.toISOString(),
    seenAt: now.toISOString(),
    idleMs: idleDays * DAY_MS,
    endsAt: new Date(
      Math.min(now.getTime() + maxDays * DAY_MS, until?.getTime() ?? Number.POSITIVE_INFINITY),
    ).toISOString(),
    ...omitUndefined({ address: request.address, userAgent }),
  };
  await sessions.put(tx, session);
  recordUserAuditEvent(kernel.jobs, tx, user, {
    action: "signIn",
    actor: { type: "user", id: user },
    credential: { type: by },
    from: { address: request.address, userAgent },
    made: [{ type: "session", id: session.id }],
  });
  return { session, setCookie: cookie.createHeader(value, maxDays * DAY_SECONDS) };
}

/** Ends the session of a browser. Returns the `Set-Cookie` that removes it there. */
export async function endSession({ kernel, cookie }: SignInContext, request: SignInRequest): Promise<string> {
  const value = cookie.getValue(request);
  const hash = value === undefined ? undefined : sha256Hex(value);
  if (hash !== undefined && (await sessions.get(await kernel.store.read(DIRECTORY), hash)))
    await kernel.store.write(DIRECTORY, async (tx) => {
      const session = await sessions.get(tx, hash);
      if (!session) return;
      await sessions.delete(tx, hash);
      recordUserAuditEvent(kernel.jobs, tx, session.user, {
        action: "signOut",
        actor: { type: "user", id: session.user },
        credential: { type: "session", id: session.id },
        from: { address: request.address, userAgent: request.headers.get("user-agent") ?? undefined },
      });
    });
  return cookie.clearHeader;
}

/** Redirects a user who has just signed in to the path that they wanted to reach, or to the home page. */
export function redirectAfterSignIn(
  context: SignInContext,
  setCookie: string,
  to: string | null | undefined,
  moreCookies: readonly string[] = [],
): PlainResponse {
  const { origin, options } = context;
  const destination = toLocalPath(origin, to) ?? toLocalPath(origin, options.home);
  return createRedirect(context, destination ?? context.getUrl("/sign-in"), [setCookie, ...moreCookies]);
}
