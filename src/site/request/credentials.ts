// What a visitor brings in an address: a JWT (`jwt_token`), and what they say of themselves (`visitor.…`). Both go into cookies
// of the site's own path, and out of the address: it is seen by people beside, logs and other hosts.

import { serializeCookie } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain-request";
import { omitUndefined } from "../../utils/objects";
import { trimTrailingSlashes } from "../../utils/url";
import { createRedirect } from "../responses/responses";
import { type ReaderCredentials, type ResolvedContent, visitorCookies } from "./request-context";

const JWT = "jwt_token";
const CLAIM = "visitor.";
const MONTH_SECONDS = 30 * 24 * 60 * 60;

/** What an address says of the visitor; undefined: nothing. */
export function readUrlCredentials(url: URL): ReaderCredentials | undefined {
  if (!url.search.includes(JWT) && !url.search.includes(CLAIM)) return undefined;
  const jwtToken = url.searchParams.get(JWT) ?? undefined;
  const claims = [...url.searchParams].filter(([name]) => name.startsWith(CLAIM) && name.length > CLAIM.length);
  if (jwtToken === undefined && claims.length === 0) return undefined;
  return {
    ...omitUndefined({ jwtToken, unsignedClaims: claims.length === 0 ? undefined : parseUrlClaims(claims) }),
  };
}

/** Stores what the address brought, and leads to the address without it. */
export function storeCredentials(
  url: URL,
  { jwtToken, unsignedClaims }: ReaderCredentials,
  found: ResolvedContent,
): PlainResponse {
  // Browsers send a cookie of `/docs/` not to `/docs`, which is the first page.
  const path = trimTrailingSlashes(found.siteBasePath) || "/";
  const options = { isSecure: url.protocol === "https:", path };
  const cookies: string[] = [];
  if (jwtToken !== undefined && /^[\w.-]+$/.test(jwtToken) && jwtToken.length <= visitorCookies.longest)
    cookies.push(serializeCookie(visitorCookies.jwt, jwtToken, options));
  const said = unsignedClaims && encodeURIComponent(JSON.stringify(unsignedClaims));
  if (said !== undefined && said.length <= visitorCookies.longest)
    cookies.push(serializeCookie(visitorCookies.claims, said, { ...options, maxAge: MONTH_SECONDS }));
  const rest = [...url.searchParams].filter(([name]) => name !== JWT && !name.startsWith(CLAIM));
  const search = rest.length === 0 ? "" : `?${new URLSearchParams(rest)}`;
  return createRedirect(303, `${url.pathname}${search}`, { url, holders: "nobody", cookies });
}

/** `visitor.plan=pro` and `visitor.account.beta=true` as one object. Values are what JSON makes of them, else text. */
function parseUrlClaims(given: readonly (readonly [string, string])[]): Record<string, unknown> {
  const claims: Record<string, unknown> = Object.create(null);
  for (const [name, value] of given) {
    const parts = name.slice(CLAIM.length).split(".").slice(0, 8);
    let at = claims;
    for (const part of parts.slice(0, -1)) {
      const inner = at[part];
      at[part] = typeof inner === "object" && inner !== null ? inner : Object.create(null);
      at = at[part] as Record<string, unknown>;
    }
    at[parts.at(-1)!] = claimOf(value);
  }
  return claims;
}

function claimOf(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
