// Nothing is at an address of a site: what might have been meant.

import { html } from "../../utils/html";
import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { renderSearchResults } from "../routes/search";
import { renderUtilityPage } from "./utility-page";

/** On a site that the visitor sees. */
export async function renderNotFoundPage(context: RequestContext): Promise<CacheableResponse> {
  const { messages, path } = context;
  const meant = guessSearchQuery(path);
  const found = meant === "" ? undefined : await renderSearchResults(context, meant);
  const main = html`<article><h1>${messages.notFound}</h1><p>${messages.notFoundHint}</p>${found}</article>`;
  return renderUtilityPage(context, { status: 404, title: messages.notFound, main });
}

/** Of a site-space in which nothing is written. */
export async function renderEmptyPage(context: RequestContext): Promise<CacheableResponse> {
  const { title } = context.siteSpace;
  return renderUtilityPage(context, {
    title,
    main: html`<article><h1>${title}</h1><p>${context.messages.empty}</p></article>`,
  });
}

/** The words of a path. */
function guessSearchQuery(path: string): string {
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // An address that was cut within a letter still has words before it.
  }
  return plain
    .replace(/\.[a-z]{2,5}$/i, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, 200);
}
