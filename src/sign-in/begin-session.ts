// Begins a session for somebody who has proved who they are, and ends it.

import type { PlainRequest } from "../http/plain";
import { newSessionValue, type SessionRecord, sessions } from "../resources/people/sessions/records";
import { fingerprint } from "../secrets";
import { newId } from "../store/ids";
import type { Transaction } from "../store/transaction";
import type { House } from "./parts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Who came in, and how. */
export type Entering = Pick<SessionRecord, "user" | "by"> & { readonly passed?: readonly string[] };

/** Puts a session into a transaction of the directory. Gives the `Set-Cookie` for the answer, once the commit is stored. */
export async function beginSession(
  tx: Transaction,
  { kernel, cookie, options }: House,
  request: Pick<PlainRequest, "headers" | "address">,
  { user, by, passed = [] }: Entering,
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
    createdAt: now.toISOString(),
    seenAt: now.toISOString(),
    idleMs: idleDays * DAY_MS,
    endsAt: new Date(now.getTime() + maxDays * DAY_MS).toISOString(),
    ...(request.address === undefined ? {} : { address: request.address }),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
  await sessions.put(tx, session);
  return { session, setCookie: cookie.set(value, maxDays * 24 * 60 * 60) };
}
