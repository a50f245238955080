// The limits of a new token: it never has more scopes, or a later end, than the credentials that create it.

import { createError, createValidationError } from "../../../errors";
import type { Actor } from "../../../operation/actor";
import { hasScope } from "../../../operation/roles";
import type { Target } from "../../../operation/target";
import { DIRECTORY } from "../../../storage/ids";
import { type TokenRecord, tokens } from "./records";

/** A token of the caller's own. */
export const token: Target<{ token: TokenRecord; isMine: boolean }, "manage"> = {
  findPartition: () => DIRECTORY,
  async load({ tx, actor, params }) {
    const found = await tokens.find(tx, "id", params.tokenId!);
    return found && { token: found, isMine: found.user === actor.user.id };
  },
  notFoundReason: "token_not_found",
  rights: { view: ({ isMine }) => isMine, manage: ({ isMine }) => isMine },
};

/** The scopes and the end of a new token. Throws when they exceed those of the caller. */
export function limitsOf(
  actor: Actor,
  wanted: { scopes?: readonly string[] | null | undefined; expiresAt?: string | null | undefined },
  now: Date,
): { scopes: readonly string[] | null; expiresAt: string | null } {
  const scopes = wanted.scopes === undefined ? actor.scopes : wanted.scopes;
  const held = actor.scopes;
  if (held && !scopes?.every((scope) => hasScope(held, scope))) throw createError("above_own_token");

  const expiresAt = wanted.expiresAt === undefined ? actor.expiresAt : toUtc(wanted.expiresAt);
  if (expiresAt !== null && expiresAt <= now.toISOString())
    throw createValidationError("body.expiresAt", "Expected a time in the future");
  if (actor.expiresAt !== null && (expiresAt === null || expiresAt > actor.expiresAt))
    throw createError("above_own_token");
  return { scopes, expiresAt };
}

function toUtc(timestamp: string | null): string | null {
  return timestamp === null ? null : new Date(timestamp).toISOString();
}
