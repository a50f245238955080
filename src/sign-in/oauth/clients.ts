// Dynamic client registration (RFC 7591), open to everybody. Nothing is stored: the id of a client contains its metadata and a
// digest that only this server can compute. So registrations can't fill the storage, and never have to be deleted.

import * as v from "valibot";
import { fromBase64url, type Secrets, toBase64url } from "../../storage/secrets";
import { sha256Hex } from "../../utils/sha256";
import { parseUrl, tryParseUrl } from "../../utils/url";
import type { SignInOptions } from "../options";
import { findRedirectUriProblem, isLoopback } from "./redirect-uris";
import { OAuthError } from "./responses";

/** A public client with the metadata that it registered. Nobody has verified its name. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const MAC_BYTES = 16;
const MAX_ID_LENGTH = 4000;
const MAX_NAME_LENGTH = 50;

export function createClient(secrets: Secrets, { name, redirectUris }: Omit<OAuthClient, "id">): OAuthClient {
  const metadata = toBase64url(new TextEncoder().encode(JSON.stringify([name, ...redirectUris])));
  const mac = toBase64url(secrets.digest("oauth-client", metadata).slice(0, MAC_BYTES));
  return { id: `${metadata}.${mac}`, name, redirectUris };
}

/** Returns the client that an id contains, or undefined if this server didn't issue the id. */
export function decodeClientId(secrets: Secrets, id: string | null | undefined): OAuthClient | undefined {
  const [metadata = "", mac = "", ...more] = id && id.length <= MAX_ID_LENGTH ? id.split(".") : [];
  if (!metadata || more.length > 0 || !secrets.isDigest("oauth-client", metadata, mac, MAC_BYTES)) return undefined;
  const [name, ...redirectUris] = JSON.parse(new TextDecoder().decode(fromBase64url(metadata))) as [string];
  return { id: id!, name, redirectUris };
}

/** Returns the key by which grants refer to a client. */
export function getClientKey({ id }: Pick<OAuthClient, "id">): string {
  return sha256Hex(id);
}

const ClientMetadata = v.object({
  client_name: v.optional(v.pipe(v.string(), v.maxLength(500)), ""),
  redirect_uris: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.maxLength(10)), []),
  grant_types: v.optional(v.pipe(v.array(v.string()), v.maxLength(10)), ["authorization_code"]),
});

export function parseClientMetadata(body: unknown, options: SignInOptions): Omit<OAuthClient, "id"> {
  const result = v.safeParse(ClientMetadata, body);
  if (!result.success) throw new OAuthError("invalid_client_metadata", "The description of the client is malformed.");
  const { client_name, redirect_uris: redirectUris, grant_types } = result.output;
  if (grant_types.includes("authorization_code") && redirectUris.length === 0)
    throw new OAuthError("invalid_redirect_uri", "A client that uses a browser needs a redirect URI.");
  for (const [index, uri] of redirectUris.entries()) {
    const redirectProblem = findRedirectUriProblem(uri, options);
    if (redirectProblem !== undefined)
      throw new OAuthError("invalid_redirect_uri", `redirect_uris[${index}]: ${redirectProblem}`);
  }
  // Direction marks, line breaks and other invisible characters would change the sentence around the name.
  const visibleName = client_name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  const shortName = [...visibleName].slice(0, MAX_NAME_LENGTH).join("");
  const [redirectUri] = redirectUris;
  const host = redirectUri === undefined ? "" : parseUrl(redirectUri).host;
  const name = shortName || host || "A tool";
  const metadata = { name, redirectUris };
  if (JSON.stringify(metadata).length > MAX_ID_LENGTH / 2)
    throw new OAuthError("invalid_client_metadata", "The description of the client is too long.");
  return metadata;
}

/**
 * Checks whether a client has registered a redirect URI. On a loopback address the port may differ (RFC 8252). Ids never
 * expire, so the current rules for redirect URIs are checked again.
 */
export function isRegisteredRedirectUri(
  { redirectUris }: OAuthClient,
  redirectUri: string,
  options: SignInOptions,
): boolean {
  const requested = tryParseUrl(redirectUri);
  const isRegistered = redirectUris.some((uri) => {
    if (uri === redirectUri) return true;
    const registered = tryParseUrl(uri);
    if (!registered || !requested || !isLoopback(registered)) return false;
    registered.port = requested.port;
    return registered.href === requested.href;
  });
  return isRegistered && findRedirectUriProblem(redirectUri, options) === undefined;
}
