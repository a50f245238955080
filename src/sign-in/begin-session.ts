// Begins a session for somebody who has proved who they are, and ends it.

import { createError } from "../errors";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { recordUserAuditEvent } from "../resources/people/audit/record-event";
import { generateSessionValue, MAX_SESSIONS, type SessionRecord, sessions } from "../resources/people/sessions/records";
import { isActiveUser, users } from "../resources/people/users/records";
import { DIRECTORY, generateId } from "../storage/ids";
import { hashFingerprint } from "../storage/secrets";
import type { Transaction } from "../storage/transaction";
import { omitUndefined } from "../utils/objects";
import { pathWithin } from "./pages/forms";
import { seeOther } from "./pages/page";
import type { SignInContext, SignInRequest } from "./parts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Who came in, and how. */
export type Entering = Pick<SessionRecord, "user" | "by" | "vouched"> & {
  readonly passed?: readonly string[];
  /** The session ends then, if it does not end before. */
  readonly until?: Date | undefined;
};

/** What a session is begun from. */
type Entrance = Pick<PlainRequest, "method" | "headers" | "address">;

/**
 * Puts a session into a transaction of the directory. Its value is always a new one, and the session that the browser had
 * before ends. Gives the `Set-Cookie` for the answer, once the commit is stored.
 */
export async function beginSession(
  tx: Transaction,
  { kernel, cookie, options }: Pick<SignInContext, "kernel" | "cookie" | "options">,
  request: Entrance,
  { user, by, passed = [], vouched, until }: Entering,
): Promise<{ readonly session: SessionRecord; readonly setCookie: string }> {
  const { idleDays = 14, maxDays = 90 } = options.sessions ?? {};
  const { random } = kernel.store;
  const now = kernel.store.now();
  const known = await users.get(tx, user);
  if (known?.disabledAt !== undefined) throw createError("user_disabled");
  if (!isActiveUser(known)) throw createError("user_not_found");
  await endHeld(tx, cookie.getValue(request));
  await makeRoom(tx, user);
  const value = generateSessionValue(random);
  const userAgent = request.headers.get("user-agent")?.slice(0, 200);
  const session: SessionRecord = {
    id: generateId("session", "", random),
    hash: hashFingerprint(value),
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
  return { session, setCookie: cookie.createHeader(value, maxDays * 24 * 60 * 60) };
}

async function endHeld(tx: Transaction, value: string | undefined): Promise<void> {
  if (value !== undefined) await sessions.delete(tx, hashFingerprint(value));
}

/** Ends the oldest session of somebody who has very many. */
async function makeRoom(tx: Transaction, user: string): Promise<void> {
  if ((await sessions.total(tx, "ofUser", user)) < MAX_SESSIONS) return;
  const [oldest] = await sessions.list(tx, "ofUser", { under: [user], limit: 1 });
  if (oldest) await sessions.delete(tx, oldest.record.hash);
}

/** Ends the session that a request names. Gives the `Set-Cookie` that takes it away from the browser. */
export async function endSession({ kernel, cookie }: SignInContext, request: SignInRequest): Promise<string> {
  const value = cookie.getValue(request);
  const hash = value === undefined ? undefined : hashFingerprint(value);
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

/** The answer to somebody who has just come in: to where they wanted to go, else home. */
export function enter(
  house: SignInContext,
  setCookie: string,
  to: string | null | undefined,
  more: readonly string[] = [],
): PlainResponse {
  const { origin, options } = house;
  const wanted = pathWithin(origin, to) ?? pathWithin(origin, options.home);
  return seeOther(house, wanted ?? house.urlOf("/sign-in"), [setCookie, ...more]);
}
