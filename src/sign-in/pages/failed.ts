// What went wrong, as a page. Reasons that people meet are told in their language; the others in English, because they
// are for whoever runs the server.

import type { DocsError } from "../../errors";
import type { PlainResponse } from "../../http/plain-request";
import { html } from "../../utils/html";
import type { SignInContext, SignInRequest } from "../parts";
import { linkButton, problem } from "./blocks";
import { getRequestLanguage, show } from "./page";
import { wordsIn } from "./words";

/** The page of a failure. */
export function failedPage(house: SignInContext, request: SignInRequest, error: DocsError): PlainResponse {
  const words = wordsIn(getRequestLanguage(request));
  const { status, reason, headers } = error;
  const told: { readonly [reason: string]: string } = {
    cross_site: words.crossSite,
    rate_limited: words.tooMany,
    route_not_found: words.notFoundWhy,
    user_disabled: words.disabled,
  };
  const sentence = Object.hasOwn(told, reason) ? told[reason] : html`<span lang="en">${error.message}</span>`;
  const home = house.urlOf("/sign-in");
  return show(house, request, {
    title: status === 404 ? words.notFound : words.wrong,
    status,
    headers,
    main: html`${problem(sentence)}${reason === "cross_site" && html`<p><a href="${home}">${home}</a></p>`}
${linkButton(home, words.back, { isSecond: true })}`,
  });
}
