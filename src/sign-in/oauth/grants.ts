// A grant gives a client an API token of the user, with the allowed scopes, for an hour, and a refresh token for the next one.
// The user sees and revokes the grant among their tokens. A refresh token works once: a second use means that it was stolen,
// and ends the grant.

import { recordUserAuditEvent } from "../../resources/people/audit/record-event";
import { generateTokenValue, type TokenRecord, tokens } from "../../resources/people/tokens/records";
import type { ToolConsent } from "../../resources/people/tokens/tool-codes";
import { isActiveUser, users } from "../../resources/people/users/records";
import { DIRECTORY, generateId, generateRandomText } from "../../storage/ids";
import type { Transaction } from "../../storage/transaction";
import { sha256Hex } from "../../utils/sha256";
import type { SignInContext } from "../context";
import { getClientKey, type OAuthClient } from "./clients";
import { OAuthError } from "./responses";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The lifetime of an access token, and of a grant that isn't used. */
const TOKEN_LIFETIME_MS = HOUR_MS;
const GRANT_LIFETIME_MS = 60 * DAY_MS;

/** The length of the prefix that all refresh tokens of a grant share. */
const FAMILY_LENGTH = 16;
const PREFIX = "octavo_refresh_";

/** A successful response of the token endpoint (RFC 6749). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Puts a new grant into a transaction of the directory. */
export async function createGrant(
  context: SignInContext,
  tx: Transaction,
  consent: ToolConsent,
): Promise<{ id: string; tokenResponse: TokenResponse }> {
  const { store } = context.kernel;
  if (!isActiveUser(await users.get(tx, consent.user))) throw createInvalidGrantError();
  const id = generateId("token", "", store.random);
  const { client, name: label, user, scopes, passed } = consent;
  const base = { id, user, label, scopes, passed, createdAt: store.now().toISOString() };
  const tokenResponse = await issueTokens(context, tx, base, client, generateRandomText(store.random, FAMILY_LENGTH));
  recordGrantEvent(context, tx, "toolAllowed", base);
  return { id, tokenResponse };
}

/** Stores the token of a grant with a new value and a new refresh token, and returns both. */
async function issueTokens(
  { kernel }: SignInContext,
  tx: Transaction,
  base: Omit<TokenRecord, "hash" | "expiresAt" | "tool">,
  client: string,
  family: string,
): Promise<TokenResponse> {
  const { random, now } = kernel.store;
  const time = now().getTime();
  const [access, refresh] = [generateTokenValue(random), `${PREFIX}${family}${generateRandomText(random, 32)}`];
  await tokens.put(tx, {
    ...base,
    hash: sha256Hex(access),
    expiresAt: new Date(time + TOKEN_LIFETIME_MS).toISOString(),
    tool: {
      client,
      family: sha256Hex(family),
      refresh: sha256Hex(refresh),
      endsAt: new Date(time + GRANT_LIFETIME_MS).toISOString(),
    },
  });
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: TOKEN_LIFETIME_MS / 1000,
    refresh_token: refresh,
    scope: (base.scopes ?? []).join(" "),
  };
}

/** Exchanges a refresh token. `scope` can reduce the scopes of the grant. */
export async function refreshGrant(
  context: SignInContext,
  client: OAuthClient,
  value: string,
  scope: string | null,
): Promise<TokenResponse> {
  const { store } = context.kernel;
  const family = parseTokenFamily(value);
  const tokenResponse = await store.write(DIRECTORY, async (tx) => {
    const token = family === undefined ? undefined : await tokens.find(tx, "family", sha256Hex(family));
    if (!token?.tool || token.tool.client !== getClientKey(client) || token.tool.endsAt <= store.now().toISOString())
      return undefined;
    if (!isActiveUser(await users.get(tx, token.user))) return undefined;
    const { hash, expiresAt, tool, ...base } = token;
    await tokens.delete(tx, hash);
    if (tool.refresh !== sha256Hex(value)) {
      recordGrantEvent(context, tx, "toolStopped", base);
      return undefined;
    }
    const scopes = scope ? scope.split(" ").filter(Boolean) : base.scopes!;
    if (!scopes.every((it) => base.scopes!.includes(it)))
      throw new OAuthError("invalid_scope", "A new token has no scope that was not allowed before.");
    return issueTokens(context, tx, { ...base, scopes }, tool.client, family!);
  });
  if (!tokenResponse) throw createInvalidGrantError();
  return tokenResponse;
}

/** Ends a grant by its access token or its refresh token. Unknown tokens, and those of other clients, are ignored. */
export async function revokeGrant(context: SignInContext, client: OAuthClient, value: string): Promise<void> {
  const family = parseTokenFamily(value);
  await context.kernel.store.write(DIRECTORY, async (tx) => {
    const token =
      family === undefined
        ? await tokens.get(tx, sha256Hex(value))
        : await tokens.find(tx, "family", sha256Hex(family));
    if (token?.tool?.client !== getClientKey(client)) return;
    await deleteGrant(context, tx, token);
  });
}

export async function deleteGrant(context: SignInContext, tx: Transaction, token: TokenRecord): Promise<void> {
  await tokens.delete(tx, token.hash);
  recordGrantEvent(context, tx, "toolStopped", token);
}

export function createInvalidGrantError(): OAuthError {
  return new OAuthError(
    "invalid_grant",
    "This is not valid here: it never was, it was used before, or its time is over.",
  );
}

function parseTokenFamily(value: string): string | undefined {
  return value.match(/^octavo_refresh_([0-9a-z]{16})[0-9a-z]{32}$/)?.[1];
}

function recordGrantEvent(
  { kernel }: SignInContext,
  tx: Transaction,
  action: "toolAllowed" | "toolStopped",
  { id, user }: Pick<TokenRecord, "id" | "user">,
): void {
  recordUserAuditEvent(kernel.jobs, tx, user, {
    action,
    actor: { type: "user", id: user },
    things: [{ type: "token", id }],
  });
}
