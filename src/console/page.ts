// The page of the application. It contains only the names of its files: all data comes from the API.

import type { ApiInternals } from "../api/internals";
import { buildPolicySources } from "../http/content-security-policy";
import { getRequestLanguage, rememberLanguage } from "../http/language";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { parseTarget, readRequestUrl } from "../http/request-target";
import { getLanguageTag, getTextDirection } from "../locales/languages";
import { html } from "../utils/html";
import { omitUndefined } from "../utils/objects";
import { parseUrl, toLocation } from "../utils/url";
import { ASSETS_PATH, loadFiles } from "./assets";

/** Renders the page, or redirects to the sign-in page without a session. */
export async function renderApplicationPage(
  { origin, basePath, cookie, kernel }: ApiInternals,
  request: PlainRequest,
): Promise<PlainResponse> {
  const { pathname, search, searchParams: query } = parseTarget(request.url, origin)!;
  const signIn = `${basePath}/sign-in`;
  if (cookie.getValue(request) === undefined) {
    const signInUrl = `${signIn}?${new URLSearchParams({ to: `${pathname}${search}` })}`;
    const headers = { location: toLocation(signInUrl, origin), "cache-control": "no-store" };
    return { status: 303, headers, body: undefined };
  }
  const { entry } = await loadFiles();
  const language = getRequestLanguage({ query, headers: request.headers });
  const nonce = crypto.randomUUID();
  const languageCookie = rememberLanguage(query, origin.startsWith("https:"));
  const page = html`<!DOCTYPE html>
<html lang="${getLanguageTag(language)}" dir="${getTextDirection(language)}">
<head>
<meta charset="utf-8">
<title>Octavo</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${ASSETS_PATH}${entry.style}">
<link rel="icon" href="data:,">
<script type="module" src="${ASSETS_PATH}${entry.script}"></script>
</head>
<body>
<div id="console" data-api="${basePath}" data-sign-in="${signIn}" data-language="${language}" data-nonce="${nonce}"></div>
<noscript><p>The console needs JavaScript. Published sites do not.</p></noscript>
</body>
</html>
`;
  // Scripts are allowed from the folder of the application only, because integrations serve their own scripts at this origin.
  // A proxy may have changed the host that the browser requested.
  const { host } = parseUrl(origin);
  const requestUrl = readRequestUrl(request, origin);
  const scripts = buildPolicySources(requestUrl ? [requestUrl.host, host] : [host], ASSETS_PATH);
  // The policy allows the application's own files only. The nonce is for the styles of the editor.
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Pages may contain images from any host.
    "img-src 'self' data: blob: https: http:",
    "connect-src 'self'",
    "font-src 'self'",
    `frame-src 'self' ${kernel.urls.sites.origin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Rendered pages are shown in the frame of the preview, which runs no scripts.
    "trusted-types octavo-preview",
  ];
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
      vary: "accept-language, cookie",
    },
    body: page.text,
    ...omitUndefined({ cookies: languageCookie === undefined ? undefined : [languageCookie] }),
  };
}
