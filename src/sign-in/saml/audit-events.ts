// What the audit log of an organization hears of signing in by SAML.

import { recordAuditEvent } from "../../resources/people/audit/record-event";
import type { Transaction } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import type { SignInContext, SignInRequest } from "../context";
import type { SamlConnection } from "./connection";
import type { RefusalReason } from "./refusal";

/** Why somebody is not let in whose message is one of the provider's. */
export type SignInFailure =
  | RefusalReason
  | "other_browser"
  | "request_answered"
  | "no_email"
  | "unproven_address"
  | "switched_off";

/** Notes a failure. An attack is a commit for each try, so only some of many in a row are noted. */
export async function recordSignInFailure(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  why: SignInFailure,
  user?: string,
): Promise<void> {
  const { store } = context.kernel;
  if (!mayNote(connection.provider.id, store.now().getTime())) return;
  await store.write(connection.place.partition, async (tx) => {
    recordSamlEvent(context, request, tx, connection, { action: "signInFailed", why, user });
  });
}

const MAX_FAILURES_PER_MINUTE = 30;
const recentFailures = new Map<string, { since: number; count: number }>();

function mayNote(provider: string, now: number): boolean {
  const known = recentFailures.get(provider);
  if (!known || now - known.since > 60_000 || now < known.since) {
    if (recentFailures.size > 1000) recentFailures.clear();
    recentFailures.set(provider, { since: now, count: 1 });
    return true;
  }
  return ++known.count <= MAX_FAILURES_PER_MINUTE;
}

/** Puts what happened into the audit log of the organization. */
export function recordSamlEvent(
  { kernel }: SignInContext,
  { address, headers }: SignInRequest,
  tx: Transaction,
  { place, provider }: SamlConnection,
  { action, user, why }: { readonly action: string; readonly user?: string | undefined; readonly why?: SignInFailure },
): void {
  recordAuditEvent(kernel.jobs, tx, place, {
    action,
    actor: user === undefined ? { type: "visitor" } : { type: "user", id: user },
    credential: { type: "saml", id: provider.id },
    from: { address, userAgent: headers.get("user-agent") ?? undefined },
    status: action === "signInFailed" ? 403 : 200,
    things: [{ type: "saml-provider", id: provider.id }],
    ...omitUndefined({ changes: why === undefined ? undefined : [{ field: "reason", value: why }] }),
  });
}
