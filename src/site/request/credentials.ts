// The credentials of a visitor: a JWT, and unsigned claims. A URL may contain them (`jwt_token`, `visitor.…`). They are then stored
// in cookies of the site's path and removed from the URL, because URLs are visible to other people, in logs, and to other hosts.

import type { VisitedContent } from "../../api/internal-client";
import { getCookie, serializeCookie } from "../../http/cookies";
import type { PlainRequest, PlainResponse } from "../../http/plain-request";
import { parseJsonObject } from "../../utils/json";
import { omitUndefined } from "../../utils/objects";
import { trimTrailingSlashes, tryDecodeUriComponent } from "../../utils/url";
import { createRedirect } from "../responses/responses";
import type { ReaderCredentials } from "./request-context";

const JWT_PARAMETER = "jwt_token";
const CLAIM_PREFIX = "visitor.";
const JWT_COOKIE = "octavo-visitor";
const CLAIMS_COOKIE = "octavo-claims";
const MAX_COOKIE_LENGTH = 3500;
const MAX_CLAIM_DEPTH = 8;
const MONTH_SECONDS = 30 * 24 * 60 * 60;

/** Returns the credentials in the cookies or the bearer token of a request, or undefined if there are none. */
export function readCredentials(request: PlainRequest): ReaderCredentials | undefined {
  const cookies = request.headers.get("cookie");
  const authorization = request.headers.get("authorization");
  if (cookies === null && authorization === null) return undefined;
  // Agents have no cookies, so they send the visitor's JWT as a bearer token.
  const bearerToken = /^bearer +([\w.-]{1,8192})$/i.exec(authorization ?? "")?.[1];
  const jwtToken = bearerToken ?? getCookie(cookies, JWT_COOKIE);
  const claimsCookie = getCookie(cookies, CLAIMS_COOKIE);
  // A cookie that cannot be read is ignored.
  const unsignedClaims = parseJsonObject(tryDecodeUriComponent(claimsCookie ?? "") ?? "");
  if (jwtToken === undefined && unsignedClaims === undefined) return undefined;
  return { ...omitUndefined({ jwtToken, unsignedClaims }) };
}

/**
 * Returns the credentials in a URL, or undefined if there are none. `visitor.plan=pro` and `visitor.account.beta=true` become one
 * object of claims. Values are booleans, integers or text.
 */
export function readUrlCredentials(url: URL): ReaderCredentials | undefined {
  if (!url.search.includes(JWT_PARAMETER) && !url.search.includes(CLAIM_PREFIX)) return undefined;
  const jwtToken = url.searchParams.get(JWT_PARAMETER) ?? undefined;
  let unsignedClaims: Record<string, unknown> | undefined;
  for (const [name, text] of url.searchParams) {
    if (!name.startsWith(CLAIM_PREFIX) || name.length === CLAIM_PREFIX.length) continue;
    const keys = name.slice(CLAIM_PREFIX.length).split(".").slice(0, MAX_CLAIM_DEPTH);
    unsignedClaims ??= Object.create(null) as Record<string, unknown>;
    let object = unsignedClaims;
    for (const key of keys.slice(0, -1)) {
      const inner = object[key];
      object[key] = typeof inner === "object" && inner !== null ? inner : Object.create(null);
      object = object[key] as Record<string, unknown>;
    }
    const isBoolean = text === "true" || text === "false";
    object[keys.at(-1)!] = isBoolean ? text === "true" : /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  }
  if (jwtToken === undefined && unsignedClaims === undefined) return undefined;
  return { ...omitUndefined({ jwtToken, unsignedClaims }) };
}

/** Stores credentials in cookies, and redirects to the URL without them. */
export function storeCredentials(
  url: URL,
  { jwtToken, unsignedClaims }: ReaderCredentials,
  { siteBasePath }: Pick<VisitedContent, "siteBasePath">,
): PlainResponse {
  // Browsers do not send a cookie of `/docs/` to `/docs`, which is the first page.
  const path = trimTrailingSlashes(siteBasePath) || "/";
  const options = { isSecure: url.protocol === "https:", path };
  const cookies: string[] = [];
  if (jwtToken !== undefined && /^[\w.-]+$/.test(jwtToken) && jwtToken.length <= MAX_COOKIE_LENGTH)
    cookies.push(serializeCookie(JWT_COOKIE, jwtToken, options));
  const claims = unsignedClaims && encodeURIComponent(JSON.stringify(unsignedClaims));
  if (claims !== undefined && claims.length <= MAX_COOKIE_LENGTH)
    cookies.push(serializeCookie(CLAIMS_COOKIE, claims, { ...options, maxAge: MONTH_SECONDS }));
  const rest = [...url.searchParams].filter(([name]) => name !== JWT_PARAMETER && !name.startsWith(CLAIM_PREFIX));
  const search = rest.length === 0 ? "" : `?${new URLSearchParams(rest)}`;
  return createRedirect(303, `${url.pathname}${search}`, { url, holders: "nobody", cookies });
}
