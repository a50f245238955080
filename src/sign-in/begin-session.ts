// Begins a session for somebody who has proved who they are, and ends it.

import type { PlainRequest } from "../http/plain";
import { newSessionValue, type SessionRecord, sessions } from "../resources/people/sessions/records";
import { fingerprint } from "../secrets";
import { newId } from "../store/ids";
import type { Transaction } from "../store/transaction";
import type { House } from "./parts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Who came in, and how. */
export type Entering = Pick<SessionRecord, "user" | "by" | "vouched"> & {
  readonly passed?: readonly string[];
  /** The session ends then, if it does not end before. */
  readonly until?: Date | undefined;
};

/** Puts a session into a transaction of the directory. Gives the `Set-Cookie` for the answer, once the commit is stored. */
export async function beginSession(
  tx: Transaction,
  { kernel, cookie, options }: House,
  request: Pick<PlainRequest, "headers" | "address">,
  { user, by, passed = [], vouched, until }: Entering,
): Promise<{ readonly session: SessionRecord; readonly setCookie: string }> {
  const { idleDays = 14, maxDays = 90 } = options.sessions ?? {};
  const { random } = kernel.store;
  const now = kernel.store.now();
  const value = newSessionValue(random);
  const userAgent = request.headers.get("user-agent")?.slice(0, 200);
  const session: SessionRecord = {
    id: newId("session", "", random),
    hash: fingerprint(value),
    user,
    by,
    passed,
    ...(vouched ? { vouched } : {}),
    createdAt: now.toISOString(),
    seenAt: now.toISOString(),
    idleMs: idleDays * DAY_MS,
    endsAt: new Date(
      Math.min(now.getTime() + maxDays * DAY_MS, until?.getTime() ?? Number.POSITIVE_INFINITY),
    ).toISOString(),
    ...(request.address === undefined ? {} : { address: request.address }),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
  await sessions.put(tx, session);
  return { session, setCookie: cookie.set(value, maxDays * 24 * 60 * 60) };
}
