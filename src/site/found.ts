// The page with the results of a search. The dialog of the script shows the same; this one works without it.

import { isStableSearchResult } from "../resources/sites/reading/search-site";
import { html, type Markup } from "../utils/html";
import { textAnswer } from "./answer";
import { isAsked, LONGEST_QUESTION, questionForm } from "./ask-form";
import { ownPage } from "./own-page";
import type { KeptResponse } from "./shelf";
import type { Visit } from "./visit";

export async function searchPage(visit: Visit): Promise<KeptResponse> {
  const { words, url } = visit;
  const asked = questionIn(url);
  const title = asked === "" ? words.search : `${words.searchFor} “${asked}”`;
  const results = asked === "" ? undefined : await searched(visit, asked);
  const main = html`<article><h1>${title}</h1>${isAsked(visit) && questionForm(visit, asked)}${results}</article>`;
  // The answer is about all of the site, and the table of contents about one part of it. It would be most of the page.
  return ownPage(visit, { title, asked, main, holders: "visitor", hasContents: false });
}

function questionIn({ searchParams }: URL): string {
  return (searchParams.get("q") ?? "").trim().slice(0, LONGEST_QUESTION);
}

/** The same for the dialog of the script. */
export async function searchAnswer(visit: Visit): Promise<KeptResponse> {
  const { url, local } = visit;
  const asked = questionIn(url);
  const pages = asked === "" ? [] : await pagesFound(visit, asked);
  const results = pages.map(({ space, title, urls, sections }) => ({
    space,
    title,
    href: local(urls.published ?? ""),
    sections: sections
      .filter((section) => section.title !== title || section.body !== "")
      .map((section) => ({ title: section.title, text: section.body, href: local(section.urls.published ?? "") })),
  }));
  return textAnswer(JSON.stringify({ results }), { type: "application/json; charset=utf-8", holders: "visitor" });
}

/** The pages that match, the best first. */
export async function pagesFound({ ask, site, doNotKeep }: Visit, query: string) {
  const answer = await ask("searchSite", { ...site, body: { query } });
  if (answer && !isStableSearchResult(answer.items)) doNotKeep();
  return answer?.items.flatMap((space) => space.pages.map((page) => ({ space: space.title, ...page }))) ?? [];
}

/** What was found, as a list. */
export async function searched(visit: Visit, query: string): Promise<Markup> {
  const { words, local } = visit;
  const pages = await pagesFound(visit, query);
  if (pages.length === 0) return html`<p>${words.nothingFound}</p>`;
  return html`<ul class="found">${pages.map(
    (page) =>
      html`<li><a href="${local(page.urls.published ?? "")}">${page.title}</a>${page.sections.map(
        ({ title, body, urls }) =>
          html`<p>${title !== page.title && html`<a href="${local(urls.published ?? "")}">${title}</a> `}${body}</p>`,
      )}</li>`,
  )}</ul>`;
}
