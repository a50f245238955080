// The page for errors, and for URLs where nothing is published. It does not belong to a site: it is in the language of the reader's
// browser, and reveals nothing about what exists.

import type { PlainRequest } from "../../http/plain-request";
import { getLanguageTag, getTextDirection, negotiateLanguage } from "../../locales/languages";
import { loadMessages, type Messages } from "../../locales/messages";
import { html, Markup } from "../../utils/html";
import type { CacheableResponse } from "../cache/site-cache";
import { createPageResponse } from "./responses";

const STYLE =
  ":root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.25rem}";

export async function renderErrorPage(
  request: PlainRequest,
  status: number,
  message: keyof Messages["site"],
  headers: Readonly<Record<string, string>> = {},
): Promise<CacheableResponse> {
  const language = negotiateLanguage(request.headers.get("accept-language"));
  const { site } = await loadMessages(language);
  const text = html`<!doctype html>
<html lang="${getLanguageTag(language)}" dir="${getTextDirection(language)}">
<head>
<meta charset="utf-8">
<title>${status}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>${new Markup(STYLE)}</style>
</head>
<body><main><h1>${status}</h1><p>${site[message]}</p></main></body>
</html>
`.text;
  const response = createPageResponse(text, { status, styles: [STYLE], holders: "nobody" });
  return { ...response, headers: { ...response.headers, ...headers } };
}
