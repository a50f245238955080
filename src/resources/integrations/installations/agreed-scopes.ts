// The scopes of an installation: those that an admin of its organization agreed to and that its integration still
// requests. A new version that requests more gets nothing by itself. Everything that needs the scopes of an
// installation uses this file; the `scopes` of an integration are only a request.

import { createValidationError } from "../../../errors";
import type { IntegrationScope } from "../definitions/schema";
import type { InstallationRecord, IntegrationRecord } from "../records";

type Asking = Pick<IntegrationRecord, "scopes" | "scopesSince" | "version">;
type Agreed = Pick<InstallationRecord, "agreed">;

/** The scopes of an installation. */
export function getGrantedScopes({ agreed }: Agreed, { scopes, scopesSince }: Asking): IntegrationScope[] {
  // Installed before agreements were recorded: it has the scopes that were requested when recording began.
  const version = agreed?.version ?? 0;
  return scopes.filter(
    (scope) => (scopesSince?.[scope] ?? 0) <= version && (agreed === undefined || agreed.scopes.includes(scope)),
  );
}

/** The requested scopes that it does not have. */
export function getPendingScopes(installation: Agreed, integration: Asking): IntegrationScope[] {
  const held = getGrantedScopes(installation, integration);
  return integration.scopes.filter((scope) => !held.includes(scope));
}

/**
 * The agreement to the scopes in a body; without any, to all that the integration requests now. Scopes that it does not
 * request are refused, because the admin cannot have read about them.
 */
export function createAgreement(
  { scopes, version }: Asking,
  given: readonly IntegrationScope[] | undefined,
): NonNullable<InstallationRecord["agreed"]> {
  const unasked = given?.findIndex((scope) => !scopes.includes(scope)) ?? -1;
  if (unasked >= 0)
    throw createValidationError(`body.scopes.${unasked}`, "The integration does not ask for this scope");
  return { version, scopes: [...new Set(given ?? scopes)] };
}

/**
 * For each scope, the version since which it has been requested without a break, when a new version is published.
 * Scopes that were requested before this was recorded have no number: everybody who installed the integration agreed to
 * them.
 */
export function trackScopeVersions(before: Asking, after: Pick<Asking, "scopes" | "version">): Asking["scopesSince"] {
  const isNew = (scope: IntegrationScope) => !before.scopes.includes(scope);
  return Object.fromEntries(
    after.scopes.flatMap((scope) => {
      const since = isNew(scope) ? after.version : before.scopesSince?.[scope];
      return since === undefined ? [] : [[scope, since]];
    }),
  );
}
