// What an installation may do: the scopes that an admin of its organization agreed to, as far as its integration still asks
// for them. A new version that asks for more is given nothing by itself. Everything that wants to know what an installation
// may do asks here; what an integration asks for is in its `scopes`, and opens nothing.

import { invalid } from "../../../errors";
import type { IntegrationScope } from "../definitions/schema";
import type { InstallationRecord, IntegrationRecord } from "../records";

type Asking = Pick<IntegrationRecord, "scopes" | "scopesSince" | "version">;
type Agreed = Pick<InstallationRecord, "agreed">;

/** What an installation may do. */
export function heldScopes({ agreed }: Agreed, { scopes, scopesSince }: Asking): IntegrationScope[] {
  // Installed before agreements were written down: agreed to what was asked for when the first was.
  const version = agreed?.version ?? 0;
  return scopes.filter(
    (scope) => (scopesSince?.[scope] ?? 0) <= version && (agreed === undefined || agreed.scopes.includes(scope)),
  );
}

/** What its integration asks for beyond that. */
export function pendingScopes(installation: Agreed, integration: Asking): IntegrationScope[] {
  const held = heldScopes(installation, integration);
  return integration.scopes.filter((scope) => !held.includes(scope));
}

/** The agreement to scopes that a body names; without any, to all that the integration asks for now. Those that it does not
 * ask for are refused: nobody agrees to what they cannot have read. */
export function agreementTo(
  { scopes, version }: Asking,
  given: readonly IntegrationScope[] | undefined,
): NonNullable<InstallationRecord["agreed"]> {
  const unasked = given?.findIndex((scope) => !scopes.includes(scope)) ?? -1;
  if (unasked >= 0) throw invalid(`body.scopes.${unasked}`, "The integration does not ask for this scope");
  return { version, scopes: [...new Set(given ?? scopes)] };
}

/** Since which version each scope has been asked for without a break, when another version is published. What was asked for
 * before that was written down stays without a number: everybody who has installed the integration agreed to it. */
export function scopesSinceAfter(before: Asking, after: Pick<Asking, "scopes" | "version">): Asking["scopesSince"] {
  const isNew = (scope: IntegrationScope) => !before.scopes.includes(scope);
  return Object.fromEntries(
    after.scopes.flatMap((scope) => {
      const since = isNew(scope) ? after.version : before.scopesSince?.[scope];
      return since === undefined ? [] : [[scope, since]];
    }),
  );
}
