// Signing in with the host's OpenID Connect providers: code flow with PKCE. The protocol is that of `oauth4webapi`; what is
// ours is whom a provider means, and that an attempt belongs to one browser.

import * as oauth from "oauth4webapi";
import { DocsError } from "../../errors";
import type { PlainResponse } from "../../http/plain-request";
import { DIRECTORY } from "../../storage/ids";
import { html } from "../../utils/html";
import { parseUrl } from "../../utils/url";
import { beginSession, enter } from "../begin-session";
import { joinByDomain } from "../email/admission";
import { linkButton, problem } from "../pages/blocks";
import { pathWithin } from "../pages/forms";
import { getRequestLanguage, seeOther, show } from "../pages/page";
import { wordsIn } from "../pages/words";
import type { SignInContext, SignInRequest, SignInRoute, Way, Ways } from "../parts";
import { type Attempt, attemptCookie, attemptOf, newAttempt } from "./attempt";
import { type Claims, claimsIn, personOf, refusalOf } from "./person";
import { callOptions, createDiscovery, type Provider, providersOf } from "./providers";
import { openIdWordsIn } from "./words";

export const openIdConnect: SignInRoute = (house) => {
  const providers = providersOf(house);
  if (providers.length === 0) return [];
  const discover = createDiscovery(house);
  return providers.flatMap((provider) => {
    const path = pathOf(provider);
    return [
      { method: "GET", path, answer: (request) => start(house, provider, discover, request) },
      { method: "GET", path: `${path}/callback`, answer: (request) => callback(house, provider, discover, request) },
      { method: "GET", path: `${path}/sign-out`, answer: () => signOut(house, provider, discover) },
    ];
  });
};

/** The buttons of the page to sign in. */
export const openIdWays: Ways = (house) =>
  providersOf(house).map((provider): Way => {
    const path = pathOf(provider);
    return { name: provider.label, path, signOut: { by: "openid-connect", path: `${path}/sign-out` } };
  });

function pathOf({ id }: Provider): string {
  return `/sign-in/openid-connect/${id}`;
}

type Discover = ReturnType<typeof createDiscovery>;

async function start(
  house: SignInContext,
  provider: Provider,
  discover: Discover,
  request: SignInRequest,
): Promise<PlainResponse> {
  const server = await discover(provider).catch((error: unknown) => unreachable(house, error));
  if (!server?.authorization_endpoint) return failed(house, request, provider, "unreachable");
  const to = pathWithin(house.origin, request.query.get("to")) ?? null;
  const attempt = newAttempt(house, provider.id, to);
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
  return seeOther(house, url.href, [await attemptCookie(house, attempt)]);
}

/** What goes wrong on the way to a provider is for whoever runs the server. A mistake of the host's options is told. */
function unreachable({ kernel }: SignInContext, error: unknown): undefined {
  if (error instanceof DocsError) throw error;
  kernel.jobs.onError(error);
  return undefined;
}

async function callback(
  house: SignInContext,
  provider: Provider,
  discover: Discover,
  request: SignInRequest,
): Promise<PlainResponse> {
  const attempt = await attemptOf(house, request, provider.id);
  if (!attempt) return failed(house, request, provider, "lost");
  let claims: Claims;
  try {
    claims = await claimsFor(house, provider, await discover(provider), attempt, request);
  } catch (error) {
    if (error instanceof DocsError) throw error;
    if (!(error instanceof oauth.AuthorizationResponseError)) house.kernel.jobs.onError(error);
    return failed(house, request, provider, "refused");
  }
  const refusal = await refusalOf(house, claims, attempt.to);
  if (refusal) return failed(house, request, provider, refusal);
  const entered = await house.kernel.store.write(DIRECTORY, async (tx) => {
    const person = await personOf(tx, house, claims);
    if (!person) return undefined;
    const { setCookie } = await beginSession(tx, house, request, { user: person.id, by: "openid-connect" });
    return { person, setCookie };
  });
  if (!entered) return failed(house, request, provider, "unknown");
  const { isNew, ...user } = entered.person;
  if (isNew) await joinByDomain(house, user);
  return enter(house, entered.setCookie, attempt.to, [await attemptCookie(house, undefined)]);
}

/** What the provider says of whoever comes back from it, once everything about the answer is checked. */
async function claimsFor(
  house: SignInContext,
  provider: Provider,
  server: oauth.AuthorizationServer,
  attempt: Attempt,
  request: SignInRequest,
): Promise<Claims> {
  const calls = callOptions(house, provider);
  const { store } = house.kernel;
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
    return claimsIn(server.issuer, claims.sub, claims, trusts);
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, calls);
  const more = await oauth.processUserInfoResponse(server, client, claims.sub, info);
  return claimsIn(server.issuer, claims.sub, { ...claims, ...more }, trusts);
}

/** Leads to the provider's own page to sign out, where it has one. */
async function signOut(house: SignInContext, provider: Provider, discover: Discover): Promise<PlainResponse> {
  const server = await discover(provider).catch((error: unknown) => unreachable(house, error));
  const home = house.urlOf("/sign-in");
  if (!server?.end_session_endpoint) return seeOther(house, home);
  const url = parseUrl(server.end_session_endpoint);
  url.searchParams.set("client_id", provider.client.client_id);
  url.searchParams.set("post_logout_redirect_uri", home);
  return seeOther(house, url.href);
}

/** The page of an attempt that came to nothing. It says nothing of who is known here. */
async function failed(
  house: SignInContext,
  request: SignInRequest,
  { label }: Provider,
  why: keyof ReturnType<typeof openIdWordsIn> | "unknown",
): Promise<PlainResponse> {
  const language = getRequestLanguage(request);
  const words = wordsIn(language);
  const sentence = why === "unknown" ? words.unknownWhy : openIdWordsIn(language)[why](label);
  // The links to other languages must not carry what the provider sent along.
  return show(
    house,
    { ...request, query: new URLSearchParams() },
    {
      title: why === "unknown" ? words.unknown : words.wrong,
      status: why === "unreachable" ? 502 : 403,
      cookies: [await attemptCookie(house, undefined)],
      main: html`${problem(sentence)}${linkButton(house.urlOf("/sign-in"), words.back, { isSecond: true })}`,
    },
  );
}
