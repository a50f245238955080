// The pages that are shown instead of the one that was requested.

import type { DocsError } from "../../errors";
import type { PlainResponse } from "../../http/plain-request";
import { html } from "../../utils/html";
import type { SignInContext, SignInRequest } from "../context";
import { renderErrorMessage, renderLinkButton } from "./blocks";
import { showPage } from "./page";

/**
 * Shows an error. Reasons that users meet are explained in their language. The texts of the others are English, because they
 * are meant for whoever runs the server.
 */
export function showErrorPage(context: SignInContext, request: SignInRequest, error: DocsError): PlainResponse {
  const messages = request.messages.signIn;
  const { status, reason, headers } = error;
  const translations: { readonly [reason: string]: string } = {
    cross_site: messages.crossSite,
    rate_limited: messages.tooMany,
    route_not_found: messages.notFoundWhy,
    user_disabled: messages.disabled,
  };
  const text = Object.hasOwn(translations, reason)
    ? translations[reason]
    : html`<span lang="en">${error.message}</span>`;
  const signInUrl = context.getUrl("/sign-in");
  return showPage(context, request, {
    title: status === 404 ? messages.notFound : messages.wrong,
    status,
    headers,
    main: html`${renderErrorMessage(text)}${
      reason === "cross_site" && html`<p><a href="${signInUrl}">${signInUrl}</a></p>`
    }
${renderLinkButton(signInUrl, messages.back, { isSecondary: true })}`,
  });
}

/** Shows that a link is used or expired, or never existed. */
export function showLinkEndedPage(
  context: SignInContext,
  request: SignInRequest,
  cookies: readonly string[] = [],
): PlainResponse {
  const messages = request.messages.signIn;
  return showPage(context, request, {
    title: messages.linkEnded,
    status: 410,
    cookies,
    main: html`<p>${messages.linkEndedWhy}</p>${renderLinkButton(context.getUrl("/sign-in"), messages.askAgain)}`,
  });
}
