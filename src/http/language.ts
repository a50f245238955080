// Chooses the language of a page for the person who requests it.

import { findLanguage, type Language, negotiateLanguage } from "../locales/languages";
import { getCookie, serializeCookie } from "./cookies";
import type { PlainRequest } from "./plain-request";

const COOKIE_NAME = "octavo-language";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Returns the language that `?lang=` names now, or has named before, or else the one that the browser prefers. */
export function getRequestLanguage({
  query,
  headers,
}: Pick<PlainRequest, "headers"> & { readonly query: URLSearchParams }): Language {
  return (
    findLanguage(query.get("lang")) ??
    findLanguage(getCookie(headers.get("cookie"), COOKIE_NAME)) ??
    negotiateLanguage(headers.get("accept-language"))
  );
}

/** Returns the `Set-Cookie` header that remembers the language of `?lang=`; undefined if the query names none. */
export function rememberLanguage(query: URLSearchParams, isSecure: boolean): string | undefined {
  const language = findLanguage(query.get("lang"));
  return language && serializeCookie(COOKIE_NAME, language, { isSecure, path: "/", maxAge: YEAR_SECONDS });
}
