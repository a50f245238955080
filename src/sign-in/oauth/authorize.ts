// The authorization page, on which a user allows a client to act for them. It is shown every time: anybody can register a
// client under any name, so no request is granted without a decision. An invalid request ends on a page, without a redirect.

import { getCookie, serializeCookie } from "../../http/cookies";
import type { PlainResponse } from "../../http/plain-request";
import { formatMessage } from "../../locales/format-message";
import type { OpenSession } from "../../resources/people/sessions/records";
import { generateSecret, toolCodes } from "../../resources/people/tokens/tool-codes";
import { DIRECTORY } from "../../storage/ids";
import { html, type Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { parseUrl, tryDecodeUriComponent } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { findBrowserSession, listReachableOrganizations } from "../find-session";
import { renderButton, renderErrorMessage, renderForm, renderLinkButton, renderList } from "../pages/blocks";
import { readFormFields } from "../pages/forms";
import { createRedirect, showPage } from "../pages/page";
import {
  type AuthorizationRequest,
  authorizationParameters,
  parseAuthorizationRequest,
  type RequestFlaw,
} from "./authorization-request";
import { getClientKey } from "./clients";

const CODE_LIFETIME_MS = 60_000;

/** The cookie with the request of a user who has to sign in first. The request is too long for the query of the sign-in page. */
const REQUEST_COOKIE = "octavo-tool";
const REQUEST_COOKIE_SECONDS = 30 * 60;

function createRequestCookie({ origin, basePath }: SignInContext, query: string, maxAge: number): string {
  const path = `${basePath}/oauth/authorize`;
  return serializeCookie(REQUEST_COOKIE, encodeURIComponent(query), {
    isSecure: origin.startsWith("https:"),
    path,
    maxAge,
  });
}

export async function showAuthorizationPage(context: SignInContext, request: SignInRequest): Promise<PlainResponse> {
  const cookie = getCookie(request.headers.get("cookie"), REQUEST_COOKIE);
  let parameters = request.query;
  if (!parameters.has("client_id") && cookie !== undefined)
    parameters = new URLSearchParams(tryDecodeUriComponent(cookie));
  const authorizationRequest = parseAuthorizationRequest(context, parameters);
  if (typeof authorizationRequest === "string") return showFlawPage(context, request, authorizationRequest);
  const session = await findBrowserSession(context, request);
  if (!session) {
    const to = encodeURIComponent(`${context.basePath}/oauth/authorize`);
    const setCookie = createRequestCookie(context, parameters.toString(), REQUEST_COOKIE_SECONDS);
    return createRedirect(context, `${context.getUrl("/sign-in")}?to=${to}`, [setCookie]);
  }

  const { client, redirectUri, scopes } = authorizationRequest;
  // The page shows the host of the redirect URI, or its private-use scheme.
  const url = parseUrl(redirectUri);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  const messages = request.messages.oauth;
  const hiddenFields: Record<string, string | undefined> = {};
  for (const name of authorizationParameters) hiddenFields[name] = parameters.get(name) ?? undefined;
  hiddenFields.user = session.actor.user.id;
  return showPage(context, request, {
    title: formatMessage(messages.allowTitle, { name: client.name }),
    // The directive `form-action` can't express IPv6 addresses.
    formTargets: [isWeb && !url.hostname.startsWith("[") ? url.origin : url.protocol],
    main: renderForm(
      context.getUrl("/oauth/authorize"),
      html`${await renderConsent(context, request, session, scopes)}
<p>${messages.leadsTo} <strong><bdi>${isWeb ? url.host : url.protocol}</bdi></strong></p>
${renderDecisionButtons(request)}`,
      hiddenFields,
    ),
  });
}

/** Renders the account, the organizations and the scopes of a request. The user can uncheck each scope. */
export async function renderConsent(
  context: SignInContext,
  request: SignInRequest,
  session: OpenSession,
  scopes: readonly string[],
): Promise<Markup> {
  const messages = request.messages.oauth;
  const { displayName, email } = session.actor.user;
  const organizations = await listReachableOrganizations(context, session);
  const renderScopes = (title: string, group: readonly string[]) => {
    const checkboxes = group.map(
      (scope) =>
        html`<label><input type="checkbox" name="allowed" value="${scope}" checked> ${scope.split(":")[0]}</label> `,
    );
    return group.length > 0 && html`<fieldset><legend>${title}</legend>${checkboxes}</fieldset>`;
  };
  const readScopes = scopes.filter((scope) => scope.endsWith(":read"));
  const writeScopes = scopes.filter((scope) => !scope.endsWith(":read"));
  return html`<p>${formatMessage(request.messages.signIn.signedInAs, { name: displayName, email })}</p>
<p class="note">${messages.unchecked}</p>
<h2>${messages.reaches}</h2>
${renderList(
  "list",
  organizations.map((name) => html`<bdi>${name}</bdi>`),
)}
${renderScopes(messages.reads, readScopes)}${renderScopes(messages.changes, writeScopes)}`;
}

export function renderDecisionButtons(request: SignInRequest): Markup {
  const messages = request.messages.oauth;
  return html`${renderButton(messages.allow, { name: "decision", value: "allow" })}
${renderButton(messages.deny, { name: "decision", value: "deny", isSecondary: true })}`;
}

/** Returns the requested scopes that the user left checked, or undefined if they denied the request. */
export function readAllowedScopes(fields: URLSearchParams, scopes: readonly string[]): readonly string[] | undefined {
  if (fields.get("decision") !== "allow") return undefined;
  const allowed = fields.getAll("allowed");
  return scopes.filter((scope) => allowed.includes(scope));
}

/** Handles the form of the authorization page. */
export async function handleDecision(context: SignInContext, request: SignInRequest): Promise<PlainResponse> {
  const fields = await readFormFields(request);
  const authorizationRequest = parseAuthorizationRequest(context, fields);
  if (typeof authorizationRequest === "string") return showFlawPage(context, request, authorizationRequest);
  const session = await findBrowserSession(context, request);
  // Another user has signed in since the page was shown, and has to see it first.
  if (session?.actor.user.id !== fields.get("user")) {
    const query = new URLSearchParams(
      authorizationParameters.flatMap((name) => (fields.has(name) ? [[name, fields.get(name)!]] : [])),
    );
    return createRedirect(context, context.getUrl(`/oauth/authorize?${query}`));
  }
  const scopes = readAllowedScopes(fields, authorizationRequest.scopes);
  const cookies = [createRequestCookie(context, "", 0)];
  if (!scopes) return redirectToClient(context, authorizationRequest, { error: "access_denied" }, cookies);
  if (scopes.length === 0) return showFlawPage(context, request, "scope");

  const { client, redirectUri, challenge } = authorizationRequest;
  const { actor } = session!;
  const { store } = context.kernel;
  const { value: code, hash } = generateSecret(store.random);
  await store.write(DIRECTORY, async (tx) => {
    await toolCodes.put(tx, {
      hash,
      client: getClientKey(client),
      name: client.name,
      user: actor.user.id,
      scopes,
      passed: actor.samlProviderIds ?? [],
      redirectUri,
      challenge,
      endsAt: new Date(store.now().getTime() + CODE_LIFETIME_MS).toISOString(),
    });
  });
  return redirectToClient(context, authorizationRequest, { code }, cookies);
}

/** Redirects to the client with an authorization response, which names this server as its issuer (RFC 9207). */
function redirectToClient(
  context: SignInContext,
  { redirectUri, state }: AuthorizationRequest,
  response: Readonly<Record<string, string>>,
  cookies: readonly string[],
): PlainResponse {
  const query = new URLSearchParams({
    ...response,
    ...omitUndefined({ state: state ?? undefined }),
    iss: context.getUrl(""),
  });
  // The redirect URI is used exactly as it was registered, not in a normalized form.
  const separator = redirectUri.includes("?") ? "&" : "?";
  return createRedirect(context, `${redirectUri}${separator}${query}`, cookies);
}

export function showFlawPage(context: SignInContext, request: SignInRequest, flaw: RequestFlaw): PlainResponse {
  const messages = request.messages.oauth;
  return showPage(context, request, {
    title: messages.flawed,
    status: 400,
    main: html`${renderErrorMessage(messages.flaws[flaw])}
${renderLinkButton(context.getUrl("/sign-in"), request.messages.signIn.back, { isSecondary: true })}`,
  });
}
