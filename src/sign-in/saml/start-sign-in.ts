// Begins signing in: somebody is sent to the provider, and what belongs to the request waits in their browser.

import { getCookie, serializeCookie } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain-request";
import { toBase64url } from "../../storage/secrets";
import { parseUrl } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { toLocalPath } from "../pages/forms";
import { createRedirect } from "../pages/page";
import { createAuthnRequestUrl, createRequestId, getRequestTag, REQUEST_LIFETIME_MS } from "./authn-request";
import type { SamlConnection } from "./connection";

/** What waits in the browser while somebody is at their provider. */
export interface PendingRequest {
  readonly id: string;
  /** Where they want to get to: a path of this origin. */
  readonly to: string;
}

const getRequestCookieName = (context: SignInContext, id: string) =>
  `${context.origin.startsWith("https:") ? "__Host-" : ""}octavo-saml-${getRequestTag(id)}`;

function createPendingCookie(context: SignInContext, id: string, value: string): string {
  const isSecure = context.origin.startsWith("https:");
  const maxAge = value === "" ? 0 : REQUEST_LIFETIME_MS / 1000;
  return serializeCookie(getRequestCookieName(context, id), value, { isSecure, path: "/", maxAge });
}

/** Binds the answer to the cookie. The parameter comes back as it was sent, and may have 80 characters. */
function computeRelayState({ kernel }: SignInContext, cookie: string): string {
  return toBase64url(kernel.secrets.digest("saml-request", `relay ${cookie}`));
}

/** Sends somebody to the provider. */
export async function startSignIn(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
): Promise<PlainResponse> {
  const { kernel, origin, getUrl: urlOf } = context;
  const { provider, service } = connection;
  const now = kernel.store.now();
  const id = createRequestId(provider.id, kernel.secrets, now, kernel.store.random);
  const to = toLocalPath(origin, request.query.get("to")) ?? parseUrl(urlOf("/sign-in")).pathname;
  const begun: PendingRequest = { id, to };
  const cookie = await kernel.secrets.encrypt(JSON.stringify(begun), `saml-begun ${provider.id}`);
  const { entityID, acsURL } = service;
  const url = createAuthnRequestUrl(
    { id, ssoURL: provider.ssoURL!, entityID, acsURL, now },
    computeRelayState(context, cookie),
  );
  return createRedirect(context, url, [createPendingCookie(context, id, cookie)]);
}

/** What waits in this browser for the answer to a request; undefined when it is not here, or belongs to another answer. */
export async function findPendingRequest(
  context: SignInContext,
  request: SignInRequest,
  { provider }: SamlConnection,
  { requestId, relay }: { readonly requestId: string; readonly relay: string },
): Promise<PendingRequest | undefined> {
  const { secrets } = context.kernel;
  const cookie = getCookie(request.headers.get("cookie"), getRequestCookieName(context, requestId)) ?? "";
  const text = await secrets.decrypt(cookie, `saml-begun ${provider.id}`).catch(() => undefined);
  const begun = text === undefined ? undefined : (JSON.parse(text) as PendingRequest);
  const isHere = begun?.id === requestId && secrets.isDigest("saml-request", `relay ${cookie}`, relay);
  return isHere ? begun : undefined;
}

/** The `Set-Cookie` that takes it away. */
export function clearPendingCookie(context: SignInContext, requestId: string): string {
  return createPendingCookie(context, requestId, "");
}
