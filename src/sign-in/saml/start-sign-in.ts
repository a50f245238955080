// Starts a sign-in: redirects to the provider, and stores the pending request in an encrypted cookie of the browser.

import { getCookie, serializeCookie } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain-request";
import { toBase64url } from "../../storage/secrets";
import { parseUrl } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { toLocalPath } from "../pages/forms";
import { createRedirect } from "../pages/page";
import { createAuthnRequestUrl, createRequestId, REQUEST_LIFETIME_MS } from "./authn-request";
import type { SamlConnection } from "./connection";

/** A request that the provider has not answered yet. */
export interface PendingRequest {
  readonly id: string;
  /** The path of this origin that the user wants to reach. */
  readonly to: string;
}

/** Returns the name of the cookie of a request. It contains a part of the id, so that several requests can be pending. */
function getRequestCookieName({ origin }: SignInContext, id: string): string {
  return `${origin.startsWith("https:") ? "__Host-" : ""}octavo-saml-${id.slice(1, 13)}`;
}

/** Redirects to the provider with an authentication request. */
export async function startSignIn(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const { kernel, origin } = context;
  const { secrets, store } = kernel;
  const { provider, service } = connection;
  const now = store.now();
  const id = createRequestId(provider.id, secrets, now, store.random);
  const to = toLocalPath(origin, request.query.get("to")) ?? parseUrl(context.getUrl("/sign-in")).pathname;
  const pendingRequest: PendingRequest = { id, to };
  const cookie = await secrets.encrypt(JSON.stringify(pendingRequest), `saml-begun ${provider.id}`);
  // The relay state binds the response to the cookie. The provider returns it unchanged; it may have 80 characters.
  const relayState = toBase64url(secrets.digest("saml-request", `relay ${cookie}`));
  const { entityID, acsURL } = service;
  const url = createAuthnRequestUrl({ id, ssoURL: provider.ssoURL!, entityID, acsURL, now }, relayState);
  const setCookie = serializeCookie(getRequestCookieName(context, id), cookie, {
    isSecure: origin.startsWith("https:"),
    path: "/",
    maxAge: REQUEST_LIFETIME_MS / 1000,
  });
  return createRedirect(context, url, [setCookie]);
}

/** Returns the pending request of this browser that a response answers. The response must have its id and its relay state. */
export async function findPendingRequest(
  context: SignInContext,
  request: SignInRequest,
  { provider }: SamlConnection,
  { requestId, relay }: { readonly requestId: string; readonly relay: string },
): Promise<PendingRequest | undefined> {
  const { secrets } = context.kernel;
  const cookie = getCookie(request.headers.get("cookie"), getRequestCookieName(context, requestId)) ?? "";
  const json = await secrets.decrypt(cookie, `saml-begun ${provider.id}`).catch(() => undefined);
  const pendingRequest = json === undefined ? undefined : (JSON.parse(json) as PendingRequest);
  const isAnswered = pendingRequest?.id === requestId && secrets.isDigest("saml-request", `relay ${cookie}`, relay);
  return isAnswered ? pendingRequest : undefined;
}

/** Returns the `Set-Cookie` that deletes a pending request. */
export function clearPendingCookie(context: SignInContext, requestId: string): string {
  const isSecure = context.origin.startsWith("https:");
  return serializeCookie(getRequestCookieName(context, requestId), "", { isSecure, path: "/", maxAge: 0 });
}
