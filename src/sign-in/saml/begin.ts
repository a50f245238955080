// Begins signing in: somebody is sent to the provider, and what belongs to the request waits in their browser.

import { getCookie, serializeCookie } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain-request";
import { toBase64url } from "../../storage/secrets";
import { parseUrl } from "../../utils/url";
import { pathWithin } from "../pages/forms";
import { seeOther } from "../pages/page";
import type { SignInContext, SignInRequest } from "../parts";
import type { Found } from "./found";
import { askingUrl, newRequestId, PATIENCE_MS, tagOf } from "./request";

/** What waits in the browser while somebody is at their provider. */
export interface Begun {
  readonly id: string;
  /** Where they want to get to: a path of this origin. */
  readonly to: string;
}

const cookieName = (house: SignInContext, id: string) =>
  `${house.origin.startsWith("https:") ? "__Host-" : ""}octavo-saml-${tagOf(id)}`;

function cookieOf(house: SignInContext, id: string, value: string): string {
  const isSecure = house.origin.startsWith("https:");
  const maxAge = value === "" ? 0 : PATIENCE_MS / 1000;
  return serializeCookie(cookieName(house, id), value, { isSecure, path: "/", maxAge });
}

/** Binds the answer to the cookie. The parameter comes back as it was sent, and may have 80 characters. */
function relayOf({ kernel }: SignInContext, cookie: string): string {
  return toBase64url(kernel.secrets.digest("saml-request", `relay ${cookie}`));
}

/** Sends somebody to the provider. */
export async function start(house: SignInContext, request: SignInRequest, found: Found): Promise<PlainResponse> {
  const { kernel, origin, urlOf } = house;
  const { provider, service } = found;
  const now = kernel.store.now();
  const id = newRequestId(provider.id, kernel.secrets, now, kernel.store.random);
  const to = pathWithin(origin, request.query.get("to")) ?? parseUrl(urlOf("/sign-in")).pathname;
  const begun: Begun = { id, to };
  const cookie = await kernel.secrets.encrypt(JSON.stringify(begun), `saml-begun ${provider.id}`);
  const { entityID, acsURL } = service;
  const url = askingUrl({ id, ssoURL: provider.ssoURL!, entityID, acsURL, now }, relayOf(house, cookie));
  return seeOther(house, url, [cookieOf(house, id, cookie)]);
}

/** What waits in this browser for the answer to a request; undefined when it is not here, or belongs to another answer. */
export async function begunIn(
  house: SignInContext,
  request: SignInRequest,
  { provider }: Found,
  { requestId, relay }: { readonly requestId: string; readonly relay: string },
): Promise<Begun | undefined> {
  const { secrets } = house.kernel;
  const cookie = getCookie(request.headers.get("cookie"), cookieName(house, requestId)) ?? "";
  const text = await secrets.decrypt(cookie, `saml-begun ${provider.id}`).catch(() => undefined);
  const begun = text === undefined ? undefined : (JSON.parse(text) as Begun);
  const isHere = begun?.id === requestId && secrets.isDigest("saml-request", `relay ${cookie}`, relay);
  return isHere ? begun : undefined;
}

/** The `Set-Cookie` that takes it away. */
export function forgotten(house: SignInContext, requestId: string): string {
  return cookieOf(house, requestId, "");
}
