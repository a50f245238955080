// Signing in with the host's OpenID Connect providers: code flow with PKCE. The protocol is that of `oauth4webapi`; what is
// ours is whom a provider means, and that an attempt belongs to one browser.

import * as oauth from "oauth4webapi";
import { DocsError } from "../../errors";
import type { PlainResponse } from "../../http/plain-request";
import { DIRECTORY } from "../../storage/ids";
import { html } from "../../utils/html";
import { parseUrl } from "../../utils/url";
import { beginSession, redirectAfterSignIn } from "../begin-session";
import type { SignInButton, SignInButtonFactory, SignInContext, SignInRequest, SignInRouteFactory } from "../context";
import { joinOrganizationsByDomain } from "../email/admission";
import { renderErrorMessage, renderLinkButton } from "../pages/blocks";
import { toLocalPath } from "../pages/forms";
import { getPageMessages } from "../pages/messages";
import { createRedirect, getRequestLanguage, showPage } from "../pages/page";
import { createAttemptCookie, createSignInAttempt, findSignInAttempt, type SignInAttempt } from "./attempt";
import { getOpenIdMessages } from "./messages";
import { createDiscovery, getRequestOptions, type OpenIdProvider, resolveOpenIdProviders } from "./providers";
import { checkNewcomer, type ProviderClaims, parseProviderClaims, resolveLinkedUser } from "./resolve-user";

export const createOpenIdRoutes: SignInRouteFactory = (context) => {
  const providers = resolveOpenIdProviders(context);
  if (providers.length === 0) return [];
  const discover = createDiscovery(context);
  return providers.flatMap((provider) => {
    const path = getProviderPath(provider);
    return [
      { method: "GET", path, handle: (request) => redirectToAuthorization(context, provider, discover, request) },
      {
        method: "GET",
        path: `${path}/callback`,
        handle: (request) => handleCallback(context, provider, discover, request),
      },
      { method: "GET", path: `${path}/sign-out`, handle: () => redirectToEndSession(context, provider, discover) },
    ];
  });
};

/** The buttons of the page to sign in. */
export const createOpenIdButtons: SignInButtonFactory = (context) =>
  resolveOpenIdProviders(context).map((provider): SignInButton => {
    const path = getProviderPath(provider);
    return { name: provider.label, path, signOut: { by: "openid-connect", path: `${path}/sign-out` } };
  });

function getProviderPath({ id }: OpenIdProvider): string {
  return `/sign-in/openid-connect/${id}`;
}

type DiscoverProvider = ReturnType<typeof createDiscovery>;

async function redirectToAuthorization(
  context: SignInContext,
  provider: OpenIdProvider,
  discover: DiscoverProvider,
  request: SignInRequest,
): Promise<PlainResponse> {
  const server = await discover(provider).catch((error: unknown) => reportUnreachable(context, error));
  if (!server?.authorization_endpoint) return showFailurePage(context, request, provider, "unreachable");
  const to = toLocalPath(context.origin, request.query.get("to")) ?? null;
  const attempt = createSignInAttempt(context, provider.id, to);
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
}

/** What goes wrong on the way to a provider is for whoever runs the server. A mistake of the host's options is told. */
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
  const attempt = await findSignInAttempt(context, request, provider.id);
  if (!attempt) return showFailurePage(context, request, provider, "lost");
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
  const entered = await context.kernel.store.write(DIRECTORY, async (tx) => {
    const person = await resolveLinkedUser(tx, context, claims);
    if (!person) return undefined;
    const { setCookie } = await beginSession(tx, context, request, { user: person.id, by: "openid-connect" });
    return { person, setCookie };
  });
  if (!entered) return showFailurePage(context, request, provider, "unknown");
  const { isNew, ...user } = entered.person;
  if (isNew) await joinOrganizationsByDomain(context, user);
  return redirectAfterSignIn(context, entered.setCookie, attempt.to, [await createAttemptCookie(context, undefined)]);
}

/** What the provider says of whoever comes back from it, once everything about the answer is checked. */
async function fetchClaims(
  context: SignInContext,
  provider: OpenIdProvider,
  server: oauth.AuthorizationServer,
  attempt: SignInAttempt,
  request: SignInRequest,
): Promise<ProviderClaims> {
  const calls = getRequestOptions(context, provider);
  const { store } = context.kernel;
  // The clock is that of the API, as everywhere.
  const client = { ...provider.client, [oauth.clockSkew]: Math.round((store.now().getTime() - Date.now()) / 1000) };
  const parameters = oauth.validateAuthResponse(server, client, request.query, attempt.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    provider.authentication,
    parameters,
    provider.redirectUri,
    attempt.verifier,
    calls,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: attempt.nonce,
    requireIdToken: true,
  });
  // The answer came over https, which would do by the specification. The signature is checked all the same.
  await oauth.validateApplicationLevelSignature(server, response, calls);
  const claims = oauth.getValidatedIdTokenClaims(tokens)!;
  const trusts = provider.options.trustsEmails === true;
  if (claims.email !== undefined || server.userinfo_endpoint === undefined)
    return parseProviderClaims(server.issuer, claims.sub, claims, trusts);
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, calls);
  const more = await oauth.processUserInfoResponse(server, client, claims.sub, info);
  return parseProviderClaims(server.issuer, claims.sub, { ...claims, ...more }, trusts);
}

/** Leads to the provider's own page to sign out, where it has one. */
async function redirectToEndSession(
  context: SignInContext,
  provider: OpenIdProvider,
  discover: DiscoverProvider,
): Promise<PlainResponse> {
  const server = await discover(provider).catch((error: unknown) => reportUnreachable(context, error));
  const home = context.getUrl("/sign-in");
  if (!server?.end_session_endpoint) return createRedirect(context, home);
  const url = parseUrl(server.end_session_endpoint);
  url.searchParams.set("client_id", provider.client.client_id);
  url.searchParams.set("post_logout_redirect_uri", home);
  return createRedirect(context, url.href);
}

/** The page of an attempt that came to nothing. It says nothing of who is known here. */
async function showFailurePage(
  context: SignInContext,
  request: SignInRequest,
  { label }: OpenIdProvider,
  why: keyof ReturnType<typeof getOpenIdMessages> | "unknown",
): Promise<PlainResponse> {
  const language = getRequestLanguage(request);
  const messages = getPageMessages(language);
  const sentence = why === "unknown" ? messages.unknownWhy : getOpenIdMessages(language)[why](label);
  // The links to other languages must not carry what the provider sent along.
  return showPage(
    context,
    { ...request, query: new URLSearchParams() },
    {
      title: why === "unknown" ? messages.unknown : messages.wrong,
      status: why === "unreachable" ? 502 : 403,
      cookies: [await createAttemptCookie(context, undefined)],
      main: html`${renderErrorMessage(sentence)}${renderLinkButton(context.getUrl("/sign-in"), messages.back, { isSecondary: true })}`,
    },
  );
}
