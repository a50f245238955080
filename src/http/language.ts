// The language of whoever asks for a page that is ours.

import { findLanguage, type Language, negotiateLanguage } from "../locales/languages";
import { getCookie, serializeCookie } from "./cookies";

const COOKIE = "octavo-language";
const YEAR = 365 * 24 * 60 * 60;

/** What `?lang=` says, what it said before, else what the browser prefers. */
export function languageOf({
  query,
  headers,
}: {
  readonly query: URLSearchParams;
  readonly headers: { get(name: string): string | null };
}): Language {
  return (
    findLanguage(query.get("lang")) ??
    findLanguage(getCookie(headers.get("cookie"), COOKIE)) ??
    negotiateLanguage(headers.get("accept-language"))
  );
}

/** The `Set-Cookie` that remembers what `?lang=` says; undefined where it says nothing. */
export function rememberLanguage(query: URLSearchParams, isSecure: boolean): string | undefined {
  const chosen = findLanguage(query.get("lang"));
  return chosen && serializeCookie(COOKIE, chosen, { isSecure, path: "/", maxAge: YEAR });
}
