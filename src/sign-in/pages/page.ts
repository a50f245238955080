// Responds with a page in the language of the request. Its headers allow no scripts, resources or frames, and keep it out of
// caches. Pages work without scripts, so there is none.

import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { createError, DocsError } from "../../errors";
import { getRequestLanguage, rememberLanguage } from "../../http/language";
import type { PlainResponse } from "../../http/plain-request";
import { getLanguageTag, getTextDirection, type Language, languageNames } from "../../locales/languages";
import { type HtmlValue, html, Markup } from "../../utils/html";
import { toLocation, tryParseUrl } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { pageMessages } from "./messages";

/** System fonts, light and dark, in both text directions. Inlined in each page; the policy names their hash. */
const style = `:root {
  color-scheme: light dark;
  --text: #1d2329; --quiet: #55606b; --line: #d9dee3; --paper: #ffffff; --shade: #f5f7f9; --accent: #1c5bb0;
  --edge: #8a949e; --note: #fff6de; --note-line: #d9a514; --bad: #a3261e; --bad-back: #fdeceb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8ec; --quiet: #a3aeb9; --line: #323a42; --paper: #14181c; --shade: #1b2025; --accent: #8ab8ff;
    --edge: #77828d; --note: #2f2812; --note-line: #b98f1c; --bad: #ff9c93; --bad-back: #3a1a18;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: grid; grid-template-rows: auto 1fr auto; background: var(--shade); color: var(--text); \
font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
header, footer { padding: .8rem 1.25rem; }
header a { font-weight: 650; color: var(--text); text-decoration: none; }
main { width: 100%; max-width: 28rem; margin: 0 auto; padding: 1.5rem 1.25rem 2rem; background: var(--paper); }
h1 { margin: 0 0 .75rem; font-size: clamp(1.5rem, 1.2rem + 1.2vw, 1.8rem); line-height: 1.25; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.05rem; line-height: 1.3; }
p { margin: 0 0 .85rem; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
label { display: block; font-weight: 600; font-size: .9375rem; margin-block-end: .25rem; }
.hint { color: var(--quiet); font-size: .9375rem; margin: .25rem 0 0; }
input:not([type="hidden"]) { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); \
border-radius: 7px; padding: .55rem .7rem; }
input[aria-invalid="true"] { border-color: var(--bad); }
input.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: .12em; \
text-transform: uppercase; direction: ltr; }
code, .shown-code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.shown-code { display: block; font-size: 1.5rem; letter-spacing: .12em; padding: .6rem; text-align: center; background: var(--shade); \
border-radius: 7px; direction: ltr; }
form { margin: 0 0 1rem; }
form > div { margin-block-end: .85rem; }
.button, button { display: block; width: 100%; font: inherit; font-weight: 600; line-height: 1.5; text-align: center; text-decoration: none; \
cursor: pointer; padding: .55rem 1rem; border-radius: 7px; border: 1px solid var(--accent); background: var(--accent); color: var(--paper); }
.button.second, button.second { background: var(--paper); border-color: var(--edge); color: var(--text); }
.button:hover, button:hover { border-color: var(--text); }
.buttons { display: grid; gap: .6rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.or { display: flex; align-items: center; gap: .8rem; margin: 1.25rem 0; color: var(--quiet); }
.or::before, .or::after { content: ""; flex: 1; border-block-start: 1px solid var(--line); }
.note, .bad { padding: .6rem .9rem; border-inline-start: 3px solid var(--note-line); border-radius: 4px; background: var(--note); }
.bad { border-color: var(--bad); background: var(--bad-back); }
input + .bad { margin-block-start: .4rem; }
.list { list-style: none; margin: 0 0 1rem; padding: 0; }
.list > li { padding: .6rem 0; border-block-start: 1px solid var(--line); overflow-wrap: anywhere; }
.list > li:last-child { border-block-end: 1px solid var(--line); }
footer { color: var(--quiet); font-size: .9375rem; text-align: center; }
footer summary { cursor: pointer; display: inline-block; padding: .3rem .6rem; }
footer ul { display: flex; flex-wrap: wrap; justify-content: center; gap: .2rem 1rem; list-style: none; margin: .4rem auto 0; padding: 0; \
max-width: 40rem; }
footer li a { display: inline-block; padding: .15rem 0; }
@media (min-width: 40rem) {
  main { align-self: start; margin-block-start: 6vh; padding: 2.25rem 2.5rem; border: 1px solid var(--line); border-radius: 12px; }
}
@media print { header, footer { display: none; } body { background: none; } }
`;

