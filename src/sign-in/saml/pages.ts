// The pages of signing in by SAML. All that is refused is one page with one sentence: what exactly was wrong is in the audit
// log, for the admins.

import type { PlainResponse } from "../../http/plain-request";
import { html } from "../../utils/html";
import { parseUrl } from "../../utils/url";
import { button, form, linkButton, named, note, problem } from "../pages/blocks";
import { getRequestLanguage, type Page, show } from "../pages/page";
import { wordsIn } from "../pages/words";
import type { SignInContext, SignInRequest } from "../parts";
import type { Found } from "./found";
import { samlWordsIn } from "./words";

const both = (request: SignInRequest) => {
  const language = getRequestLanguage(request);
  return { words: wordsIn(language), saml: samlWordsIn(language) };
};

/** Shows a page once. The code in its address is spent, so it cannot be opened again in another language. */
function showOnce(house: SignInContext, request: SignInRequest, page: Page): PlainResponse {
  return show(house, { ...request, method: "POST" }, page);
}

/** The message was not accepted. */
export function refusedPage(house: SignInContext, request: SignInRequest, { provider, service }: Found): PlainResponse {
  const { saml } = both(request);
  return showOnce(house, request, {
    title: saml.refused,
    status: 403,
    main: html`${problem(saml.refusedWhy(provider.label))}${linkButton(service.startURL, saml.again)}`,
  });
}

/** The answer came to another browser, too late, or twice. */
export function beginAgainPage(house: SignInContext, request: SignInRequest, { service }: Found): PlainResponse {
  const { saml } = both(request);
  return showOnce(house, request, {
    title: saml.beginAgain,
    status: 403,
    main: html`${problem(saml.beginAgainWhy)}${linkButton(service.startURL, saml.again)}`,
  });
}

/** The provider did not say which address somebody has. */
export function missingEmailPage(house: SignInContext, request: SignInRequest, { provider }: Found): PlainResponse {
  const { saml } = both(request);
  return showOnce(house, request, {
    title: saml.missing,
    status: 403,
    main: problem(saml.missingWhy(provider.label)),
  });
}

/** The provider is not believed about the address. Whether somebody has it here is not said. */
export function signInFirstPage(house: SignInContext, request: SignInRequest, found: Found, to: string): PlainResponse {
  const { words, saml } = both(request);
  const start = `${parseUrl(found.service.startURL).pathname}?${new URLSearchParams({ to })}`;
  const signIn = `${house.urlOf("/sign-in")}?${new URLSearchParams({ to: start })}`;
  return showOnce(house, request, {
    title: saml.first,
    status: 403,
    main: html`${problem(saml.firstWhy(found.provider.label))}${linkButton(signIn, words.signIn)}`,
  });
}

/** Asks whether the provider may sign somebody in from now on. */
export function confirmPage(
  house: SignInContext,
  request: SignInRequest,
  found: Found,
  question: string,
): PlainResponse {
  const { saml } = both(request);
  const { organization, provider, service } = found;
  return showOnce(house, request, {
    title: saml.connect,
    main: html`<p>${saml.connectWhy(provider.label)}</p>${note(named(organization.title))}
${form(service.acsURL.replace(/acs$/, "confirm"), button(saml.connectYes), { question })}`,
  });
}

/** The organization has switched a member off. */
export function switchedOffPage(house: SignInContext, request: SignInRequest): PlainResponse {
  const { words } = both(request);
  return showOnce(house, request, { title: words.wrong, status: 403, main: problem(words.disabled) });
}

/** Somebody has signed out, here or at their provider. */
export function signedOutPage(house: SignInContext, request: SignInRequest, cookies: readonly string[]): PlainResponse {
  const { words } = both(request);
  const home = house.urlOf("/sign-in");
  return showOnce(house, request, { title: words.signedOut, cookies, main: linkButton(home, words.back) });
}
