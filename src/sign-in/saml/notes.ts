// What the audit log of an organization hears of signing in by SAML.

import { recordAuditEvent } from "../../resources/people/audit/record-event";
import type { Transaction } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import type { SignInContext, SignInRequest } from "../parts";
import type { Found } from "./found";
import type { Refusal } from "./refused";

/** Why somebody is not let in whose message is one of the provider's. */
export type Failure = Refusal | "other_browser" | "request_answered" | "no_email" | "unproven_address" | "switched_off";

/** Notes a failure. An attack is a commit for each try, so only some of many in a row are noted. */
export async function noteFailure(
  house: SignInContext,
  request: SignInRequest,
  found: Found,
  why: Failure,
  user?: string,
): Promise<void> {
  const { store } = house.kernel;
  if (!mayNote(found.provider.id, store.now().getTime())) return;
  await store.write(found.place.partition, async (tx) => {
    note(house, request, tx, found, { action: "signInFailed", why, user });
  });
}

const NOTED_A_MINUTE = 30;
const noted = new Map<string, { since: number; count: number }>();

function mayNote(provider: string, now: number): boolean {
  const known = noted.get(provider);
  if (!known || now - known.since > 60_000 || now < known.since) {
    if (noted.size > 1000) noted.clear();
    noted.set(provider, { since: now, count: 1 });
    return true;
  }
  return ++known.count <= NOTED_A_MINUTE;
}

/** Puts what happened into the audit log of the organization. */
export function note(
  { kernel }: SignInContext,
  { address, headers }: SignInRequest,
  tx: Transaction,
  { place, provider }: Found,
  { action, user, why }: { readonly action: string; readonly user?: string | undefined; readonly why?: Failure },
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
