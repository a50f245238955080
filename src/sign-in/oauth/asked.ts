// What a tool asks for with a browser, read from a query or from a form of ours.

import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { toBase64url } from "../../storage/secrets";
import type { SignInContext } from "../parts";
import { type Client, clientWith, isRegistered } from "./clients";
import { isOurs } from "./metadata";

/** A request that can be granted. */
export interface Asked {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly challenge: string;
  readonly scopes: readonly string[];
}

/** Why a request cannot be granted. */
export type Flaw = "client" | "redirect" | "request" | "scope" | "resource";

/** The parameters that are carried from page to page. */
export const parameters = [
  ...[
    "client_id",
    "redirect_uri",
    "response_type",
    "state",
    "code_challenge",
    "code_challenge_method",
    "scope",
    "resource",
  ],
] as const;

/** What is asked for, or the first flaw. Nobody is led to the address of a request with a flaw: anybody can register one. */
export function askedIn(house: SignInContext, given: URLSearchParams): Asked | Flaw {
  const { secrets } = house.kernel;
  const client = clientWith(secrets, given.get("client_id"));
  if (!client) return "client";
  const redirectUri = given.get("redirect_uri") ?? client.redirectUris[0];
  if (redirectUri === undefined || !isRegistered(client, redirectUri, house.options)) return "redirect";
  const isRepeated = parameters.some((name) => name !== "resource" && given.getAll(name).length > 1);
  const challenge = given.get("code_challenge") ?? "";
  const state = given.get("state");
  if (
    isRepeated ||
    given.get("response_type") !== "code" ||
    given.get("code_challenge_method") !== "S256" ||
    !/^[A-Za-z0-9_-]{43}$/.test(challenge) ||
    (state?.length ?? 0) > 1000
  )
    return "request";
  const scopes = scopesIn(house, given.get("scope"));
  if (scopes.length === 0) return "scope";
  if (!given.getAll("resource").every((it) => isOurs(house, it))) return "resource";
  return { client, redirectUri, state, challenge, scopes };
}

/** The scopes that a tool asks for, without those that we do not have. Whoever names none may read. */
export function scopesIn({ kernel }: SignInContext, given: string | null): string[] {
  const { scopes } = kernel.apiInfo;
  if (!given) return scopes.filter((scope) => scope.endsWith(":read"));
  const wanted = new Set(given.split(/\s+/));
  return scopes.filter((scope) => wanted.has(scope));
}

/** The challenge of a verifier (RFC 7636, S256). */
export function challengeOf(verifier: string): string {
  return toBase64url(sha256(utf8ToBytes(verifier)));
}
