// The pages of a site for URLs without a page: "not found", with pages that may have been meant, and an empty site-space.

import { html } from "../../utils/html";
import { tryDecodeUriComponent } from "../../utils/url";
import type { CacheableResponse } from "../cache/site-cache";
import type { RequestContext } from "../request/request-context";
import { renderSearchResults } from "../routes/search";
import { renderUtilityPage } from "./utility-page";

const MAX_QUERY_LENGTH = 200;

/** Renders "not found" on a site that the visitor sees, with a search for the words of the path. */
export async function renderNotFoundPage(context: RequestContext): Promise<CacheableResponse> {
  const { messages, path } = context;
  // A URL that was cut within a character still contains words before it.
  const query = (tryDecodeUriComponent(path) ?? path)
    .replace(/\.[a-z]{2,5}$/i, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, MAX_QUERY_LENGTH);
  const results = query === "" ? undefined : await renderSearchResults(context, query);
  const main = html`<article><h1>${messages.notFound}</h1><p>${messages.notFoundHint}</p>${results}</article>`;
  return renderUtilityPage(context, { status: 404, title: messages.notFound, main });
}

/** Renders the page of a site-space without content. */
export async function renderEmptyPage(context: RequestContext): Promise<CacheableResponse> {
  const { title } = context.siteSpace;
  return renderUtilityPage(context, {
    title,
    main: html`<article><h1>${title}</h1><p>${context.messages.empty}</p></article>`,
  });
}
