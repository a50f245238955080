// API tokens of the caller: issue, list, revoke. Nobody can see or change the tokens of others.

import { createError, createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import { hasScope } from "../../../operation/roles";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { self } from "../users/rules";
import { generateTokenValue, type TokenRecord, tokens } from "./records";
import { token as ownToken } from "./rules";
import { NewToken, Token } from "./schema";

export const listTokens = defineOperation("GET /user/tokens", {
  summary: "List API tokens",
  target: self,
  right: "view",
  list: Token,
  async handle({ tx, actor, pageRequest, urls }) {
    return paginateGroup({ tx, pageRequest }, tokens, "ofUser", [actor.user.id], (found) =>
      found.map((token) => presentToken(token, urls)),
    );
  },
});

export const createToken = defineOperation("POST /user/tokens", {
  summary: "Create an API token",
  target: self,
  right: "manage",
  body: NewToken,
  returns: Token,
  status: 201,
  async handle({ tx, actor, body, now, urls, newId, random, apiInfo }) {
    const unknownIndex = body.scopes?.findIndex((scope) => !apiInfo.scopes.includes(scope)) ?? -1;
    if (unknownIndex >= 0)
      throw createValidationError(`body.scopes.${unknownIndex}`, `Expected one of ${apiInfo.scopes.join(", ")}`);
    // A token never has more scopes, or a later expiry, than its creator.
    const scopes = body.scopes === undefined ? actor.scopes : body.scopes;
    const { scopes: ownScopes } = actor;
    if (ownScopes && !scopes?.every((scope) => hasScope(ownScopes, scope))) throw createError("above_own_token");
    let { expiresAt = actor.expiresAt } = body;
    // Times are compared as texts, so all of them are in UTC.
    if (typeof body.expiresAt === "string") expiresAt = new Date(body.expiresAt).toISOString();
    if (expiresAt !== null && expiresAt <= now.toISOString())
      throw createValidationError("body.expiresAt", "Expected a time in the future");
    if (actor.expiresAt !== null && (expiresAt === null || expiresAt > actor.expiresAt))
      throw createError("above_own_token");

    const value = generateTokenValue(random);
    const token: TokenRecord = {
      id: newId("token"),
      hash: sha256Hex(value),
      user: actor.user.id,
      label: body.label,
      createdAt: now.toISOString(),
      scopes,
      expiresAt,
      ...omitUndefined({ passed: actor.samlProviderIds }),
    };
    await tokens.put(tx, token);
    return { ...presentToken(token, urls), token: value };
  },
});

export const revokeToken = defineOperation("DELETE /user/tokens/:tokenId", {
  summary: "Revoke an API token",
  target: ownToken,
  right: "manage",
  handle: ({ tx, token }) => tokens.delete(tx, token.hash),
});

function presentToken({ id, label, scopes, createdAt, expiresAt }: TokenRecord, urls: Urls) {
  const location = urls.api(`/user/tokens/${id}`);
  return {
    object: "token" as const,
    id,
    label,
    scopes: scopes && [...scopes],
    createdAt,
    expiresAt,
    urls: { location },
  };
}
