// Sign-in with the OpenID Connect providers of the host, by the authorization code flow with PKCE. `oauth4webapi` implements the
// protocol; this folder binds an attempt to one browser, and finds the user whom a provider identifies.

import * as oauth from "oauth4webapi";
import { DocsError } from "../../errors";
import { getCookie, serializeCookie } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain-request";
import { formatMessage } from "../../locales/format-message";
import type { Messages } from "../../locales/messages";
import { DIRECTORY } from "../../storage/ids";
import { html } from "../../utils/html";
import { parseUrl } from "../../utils/url";
import { beginSession, redirectAfterSignIn } from "../begin-session";
import type { SignInButton, SignInButtonFactory, SignInContext, SignInRequest, SignInRouteFactory } from "../context";
import { joinOrganizationsByDomain } from "../email/admission";
import { renderErrorMessage, renderLinkButton } from "../pages/blocks";
import { toLocalPath } from "../pages/forms";
import { createRedirect, showPage } from "../pages/page";
import { createDiscovery, getRequestOptions, type OpenIdProvider, resolveOpenIdProviders } from "./providers";
import { checkNewcomer, type ProviderClaims, parseProviderClaims, resolveLinkedUser } from "./resolve-user";

export const createOpenIdRoutes: SignInRouteFactory = (context) => {
  const providers = resolveOpenIdProviders(context);
  if (providers.length === 0) return [];
  const discover = createDiscovery(context);
  return providers.flatMap((provider) => {
    const { path } = provider;
    return [
      {
        method: "GET",
        path,
        async handle(request) {
          const server = await discover(provider).catch((error: unknown) => reportUnreachable(context, error));
          if (!server?.authorization_endpoint) return showFailurePage(context, request, provider, "unreachable");
          const attempt: SignInAttempt = {
            provider: provider.id,
            state: oauth.generateRandomState(),
            nonce: oauth.generateRandomNonce(),
            verifier: oauth.generateRandomCodeVerifier(),
            to: toLocalPath(context.origin, request.query.get("to")) ?? null,
            endsAt: context.kernel.store.now().getTime() + MAX_AGE_SECONDS * 1000,
          };
          const url = parseUrl(server.authorization_endpoint);
          const parameters = {
            client_id: provider.client.client_id,
            redirect_uri: provider.redirectUri,
            response_type: "code",
            scope: provider.options.scope ?? "openid profile email",
            code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
            code_challenge_method: "S256",
            state: attempt.state,
            nonce: attempt.nonce,
          };
          for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
          return createRedirect(context, url.href, [await createAttemptCookie(context, attempt)]);
        },
      },
      {
        method: "GET",
        path: `${path}/callback`,
        handle: (request) => handleCallback(context, provider, discover, request),
      },
      {
        // Redirects to the page on which the provider signs out, if it has one.
        method: "GET",
        path: `${path}/sign-out`,
        async handle() {
          const server = await discover(provider).catch((error: unknown) => reportUnreachable(context, error));
          const home = context.getUrl("/sign-in");
          if (!server?.end_session_endpoint) return createRedirect(context, home);
          const url = parseUrl(server.end_session_endpoint);
          url.searchParams.set("client_id", provider.client.client_id);
          url.searchParams.set("post_logout_redirect_uri", home);
          return createRedirect(context, url.href);
        },
      },
    ];
  });
};

export const createOpenIdButtons: SignInButtonFactory = (context) =>
  resolveOpenIdProviders(context).map(
    ({ label, path }): SignInButton => ({
      name: label,
      path,
      signOut: { by: "openid-connect", path: `${path}/sign-out` },
    }),
  );

type DiscoverProvider = ReturnType<typeof createDiscovery>;

/** Reports to the host that a provider failed. An error of the API, such as an invalid option, is thrown. */
function reportUnreachable({ kernel }: SignInContext, error: unknown): undefined {
  if (error instanceof DocsError) throw error;
  kernel.jobs.onError(error);
  return undefined;
}

