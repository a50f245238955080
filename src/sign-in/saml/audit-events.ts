// Records sign-ins and sign-outs by SAML in the audit log of the organization.

import { recordAuditEvent } from "../../resources/people/audit/record-event";
import type { Transaction } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import type { SignInContext, SignInRequest } from "../context";
import type { SamlConnection } from "./connection";
import type { RefusalReason } from "./refusal";

/** The reason why a sign-in failed, as the audit log records it. */
export type SignInFailure =
  | RefusalReason
  | "other_browser"
  | "request_answered"
  | "no_email"
  | "unproven_address"
  | "switched_off";

const MAX_FAILURES_PER_MINUTE = 30;
const MAX_COUNTED_PROVIDERS = 1000;
/** The failures of the last minute in this process, by provider. */
const recentFailures = new Map<string, { since: number; count: number }>();

/** Records a failed sign-in. Of many in a row only some are recorded, because each record is a commit, also in an attack. */
export async function recordSignInFailure(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  reason: SignInFailure,
  user?: string,
): Promise<void> {
  const { store } = context.kernel;
  const { id } = connection.provider;
  const now = store.now().getTime();
  const period = recentFailures.get(id);
  if (!period || now - period.since > 60_000 || now < period.since) {
    if (recentFailures.size > MAX_COUNTED_PROVIDERS) recentFailures.clear();
    recentFailures.set(id, { since: now, count: 1 });
  } else if (++period.count > MAX_FAILURES_PER_MINUTE) return;
  await store.write(connection.place.partition, async (tx) => {
    recordSamlEvent(context, request, tx, connection, { action: "signInFailed", reason, user });
  });
}

export function recordSamlEvent(
  { kernel }: SignInContext,
  { address, headers }: SignInRequest,
  tx: Transaction,
  { place, provider }: SamlConnection,
  {
    action,
    user,
    reason,
  }: { readonly action: string; readonly user?: string | undefined; readonly reason?: SignInFailure },
): void {
  recordAuditEvent(kernel.jobs, tx, place, {
    action,
    actor: user === undefined ? { type: "visitor" } : { type: "user", id: user },
    credential: { type: "saml", id: provider.id },
    from: { address, userAgent: headers.get("user-agent") ?? undefined },
    status: action === "signInFailed" ? 403 : 200,
    things: [{ type: "saml-provider", id: provider.id }],
    ...omitUndefined({ changes: reason === undefined ? undefined : [{ field: "reason", value: reason }] }),
  });
}
