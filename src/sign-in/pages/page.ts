// Responds with a page in the language of the request. Its headers allow no scripts, resources or frames, and keep it out of
// caches. Pages work without scripts, so there is none.

import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { rememberLanguage } from "../../http/language";
import type { PlainResponse } from "../../http/plain-request";
import { getLanguageTag, getTextDirection, type Language, languageNames } from "../../locales/languages";
import { html, Markup } from "../../utils/html";
import { toLocation } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { style } from "./style";

/** The content of a page, without the document around it. */
export interface SignInPage {
  readonly title: string;
  readonly main: Markup;
  /** Default: 200. */
  readonly status?: number;
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Other origins that a form of this page may lead to. Browsers check every redirect that follows a form. */
  readonly formTargets?: readonly string[];
}

export function showPage(
  context: Pick<SignInContext, "origin" | "basePath">,
  request: SignInRequest,
  page: SignInPage,
): PlainResponse {
  const { language } = request;
  // A page that was requested with GET links to itself in the other languages.
  const languageLinks = Object.entries(languageNames).map(([code, name]) => {
    const query = new URLSearchParams(request.query);
    query.set("lang", code);
    const tag = getLanguageTag(code as Language);
    const mark = code === language && html` aria-current="true"`;
    return html`<li><a href="?${query.toString()}" lang="${tag}" hreflang="${tag}"${mark}>${name}</a></li>`;
  });
  const summary = html`<summary>${request.messages.signIn.language}: ${languageNames[language]}</summary>`;
  const { text } = html`<html lang="${getLanguageTag(language)}" dir="${getTextDirection(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.title} · Octavo</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header><a href="${context.basePath}/sign-in">Octavo</a></header>
<main><h1>${page.title}</h1>
${page.main}</main>
<footer>${request.method === "GET" && html`<details>${summary}<ul>${languageLinks}</ul></details>`}</footer>
</body>
</html>`;
  const languageCookie = rememberLanguage(request.query, context.origin.startsWith("https:"));
  return {
    status: page.status ?? 200,
    headers: {
      ...createPageHeaders(page.formTargets),
      "content-type": "text/html; charset=utf-8",
      ...page.headers,
    },
    body: request.method === "HEAD" ? undefined : `<!doctype html>\n${text}\n`,
    cookies: [...(page.cookies ?? []), ...(languageCookie ? [languageCookie] : [])],
  };
}

/** Redirects to a URL or a path of this origin. The browser follows with GET. */
export function createRedirect(
  { origin }: Pick<SignInContext, "origin">,
  to: string,
  cookies: readonly string[] = [],
): PlainResponse {
  const headers = { ...createPageHeaders(), location: toLocation(to, origin) };
  return { status: 303, headers, body: undefined, cookies };
}

let styleHash: string | undefined;

/** Headers that forbid scripts, resources, frames and caching, and keep the URL of the page out of other sites' logs. */
function createPageHeaders(formTargets: readonly string[] = []): Record<string, string> {
  styleHash ??= btoa(String.fromCharCode(...sha256(utf8ToBytes(style))));
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    // With `no-referrer` a browser would send `Origin: null` with the forms of these pages.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
    vary: "accept-language, cookie",
  };
}
