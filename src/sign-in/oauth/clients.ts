// Tools register themselves (RFC 7591), and anybody may. Nothing is stored: the id of a tool holds what it said of itself,
// and a digest that only this server can make. So there is nothing to fill up, and nothing to forget.

import * as v from "valibot";
import { fromBase64url, hashFingerprint, type Secrets, toBase64url } from "../../storage/secrets";
import { parseUrl, tryParseUrl } from "../../utils/url";
import type { SignInOptions } from "../options";
import { OAuthError } from "./answers";
import { findFlaw, isLoopback } from "./redirect-uris";

/** A tool, as it described itself. Nobody has checked its name. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const MAC_BYTES = 16;
const LONGEST_ID = 4000;
const LONGEST_NAME = 50;

/** Makes the id of a tool. */
export function registered(secrets: Secrets, { name, redirectUris }: Omit<Client, "id">): Client {
  const described = toBase64url(new TextEncoder().encode(JSON.stringify([name, ...redirectUris])));
  const mac = toBase64url(secrets.digest("oauth-client", described).slice(0, MAC_BYTES));
  return { id: `${described}.${mac}`, name, redirectUris };
}

/** The tool with an id; undefined when this server did not make it. */
export function clientWith(secrets: Secrets, id: string | null | undefined): Client | undefined {
  const [described = "", mac = "", ...more] = id && id.length <= LONGEST_ID ? id.split(".") : [];
  if (!described || more.length > 0 || !secrets.isDigest("oauth-client", described, mac, MAC_BYTES)) return undefined;
  const [name, ...redirectUris] = JSON.parse(new TextDecoder().decode(fromBase64url(described))) as [string];
  return { id: id!, name, redirectUris };
}

/** What is stored of a tool with what it was given. */
export function clientKey({ id }: Pick<Client, "id">): string {
  return hashFingerprint(id);
}

const Metadata = v.object({
  client_name: v.optional(v.pipe(v.string(), v.maxLength(500)), ""),
  redirect_uris: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.maxLength(10)), []),
  grant_types: v.optional(v.pipe(v.array(v.string()), v.maxLength(10)), ["authorization_code"]),
});

/** A description that a tool sent, checked. */
export function describedBy(body: unknown, options: SignInOptions): Omit<Client, "id"> {
  const checked = v.safeParse(Metadata, body);
  if (!checked.success) throw new OAuthError("invalid_client_metadata", "The description of the client is malformed.");
  const { client_name, redirect_uris: redirectUris, grant_types } = checked.output;
  if (grant_types.includes("authorization_code") && redirectUris.length === 0)
    throw new OAuthError("invalid_redirect_uri", "A client that uses a browser needs a redirect URI.");
  for (const [at, uri] of redirectUris.entries()) {
    const flaw = findFlaw(uri, options);
    if (flaw !== undefined) throw new OAuthError("invalid_redirect_uri", `redirect_uris[${at}]: ${flaw}`);
  }
  const name = shown(client_name) || hostOf(redirectUris[0]) || "A tool";
  const made = { name, redirectUris };
  if (JSON.stringify(made).length > LONGEST_ID / 2)
    throw new OAuthError("invalid_client_metadata", "The description of the client is too long.");
  return made;
}

/** A name without what would change the sentence around it: marks of direction, breaks and other signs that are not seen. */
function shown(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return [...plain].slice(0, LONGEST_NAME).join("");
}

function hostOf(uri: string | undefined): string {
  return uri === undefined ? "" : parseUrl(uri).host;
}

/**
 * Whether a redirect URI is one that the tool has registered: the very same, but for the port on this computer (RFC 8252).
 * Ids never expire, so the rules of today are checked again.
 */
export function isRegistered({ redirectUris }: Client, given: string, options: SignInOptions): boolean {
  const isOfTool = redirectUris.includes(given) || redirectUris.some((uri) => isSameLoopback(uri, given));
  return isOfTool && findFlaw(given, options) === undefined;
}

function isSameLoopback(registered: string, given: string): boolean {
  const [a, b] = [tryParseUrl(registered), tryParseUrl(given)];
  if (!a || !b || !isLoopback(a)) return false;
  a.port = b.port;
  return a.href === b.href;
}

/** Where a redirect URI leads, for a person. */
export function placeOf(redirectUri: string): string {
  const url = parseUrl(redirectUri);
  return url.protocol === "https:" || url.protocol === "http:" ? url.host : url.protocol;
}

/** The source of `form-action` that lets a form lead there. It has no words for addresses in brackets. */
export function formSource(redirectUri: string): string {
  const url = parseUrl(redirectUri);
  const hasHost = (url.protocol === "https:" || url.protocol === "http:") && !url.hostname.startsWith("[");
  return hasHost ? url.origin : url.protocol;
}
