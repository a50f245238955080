// What a tool gets: an API token of the user, with the scopes that were allowed, for an hour, and a refresh token for the
// next one. The user sees and revokes it among their tokens. A refresh token works once: one that comes a second time was
// stolen, from the tool or by it, and ends the grant.

import { recordUserAuditEvent } from "../../resources/people/audit/record-event";
import { generateTokenValue, type TokenRecord, tokens } from "../../resources/people/tokens/records";
import type { ToolConsent } from "../../resources/people/tokens/tool-codes";
import { isActiveUser, users } from "../../resources/people/users/records";
import { DIRECTORY, generateId, generateRandomText } from "../../storage/ids";
import { hashFingerprint } from "../../storage/secrets";
import type { Transaction } from "../../storage/transaction";
import type { SignInContext } from "../parts";
import { OAuthError } from "./answers";
import { type Client, clientKey } from "./clients";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How long a token works, and how long a grant lasts without use. */
const TOKEN_MS = HOUR_MS;
const GRANT_MS = 60 * DAY_MS;

/** The length of the part that all refresh tokens of a grant share. */
const FAMILY = 16;
const PREFIX = "octavo_refresh_";

/** What a tool is told. */
export interface Tokens {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Puts a new grant into a transaction of the directory. */
export async function grant(
  house: SignInContext,
  tx: Transaction,
  allowed: ToolConsent,
): Promise<{ id: string; told: Tokens }> {
  const { store } = house.kernel;
  if (!isActiveUser(await users.get(tx, allowed.user))) throw ended();
  const id = generateId("token", "", store.random);
  const { client, name: label, user, scopes, passed } = allowed;
  const base = { id, user, label, scopes, passed, createdAt: store.now().toISOString() };
  const told = await renewed(house, tx, base, client, generateRandomText(store.random, FAMILY));
  note(house, tx, "toolAllowed", base);
  return { id, told };
}

/** Puts the token of a grant, with a new value and a new refresh token. */
async function renewed(
  { kernel }: SignInContext,
  tx: Transaction,
  base: Omit<TokenRecord, "hash" | "expiresAt" | "tool">,
  client: string,
  family: string,
): Promise<Tokens> {
  const { random, now } = kernel.store;
  const time = now().getTime();
  const [access, refresh] = [generateTokenValue(random), `${PREFIX}${family}${generateRandomText(random, 32)}`];
  await tokens.put(tx, {
    ...base,
    hash: hashFingerprint(access),
    expiresAt: new Date(time + TOKEN_MS).toISOString(),
    tool: {
      client,
      family: hashFingerprint(family),
      refresh: hashFingerprint(refresh),
      endsAt: new Date(time + GRANT_MS).toISOString(),
    },
  });
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: TOKEN_MS / 1000,
    refresh_token: refresh,
    scope: (base.scopes ?? []).join(" "),
  };
}

/** A new token for a refresh token. `wanted`: fewer scopes, if the tool asks for fewer. */
export async function refresh(
  house: SignInContext,
  client: Client,
  value: string,
  wanted: string | null,
): Promise<Tokens> {
  const { store } = house.kernel;
  const family = familyIn(value);
  const told = await store.write(DIRECTORY, async (tx) => {
    const found = family === undefined ? undefined : await tokens.find(tx, "family", hashFingerprint(family));
    if (!found?.tool || found.tool.client !== clientKey(client) || found.tool.endsAt <= store.now().toISOString())
      return undefined;
    if (!isActiveUser(await users.get(tx, found.user))) return undefined;
    const { hash, expiresAt, tool, ...base } = found;
    await tokens.delete(tx, hash);
    if (tool.refresh !== hashFingerprint(value)) {
      note(house, tx, "toolStopped", base);
      return undefined;
    }
    const scopes = wanted ? wanted.split(" ").filter(Boolean) : base.scopes!;
    if (!scopes.every((scope) => base.scopes!.includes(scope)))
      throw new OAuthError("invalid_scope", "A new token has no scope that was not allowed before.");
    return renewed(house, tx, { ...base, scopes }, tool.client, family!);
  });
  if (!told) throw ended();
  return told;
}

/** Ends a grant by either of its tokens. Unknown tokens, and those of other tools, are left alone. */
export async function revoke(house: SignInContext, client: Client, value: string): Promise<void> {
  const family = familyIn(value);
  await house.kernel.store.write(DIRECTORY, async (tx) => {
    const found =
      family === undefined
        ? await tokens.get(tx, hashFingerprint(value))
        : await tokens.find(tx, "family", hashFingerprint(family));
    if (found?.tool?.client !== clientKey(client)) return;
    await tokens.delete(tx, found.hash);
    note(house, tx, "toolStopped", found);
  });
}

/** Ends the grant of a code that was shown twice. */
export async function stop(house: SignInContext, tx: Transaction, id: string): Promise<void> {
  const found = await tokens.find(tx, "id", id);
  if (!found) return;
  await tokens.delete(tx, found.hash);
  note(house, tx, "toolStopped", found);
}

export function ended(): OAuthError {
  return new OAuthError(
    "invalid_grant",
    "This is not valid here: it never was, it was used before, or its time is over.",
  );
}

function familyIn(value: string): string | undefined {
  return value.match(/^octavo_refresh_([0-9a-z]{16})[0-9a-z]{32}$/)?.[1];
}

function note(
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
