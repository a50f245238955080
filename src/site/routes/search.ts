// The page with search results. The search dialog of the script shows the same results, and this page works without it.

import { formatMessage } from "../../locales/format-message";
import { stableResults } from "../../resources/sites/reading/search-site";
import { html, type Markup } from "../../utils/html";
import type { CacheableResponse } from "../cache/site-cache";
import type { RequestContext } from "../request/request-context";
import { createTextResponse } from "../responses/responses";
import { renderUtilityPage } from "../responses/utility-page";
import { canAskQuestions, MAX_QUERY_LENGTH, renderQuestionForm } from "./question-form";

export async function renderSearchPage(context: RequestContext): Promise<CacheableResponse> {
  const { messages, url } = context;
  const query = (url.searchParams.get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH);
  const title = query === "" ? messages.search : formatMessage(messages.searchFor, { query });
  const results = query === "" ? undefined : await renderSearchResults(context, query);
  const questionForm = canAskQuestions(context) && renderQuestionForm(context, query);
  const main = html`<article><h1>${title}</h1>${questionForm}${results}</article>`;
  // The results are about the whole site, so the table of contents of one site-space is left out. It would be most of the page.
  return renderUtilityPage(context, { title, searchQuery: query, main, holders: "visitor", hasContents: false });
}

/** Responds with search results as JSON, for the search dialog. */
export async function answerSearch(context: RequestContext): Promise<CacheableResponse> {
  const { toLocalUrl, url } = context;
  const query = (url.searchParams.get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH);
  const pages = query === "" ? [] : await searchPages(context, query);
  const results = pages.map(({ space, title, urls, sections }) => ({
    space,
    title,
    href: toLocalUrl(urls.published ?? ""),
    sections: sections
      .filter((section) => section.title !== title || section.body !== "")
      .map((section) => ({ title: section.title, text: section.body, href: toLocalUrl(section.urls.published ?? "") })),
  }));
  return createTextResponse(JSON.stringify({ results }), {
    type: "application/json; charset=utf-8",
    holders: "visitor",
  });
}

/** Returns the pages that match a query, the best first. */
export async function searchPages({ callOperation, siteInput, disableCaching }: RequestContext, query: string) {
  const response = await callOperation("searchSite", { ...siteInput, body: { query } });
  if (response && !stableResults.has(response.items)) disableCaching();
  return response?.items.flatMap((space) => space.pages.map((page) => ({ space: space.title, ...page }))) ?? [];
}

/** Renders the pages that match a query as a list. */
export async function renderSearchResults(context: RequestContext, query: string): Promise<Markup> {
  const { messages, toLocalUrl } = context;
  const pages = await searchPages(context, query);
  if (pages.length === 0) return html`<p>${messages.nothingFound}</p>`;
  const items = pages.map((page) => {
    const sections = page.sections.map(({ title, body, urls }) => {
      const link = title !== page.title && html`<a href="${toLocalUrl(urls.published ?? "")}">${title}</a> `;
      return html`<p>${link}${body}</p>`;
    });
    return html`<li><a href="${toLocalUrl(page.urls.published ?? "")}">${page.title}</a>${sections}</li>`;
  });
  return html`<ul class="found">${items}</ul>`;
}
