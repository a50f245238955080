// The page with the results of a search. The dialog of the script shows the same; this one works without it.

import { isStableSearchResult } from "../../resources/sites/reading/search-site";
import { html, type Markup } from "../../utils/html";
import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { createTextResponse } from "../responses/responses";
import { renderUtilityPage } from "../responses/utility-page";
import { canAskQuestions, MAX_QUERY_LENGTH, renderQuestionForm } from "./question-form";

export async function renderSearchPage(context: RequestContext): Promise<CacheableResponse> {
  const { messages, url } = context;
  const asked = readSearchQuery(url);
  const title = asked === "" ? messages.search : `${messages.searchFor} “${asked}”`;
  const results = asked === "" ? undefined : await renderSearchResults(context, asked);
  const main = html`<article><h1>${title}</h1>${canAskQuestions(context) && renderQuestionForm(context, asked)}${results}</article>`;
  // The answer is about all of the site, and the table of contents about one part of it. It would be most of the page.
  return renderUtilityPage(context, { title, searchQuery: asked, main, holders: "visitor", hasContents: false });
}

function readSearchQuery({ searchParams }: URL): string {
  return (searchParams.get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH);
}

/** The same for the dialog of the script. */
export async function answerSearch(context: RequestContext): Promise<CacheableResponse> {
  const { url, toLocalUrl } = context;
  const asked = readSearchQuery(url);
  const pages = asked === "" ? [] : await searchPages(context, asked);
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

/** The pages that match, the best first. */
export async function searchPages({ callOperation, siteInput: site, disableCaching }: RequestContext, query: string) {
  const answer = await callOperation("searchSite", { ...site, body: { query } });
  if (answer && !isStableSearchResult(answer.items)) disableCaching();
  return answer?.items.flatMap((space) => space.pages.map((page) => ({ space: space.title, ...page }))) ?? [];
}

/** What was found, as a list. */
export async function renderSearchResults(context: RequestContext, query: string): Promise<Markup> {
  const { messages, toLocalUrl } = context;
  const pages = await searchPages(context, query);
  if (pages.length === 0) return html`<p>${messages.nothingFound}</p>`;
  return html`<ul class="found">${pages.map(
    (page) =>
      html`<li><a href="${toLocalUrl(page.urls.published ?? "")}">${page.title}</a>${page.sections.map(
        ({ title, body, urls }) =>
          html`<p>${title !== page.title && html`<a href="${toLocalUrl(urls.published ?? "")}">${title}</a> `}${body}</p>`,
      )}</li>`,
  )}</ul>`;
}
