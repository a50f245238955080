// The language of whoever asks for a page that is ours.

import { type Language, languageNamed, preferredLanguage } from "../locales/languages";
import { cookieFor, cookieIn } from "./cookies";

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
    languageNamed(query.get("lang")) ??
    languageNamed(cookieIn(headers.get("cookie"), COOKIE)) ??
    preferredLanguage(headers.get("accept-language"))
  );
}

/** The `Set-Cookie` that remembers what `?lang=` says; undefined where it says nothing. */
export function rememberLanguage(query: URLSearchParams, isSecure: boolean): string | undefined {
  const chosen = languageNamed(query.get("lang"));
  return chosen && cookieFor(COOKIE, chosen, { isSecure, path: "/", maxAge: YEAR });
}
