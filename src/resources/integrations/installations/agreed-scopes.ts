// The scopes of an installation: those that an admin of its organization agreed to and that its integration still
// requests. A new version that requests more gets nothing by itself. Everything that needs the scopes of an
// installation uses this file; the `scopes` of an integration are only a request.

import { createValidationError } from "../../../errors";
import type { IntegrationScope } from "../definitions/schema";
import type { InstallationRecord, IntegrationRecord } from "../records";

type RequestedScopes = Pick<IntegrationRecord, "scopes" | "scopesSince" | "version">;

export function getGrantedScopes(
  { agreed }: Pick<InstallationRecord, "agreed">,
  { scopes, scopesSince }: RequestedScopes,
): IntegrationScope[] {
  // Installed before agreements were recorded: it has the scopes that were requested when recording began.
  const version = agreed?.version ?? 0;
  return scopes.filter(
    (scope) => (scopesSince?.[scope] ?? 0) <= version && (agreed === undefined || agreed.scopes.includes(scope)),
  );
}

/**
 * Creates the agreement to the given scopes; without any, to all that the integration requests now. Scopes that it does not request
 * are refused, because the admin cannot have read about them.
 */
export function createAgreement(
  { scopes, version }: RequestedScopes,
  given: readonly IntegrationScope[] | undefined,
): NonNullable<InstallationRecord["agreed"]> {
  const unrequested = given?.findIndex((scope) => !scopes.includes(scope)) ?? -1;
  if (unrequested >= 0)
    throw createValidationError(`body.scopes.${unrequested}`, "The integration doesn't request this scope");
  return { version, scopes: [...new Set(given ?? scopes)] };
}
