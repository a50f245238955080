// Limits a token with scopes to what it allows itself, also through integrations. Otherwise a token for integrations only could
// install one that reads every space, or get a token that does.

import { createError } from "../../../errors";
import type { Actor } from "../../../operation/actor";
import type { ApiInfo } from "../../../operation/operation";
import { hasScope } from "../../../operation/roles";
import type { IntegrationScope } from "../definitions/schema";
import { tokenScopesByScope } from "./token-actors";

/** Throws unless the caller may do everything that the scopes of an integration allow. */
export function checkTokenScopes(
  { actor, apiInfo }: { readonly actor: Actor; readonly apiInfo: ApiInfo },
  scopes: readonly IntegrationScope[],
): void {
  const held = actor.scopes;
  if (!held) return;
  const isHeld = (tokenScope: string) =>
    held.includes(tokenScope) || hasScope(held, apiInfo.getScope(tokenScope) ?? tokenScope);
  if (!scopes.flatMap((scope) => tokenScopesByScope[scope]).every(isHeld)) throw createError("above_own_scopes");
}
