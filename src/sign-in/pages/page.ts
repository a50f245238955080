// A page as an answer: in the language of whoever asks, with headers that let nothing run, load or frame it, and that keep it
// out of caches. Pages work without scripts, so there is none.

import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { getRequestLanguage, rememberLanguage } from "../../http/language";
import type { PlainResponse } from "../../http/plain-request";
import { getLanguageTag, getTextDirection, type Language, languageNames } from "../../locales/languages";
import { html, Markup } from "../../utils/html";
import { toLocation } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../parts";
import { style } from "./style";
import { wordsIn } from "./words";

export { getRequestLanguage };

/** A page before it is put into its frame. */
export interface Page {
  readonly title: string;
  readonly main: Markup;
  /** Default: 200. */
  readonly status?: number;
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Other origins that a form of this page may lead to. Browsers check every redirect that follows a form. */
  readonly leadsTo?: readonly string[];
}

/** The answer that shows a page. */
export function show(
  house: Pick<SignInContext, "origin" | "basePath">,
  request: SignInRequest,
  page: Page,
): PlainResponse {
  const kept = rememberLanguage(request.query, house.origin.startsWith("https:"));
  return {
    status: page.status ?? 200,
    headers: { ...headersOf(page.leadsTo), "content-type": "text/html; charset=utf-8", ...page.headers },
    body: request.method === "HEAD" ? undefined : framed(house, request, page),
    cookies: [...(page.cookies ?? []), ...(kept ? [kept] : [])],
  };
}

/** The answer that leads on, always by GET. `to` is a URL, or a path of this origin. */
export function seeOther(
  { origin }: Pick<SignInContext, "origin">,
  to: string,
  cookies: readonly string[] = [],
): PlainResponse {
  return { status: 303, headers: { ...headersOf(), location: toLocation(to, origin) }, body: undefined, cookies };
}

/** Nothing runs, nothing is loaded, no other site frames a page, no cache keeps it, and no link tells where it was. */
function headersOf(leadsTo: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash()}'`,
    `form-action ${["'self'", ...leadsTo].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    // With `no-referrer` a browser would send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
    vary: "accept-language, cookie",
  };
}

let hash: string | undefined;

function styleHash(): string {
  hash ??= btoa(String.fromCharCode(...sha256(utf8ToBytes(style))));
  return hash;
}

function framed(house: Pick<SignInContext, "basePath">, request: SignInRequest, { title, main }: Page): string {
  const language = getRequestLanguage(request);
  const { text } = html`<html lang="${getLanguageTag(language)}" dir="${getTextDirection(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Octavo</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header><a href="${house.basePath}/sign-in">Octavo</a></header>
<main><h1>${title}</h1>
${main}</main>
<footer>${request.method === "GET" && choice(request, language)}</footer>
</body>
</html>`;
  return `<!doctype html>\n${text}\n`;
}

/** The same page in the other languages. */
function choice(request: SignInRequest, current: Language): Markup {
  const items = Object.entries(languageNames).map(([language, name]) => {
    const query = new URLSearchParams(request.query);
    query.set("lang", language);
    const tag = getLanguageTag(language as Language);
    const mark = language === current && html` aria-current="true"`;
    return html`<li><a href="?${query.toString()}" lang="${tag}" hreflang="${tag}"${mark}>${name}</a></li>`;
  });
  return html`<details><summary>${wordsIn(current).language}: ${languageNames[current]}</summary><ul>${items}</ul></details>`;
}
