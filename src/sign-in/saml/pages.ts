// The pages of SAML sign-in. Every refused message gets the same page. The audit log has the reason, for the admins.

import type { PlainResponse } from "../../http/plain-request";
import { html } from "../../utils/html";
import { parseUrl } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { renderButton, renderErrorMessage, renderForm, renderLinkButton } from "../pages/blocks";
import { pageMessages } from "../pages/messages";
import { getRequestLanguage, type SignInPage, showPage } from "../pages/page";
import type { SamlConnection } from "./connection";
import { samlMessages } from "./messages";

function getMessages(request: SignInRequest) {
  const language = getRequestLanguage(request);
  return { messages: pageMessages[language], saml: samlMessages[language] };
}

/** Shows a page without links to other languages. The code in its URL is used, so the page can't be requested again. */
function showOnce(context: SignInContext, request: SignInRequest, page: SignInPage): PlainResponse {
  return showPage(context, { ...request, method: "POST" }, page);
}

/** Shows that the message of a provider was refused. */
export function showRefusedPage(
  context: SignInContext,
  request: SignInRequest,
  { provider, service }: SamlConnection,
): PlainResponse {
  const { saml } = getMessages(request);
  return showOnce(context, request, {
    title: saml.refused,
    status: 403,
    main: html`${renderErrorMessage(saml.refusedWhy(provider.label))}${renderLinkButton(service.startURL, saml.again)}`,
  });
}

/** Shows that the response came to another browser, too late, or twice. */
export function showBeginAgainPage(
  context: SignInContext,
  request: SignInRequest,
  { service }: SamlConnection,
): PlainResponse {
  const { saml } = getMessages(request);
  return showOnce(context, request, {
    title: saml.beginAgain,
    status: 403,
    main: html`${renderErrorMessage(saml.beginAgainWhy)}${renderLinkButton(service.startURL, saml.again)}`,
  });
}

/** Shows that the assertion contains no e-mail address. */
export function showMissingEmailPage(
  context: SignInContext,
  request: SignInRequest,
  { provider }: SamlConnection,
): PlainResponse {
  const { saml } = getMessages(request);
  return showOnce(context, request, {
    title: saml.missing,
    status: 403,
    main: renderErrorMessage(saml.missingWhy(provider.label)),
  });
}

/** Shows that the user has to sign in another way first. It doesn't reveal whether there is a user with the address. */
export function showSignInFirstPage(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  to: string,
): PlainResponse {
  const { messages, saml } = getMessages(request);
  const start = `${parseUrl(connection.service.startURL).pathname}?${new URLSearchParams({ to })}`;
  const signIn = `${context.getUrl("/sign-in")}?${new URLSearchParams({ to: start })}`;
  return showOnce(context, request, {
    title: saml.first,
    status: 403,
    main: html`${renderErrorMessage(saml.firstWhy(connection.provider.label))}${renderLinkButton(signIn, messages.signIn)}`,
  });
}

/** Asks whether the provider may sign the user in from now on. */
export function showConfirmPage(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  question: string,
): PlainResponse {
  const { saml } = getMessages(request);
  const { organization, provider, service } = connection;
  return showOnce(context, request, {
    title: saml.connect,
    main: html`<p>${saml.connectWhy(provider.label)}</p><p class="note"><bdi>${organization.title}</bdi></p>
${renderForm(service.acsURL.replace(/acs$/, "confirm"), renderButton(saml.connectYes), { question })}`,
  });
}

/** Shows that the member is disabled. */
export function showDisabledPage(context: SignInContext, request: SignInRequest): PlainResponse {
  const { messages } = getMessages(request);
  return showOnce(context, request, {
    title: messages.wrong,
    status: 403,
    main: renderErrorMessage(messages.disabled),
  });
}

/** Shows that the user has signed out, here or at the provider. */
export function showSignedOutPage(
  context: SignInContext,
  request: SignInRequest,
  cookies: readonly string[],
): PlainResponse {
  const { messages } = getMessages(request);
  const home = context.getUrl("/sign-in");
  return showOnce(context, request, {
    title: messages.signedOut,
    cookies,
    main: renderLinkButton(home, messages.back),
  });
}