async function handleCallback(
  context: SignInContext,
  provider: OpenIdProvider,
  discover: DiscoverProvider,
  request: SignInRequest,
): Promise<PlainResponse> {
  const { secrets, store } = context.kernel;
  const cookie = getCookie(request.headers.get("cookie"), getAttemptCookieName(context));
  const json = cookie ? await secrets.decrypt(cookie, ENCRYPTION_CONTEXT).catch(() => undefined) : undefined;
  const attempt = json === undefined ? undefined : (JSON.parse(json) as SignInAttempt);
  if (!(attempt?.provider === provider.id && attempt.endsAt > store.now().getTime()))
    return showFailurePage(context, request, provider, "lost");
  let claims: ProviderClaims;
  try {
    claims = await fetchClaims(context, provider, await discover(provider), attempt, request);
  } catch (error) {
    if (error instanceof DocsError) throw error;
    if (!(error instanceof oauth.AuthorizationResponseError)) context.kernel.jobs.onError(error);
    return showFailurePage(context, request, provider, "refused");
  }
  const refusal = await checkNewcomer(context, claims, attempt.to);
  if (refusal) return showFailurePage(context, request, provider, refusal);
  const signedIn = await store.write(DIRECTORY, async (tx) => {
    const linkedUser = await resolveLinkedUser(tx, context, claims);
    if (!linkedUser) return undefined;
    const { setCookie } = await beginSession(tx, context, request, { user: linkedUser.id, by: "openid-connect" });
    return { linkedUser, setCookie };
  });
  if (!signedIn) return showFailurePage(context, request, provider, "unknown");
  const { isNew, ...user } = signedIn.linkedUser;
  if (isNew) await joinOrganizationsByDomain(context, user);
  return redirectAfterSignIn(context, signedIn.setCookie, attempt.to, [await createAttemptCookie(context, undefined)]);
}

/** Exchanges the authorization response for the claims of the user. All that the protocol requires is verified first. */
async function fetchClaims(
  context: SignInContext,
  provider: OpenIdProvider,
  server: oauth.AuthorizationServer,
  attempt: SignInAttempt,
  request: SignInRequest,
): Promise<ProviderClaims> {
  const requestOptions = getRequestOptions(context, provider);
  const { store } = context.kernel;
  // Times are checked by the clock of the API.
  const client = { ...provider.client, [oauth.clockSkew]: Math.round((store.now().getTime() - Date.now()) / 1000) };
  const parameters = oauth.validateAuthResponse(server, client, request.query, attempt.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    provider.authentication,
    parameters,
    provider.redirectUri,
    attempt.verifier,
    requestOptions,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: attempt.nonce,
    requireIdToken: true,
  });
  // The specification allows to rely on https alone. The signature is verified anyway.
  await oauth.validateApplicationLevelSignature(server, response, requestOptions);
  const claims = oauth.getValidatedIdTokenClaims(tokens)!;
  const trustsEmails = provider.options.trustsEmails === true;
  if (claims.email !== undefined || server.userinfo_endpoint === undefined)
    return parseProviderClaims(server.issuer, claims.sub, claims, trustsEmails);
  const userInfoResponse = await oauth.userInfoRequest(server, client, tokens.access_token, requestOptions);
  const userInfo = await oauth.processUserInfoResponse(server, client, claims.sub, userInfoResponse);
  return parseProviderClaims(server.issuer, claims.sub, { ...claims, ...userInfo }, trustsEmails);
}

/** Shows why a sign-in failed, without revealing which users exist. */
async function showFailurePage(
  context: SignInContext,
  request: SignInRequest,
  { label }: OpenIdProvider,
  reason: keyof Messages["oidc"] | "unknown",
): Promise<PlainResponse> {
  const { signIn: messages, oidc } = request.messages;
  const text = reason === "unknown" ? messages.unknownWhy : formatMessage(oidc[reason], { name: label });
  const backLink = renderLinkButton(context.getUrl("/sign-in"), messages.back, { isSecondary: true });
  // The links to other languages must not contain the parameters that the provider sent.
  return showPage(
    context,
    { ...request, query: new URLSearchParams() },
    {
      title: reason === "unknown" ? messages.unknown : messages.wrong,
      status: reason === "unreachable" ? 502 : 403,
      cookies: [await createAttemptCookie(context, undefined)],
      main: html`${renderErrorMessage(text)}${backLink}`,
    },
  );
}

/**
 * A sign-in that has begun, with the secrets of its authorization request. It is in an encrypted cookie while the user is at the
 * provider: nobody can read or forge it, and because it belongs to one browser, nobody can make somebody else sign in to an account.
 */
interface SignInAttempt {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path that the user wants to reach. */
  readonly to: string | null;
  readonly endsAt: number;
}

const MAX_AGE_SECONDS = 15 * 60;
const ENCRYPTION_CONTEXT = "openid-connect";

function getAttemptCookieName({ origin }: SignInContext): string {
  return origin.startsWith("https:") ? "__Host-octavo-openid" : "octavo-openid";
}

/** Returns the `Set-Cookie` that stores an attempt, or deletes the current one. */
async function createAttemptCookie(context: SignInContext, attempt: SignInAttempt | undefined): Promise<string> {
  const isSecure = context.origin.startsWith("https:");
  const value = attempt ? await context.kernel.secrets.encrypt(JSON.stringify(attempt), ENCRYPTION_CONTEXT) : "";
  return serializeCookie(getAttemptCookieName(context), value, {
    isSecure,
    path: "/",
    maxAge: attempt ? MAX_AGE_SECONDS : 0,
  });
}
