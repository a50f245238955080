// The pages of SAML sign-in. Every refused message gets the same page. The audit log has the reason, for the admins.

import type { PlainResponse } from "../../http/plain-request";
import { formatMessage } from "../../locales/format-message";
import { html } from "../../utils/html";
import { parseUrl } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { renderButton, renderErrorMessage, renderForm, renderLinkButton } from "../pages/blocks";
import { type SignInPage, showPage } from "../pages/page";
import type { SamlConnection } from "./connection";

/** Shows a page without links to other languages. The code in its URL is used, so the page can't be requested again. */
function showOnce(context: SignInContext, request: SignInRequest, page: SignInPage): PlainResponse {
  return showPage(context, { ...request, method: "POST" }, page);
}

type SamlProblem =
  /** The message of the provider was refused. */
  | "refused"
  /** The response came to another browser, too late, or twice. */
  | "begin-again"
  | "missing-email"
  /** The user has to sign in another way first. It doesn't reveal whether there is a user with the address. */
  | "sign-in-first"
  | "disabled";

/** Shows why a sign-in ended. `to` is the path that the user wants to reach. */
export function showProblemPage(
  context: SignInContext,
  request: SignInRequest,
  { provider, service }: SamlConnection,
  problem: SamlProblem,
  to = "",
): PlainResponse {
  const { signIn: messages, saml } = request.messages;
  const { label } = provider;
  const again = renderLinkButton(service.startURL, saml.again);
  const start = `${parseUrl(service.startURL).pathname}?${new URLSearchParams({ to })}`;
  const signIn = `${context.getUrl("/sign-in")}?${new URLSearchParams({ to: start })}`;
  const { title, text, link } = {
    refused: { title: saml.refused, text: formatMessage(saml.refusedWhy, { provider: label }), link: again },
    "begin-again": { title: saml.beginAgain, text: saml.beginAgainWhy, link: again },
    "missing-email": {
      title: saml.missing,
      text: formatMessage(saml.missingWhy, { provider: label }),
      link: undefined,
    },
    "sign-in-first": {
      title: saml.first,
      text: formatMessage(saml.firstWhy, { provider: label }),
      link: renderLinkButton(signIn, messages.signIn),
    },
    disabled: { title: messages.wrong, text: messages.disabled, link: undefined },
  }[problem];
  return showOnce(context, request, { title, status: 403, main: html`${renderErrorMessage(text)}${link}` });
}

/** Asks whether the provider may sign the user in from now on. */
export function showConfirmPage(
  context: SignInContext,
  request: SignInRequest,
  connection: SamlConnection,
  question: string,
): PlainResponse {
  const { saml } = request.messages;
  const { organization, provider, service } = connection;
  return showOnce(context, request, {
    title: saml.connect,
    main: html`<p>${formatMessage(saml.connectWhy, { provider: provider.label })}</p><p class="note"><bdi>${organization.title}</bdi></p>
${renderForm(service.acsURL.replace(/acs$/, "confirm"), renderButton(saml.connectYes), { question })}`,
  });
}

/** Shows that the user has signed out, here or at the provider. */
export function showSignedOutPage(
  context: SignInContext,
  request: SignInRequest,
  cookies: readonly string[],
): PlainResponse {
  const messages = request.messages.signIn;
  const home = context.getUrl("/sign-in");
  return showOnce(context, request, {
    title: messages.signedOut,
    cookies,
    main: renderLinkButton(home, messages.back),
  });
}
