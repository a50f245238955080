// Limits what a token with scopes may do through an integration: no more than the token itself allows. Otherwise a
// token for integrations only could install one that reads every space, or get a token that does.

import { failure } from "../../../errors";
import type { About, Actor } from "../../../operation/operation";
import { holdsScope } from "../../../operation/roles";
import type { IntegrationScope } from "../definitions/schema";
import { opens } from "./token-actors";

/** Throws unless the caller may do everything that the scopes of an integration allow. */
export function checkWithinToken(
  { actor, about }: { readonly actor: Actor; readonly about: About },
  scopes: readonly IntegrationScope[],
): void {
  const held = actor.scopes;
  if (!held) return;
  const isHeld = (opened: string) => held.includes(opened) || holdsScope(held, about.scopeOf(opened) ?? opened);
  if (!scopes.flatMap((scope) => opens[scope]).every(isHeld)) throw failure("above_own_scopes");
}
