// The target of tokens, and the limits of a new token: it never has more scopes, or a later expiry, than its creator.

import { createError, createValidationError } from "../../../errors";
import type { Actor } from "../../../operation/actor";
import { hasScope } from "../../../operation/roles";
import type { Target } from "../../../operation/target";
import { DIRECTORY } from "../../../storage/ids";
import { type TokenRecord, tokens } from "./records";

/** A token of the caller. */
export const token: Target<{ token: TokenRecord; isMine: boolean }, "manage"> = {
  findPartition: () => DIRECTORY,
  async load({ tx, actor, params }) {
    const token = await tokens.find(tx, "id", params.tokenId!);
    return token && { token, isMine: token.user === actor.user.id };
  },
  notFoundReason: "token_not_found",
  rights: { view: ({ isMine }) => isMine, manage: ({ isMine }) => isMine },
};

/** Returns the scopes and the expiry of a new token. Throws if they exceed those of the caller. */
export function resolveTokenLimits(
  actor: Actor,
  requested: { scopes?: readonly string[] | null | undefined; expiresAt?: string | null | undefined },
  now: Date,
): { scopes: readonly string[] | null; expiresAt: string | null } {
  const scopes = requested.scopes === undefined ? actor.scopes : requested.scopes;
  const { scopes: ownScopes } = actor;
  if (ownScopes && !scopes?.every((scope) => hasScope(ownScopes, scope))) throw createError("above_own_token");

  let { expiresAt = actor.expiresAt } = requested;
  // Times are compared as texts, so all of them are in UTC.
  if (typeof requested.expiresAt === "string") expiresAt = new Date(requested.expiresAt).toISOString();
  if (expiresAt !== null && expiresAt <= now.toISOString())
    throw createValidationError("body.expiresAt", "Expected a time in the future");
  if (actor.expiresAt !== null && (expiresAt === null || expiresAt > actor.expiresAt))
    throw createError("above_own_token");
  return { scopes, expiresAt };
}
