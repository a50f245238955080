// What a token with scopes may have an integration do for it: no more than the token itself may be used for. Else a token for
// integrations alone would install one that reads every space, or be given a token that does.

import { failure } from "../../../errors";
import type { About, Actor } from "../../../operation/operation";
import { holdsScope } from "../../../roles";
import type { IntegrationScope } from "../definitions/schema";
import { opens } from "./token-actors";

/** Throws unless the caller may use everything that the scopes of an integration open. */
export function checkWithinToken(
  { actor, about }: { readonly actor: Actor; readonly about: About },
  scopes: readonly IntegrationScope[],
): void {
  const held = actor.scopes;
  if (!held) return;
  const isHeld = (opened: string) => held.includes(opened) || holdsScope(held, about.scopeOf(opened) ?? opened);
  if (!scopes.flatMap((scope) => opens[scope]).every(isHeld)) throw failure("above_own_scopes");
}
