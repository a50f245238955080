// The page of a link that can not be used any more, or never could.

import type { PlainResponse } from "../../http/plain-request";
import { html } from "../../utils/html";
import type { SignInContext, SignInRequest } from "../parts";
import { linkButton } from "./blocks";
import { getRequestLanguage, show } from "./page";
import { wordsIn } from "./words";

export function linkEndedPage(
  house: SignInContext,
  request: SignInRequest,
  cookies: readonly string[] = [],
): PlainResponse {
  const words = wordsIn(getRequestLanguage(request));
  return show(house, request, {
    title: words.linkEnded,
    status: 410,
    cookies,
    main: html`<p>${words.linkEndedWhy}</p>${linkButton(house.urlOf("/sign-in"), words.askAgain)}`,
  });
}