export { getRequestLanguage };

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
  const language = getRequestLanguage(request);
  // A page that was requested with GET links to itself in the other languages.
  const languageLinks = Object.entries(languageNames).map(([code, name]) => {
    const query = new URLSearchParams(request.query);
    query.set("lang", code);
    const tag = getLanguageTag(code as Language);
    const mark = code === language && html` aria-current="true"`;
    return html`<li><a href="?${query.toString()}" lang="${tag}" hreflang="${tag}"${mark}>${name}</a></li>`;
  });
  const summary = html`<summary>${pageMessages[language].language}: ${languageNames[language]}</summary>`;
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

const MAX_BYTES = 64 * 1024;

/** Reads the fields of a form. Throws if the body is larger than `maxBytes`. */
export async function readFormFields(request: SignInRequest, maxBytes = MAX_BYTES): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new DocsError("invalid_request", { message: "Expected a form: `application/x-www-form-urlencoded`." });
  const bytes = await request.body(maxBytes);
  try {
    return new URLSearchParams(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw createError("invalid_request");
  }
}

const MAX_PATH_LENGTH = 2000;

/**
 * Returns a destination if it's a path of this origin, otherwise undefined. Every redirect after signing in is checked by this
 * function: one that leads to another host would help phishing.
 */
export function toLocalPath(origin: string, destination: string | null | undefined): string | undefined {
  if (
    !destination ||
    destination.length > MAX_PATH_LENGTH ||
    !/^\/(?![/\\])[\x21-\x7e]*$/.test(destination) ||
    destination.includes("\\")
  )
    return undefined;
  const url = tryParseUrl(destination, origin);
  if (!url) return undefined;
  // `/.//other.example` is a path, but without its dots it would be a host.
  if (url.origin !== origin || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search + url.hash;
}

/** Renders a form that posts to `action`. `hidden` adds hidden fields; undefined values are omitted. */
export function renderForm(
  action: string,
  inner: HtmlValue,
  hidden: Readonly<Record<string, string | undefined>> = {},
): Markup {
  const hiddenFields = Object.entries(hidden).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}">${hiddenFields}${inner}</form>`;
}

interface FormField {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly type?: "text" | "email" | "password";
  readonly value?: string | undefined;
  /** A text below the field. */
  readonly hint?: string | undefined;
  /** An error below the field. */
  readonly error?: string | undefined;
  /** The `autocomplete` token, such as `email` or `one-time-code`. Default: `off`. */
  readonly autocomplete?: string;
  readonly maxLength?: number;
  /** Styles the field for a code that is copied by eye. */
  readonly isCode?: boolean;
  /** Default: true. */
  readonly isRequired?: boolean;
}

export function renderFormField(fieldOptions: FormField): Markup {
  const { name, label, type = "text", value = "", hint, error, autocomplete = "off", maxLength = 255 } = fieldOptions;
  const { isRequired = true, isCode = false } = fieldOptions;
  const descriptionIds = [error !== undefined && `${name}-wrong`, hint !== undefined && `${name}-hint`].filter(Boolean);
  const attributes = [
    html`id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"`,
    html` maxlength="${maxLength}" dir="auto"`,
    isRequired && html` required`,
    isCode && html` class="code" autocapitalize="characters" spellcheck="false"`,
    error !== undefined && html` aria-invalid="true"`,
    descriptionIds.length > 0 && html` aria-describedby="${descriptionIds.join(" ")}"`,
  ];
  return html`<div><label for="${name}">${label}</label>
<input ${attributes}>
${error !== undefined && html`<p class="bad" id="${name}-wrong">${error}</p>`}${
  hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`
}</div>`;
}

/** Renders the button of a form. `name` and `value` are sent if the form has several buttons. */
export function renderButton(
  label: HtmlValue,
  {
    isSecondary = false,
    name,
    value,
  }: { readonly isSecondary?: boolean; readonly name?: string; readonly value?: string } = {},
): Markup {
  const attributes = name !== undefined && html` name="${name}" value="${value ?? ""}"`;
  return html`<button${isSecondary && html` class="second"`}${attributes}>${label}</button>`;
}

/** Renders a link that looks like a button. Unlike a form, a link may lead to another host. */
export function renderLinkButton(href: string, label: HtmlValue, { isSecondary = false } = {}): Markup {
  return html`<a class="button${isSecondary && " second"}" href="${href}">${label}</a>`;
}

/** Renders a list, or buttons one below the other. */
export function renderList(kind: "list" | "buttons", items: readonly HtmlValue[]): Markup {
  return html`<ul class="${kind}">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** Renders an error. Screen readers announce it at once. */
export function renderErrorMessage(inner: HtmlValue): Markup {
  return html`<p class="bad" role="alert">${inner}</p>`;
}
