// The page of the application. It holds nothing but the names of the files: what somebody may see comes from the API.

import type { ApiInternals } from "../api/internals";
import { buildPolicySources } from "../http/content-security-policy";
import { getRequestLanguage, rememberLanguage } from "../http/language";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { parseTarget, readRequestUrl } from "../http/request-target";
import { getLanguageTag, getTextDirection } from "../locales/languages";
import { html } from "../utils/html";
import { omitUndefined } from "../utils/objects";
import { parseUrl, toLocation } from "../utils/url";
import { loadFiles, OWN } from "./assets";

/** The page, or the way to sign in for somebody who has not. */
export async function applicationPage(
  { origin, basePath, cookie, kernel }: ApiInternals,
  request: PlainRequest,
): Promise<PlainResponse> {
  const { pathname, search, searchParams: query } = parseTarget(request.url, origin)!;
  const signIn = `${basePath}/sign-in`;
  if (cookie.getValue(request) === undefined) {
    const to = `${signIn}?${new URLSearchParams({ to: `${pathname}${search}` })}`;
    return { status: 303, headers: { location: toLocation(to, origin), "cache-control": "no-store" }, body: undefined };
  }
  const { entry } = await loadFiles();
  const language = getRequestLanguage({ query, headers: request.headers });
  const nonce = crypto.randomUUID();
  const kept = rememberLanguage(query, origin.startsWith("https:"));
  const page = html`<!DOCTYPE html>
<html lang="${getLanguageTag(language)}" dir="${getTextDirection(language)}">
<head>
<meta charset="utf-8">
<title>Octavo</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${OWN}${entry.style}">
<link rel="icon" href="data:,">
<script type="module" src="${OWN}${entry.script}"></script>
</head>
<body>
<div id="console" data-api="${basePath}" data-sign-in="${signIn}" data-language="${language}" data-nonce="${nonce}"></div>
<noscript><p>The console needs JavaScript. Published sites do not.</p></noscript>
</body>
</html>
`;
  return {
    status: 200,
    headers: headersOf(nonce, { scripts: scriptSources(request, origin), sites: kernel.urls.sites.origin }),
    body: page.text,
    ...omitUndefined({ cookies: kept === undefined ? undefined : [kept] }),
  };
}

/** Only the folder of the application: elsewhere at this origin integrations answer with scripts of theirs. */
function scriptSources(request: PlainRequest, origin: string): string {
  const asked = readRequestUrl(request, origin);
  const { host } = parseUrl(origin);
  // A proxy may have changed the host that the browser asked.
  return buildPolicySources(asked ? [asked.host, host] : [host], OWN);
}

/** Nothing runs but the application's own files. The nonce is for the style that the editor makes. */
function headersOf(
  nonce: string,
  { scripts, sites }: { readonly scripts: string; readonly sites: string },
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Images of pages that are written here may be anywhere.
    "img-src 'self' data: blob: https: http:",
    "connect-src 'self'",
    "font-src 'self'",
    `frame-src 'self' ${sites}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Drawn pages go into the frame of the preview, where no script runs.
    "trusted-types octavo-preview",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
    vary: "accept-language, cookie",
  };
}
