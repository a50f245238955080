// The page with the results of a search. The dialog of the script shows the same; this one works without it.

import { html, type Markup } from "../markup";
import { pageAnswer, textAnswer } from "./answer";
import { frameOf } from "./frame/frame";
import { themeOf } from "./frame/theme";
import type { KeptResponse } from "./shelf";
import type { Visit } from "./visit";

const LONGEST_QUESTION = 512;

export async function searchPage(visit: Visit): Promise<KeptResponse> {
  const { words, look, url } = visit;
  const asked = (url.searchParams.get("q") ?? "").trim().slice(0, LONGEST_QUESTION);
  const results = asked === "" ? undefined : await searched(visit, asked);
  const text = frameOf(visit, {
    tree: await visit.tree(),
    way: [],
    outline: [],
    title: asked === "" ? words.search : `${words.searchFor} “${asked}”`,
    isIndexed: false,
    asked,
    main: html`<article><h1>${asked === "" ? words.search : `${words.searchFor} “${asked}”`}</h1>${results}</article>`,
  });
  return pageAnswer(text, { styles: [themeOf(look)], holders: "visitor" });
}

/** The same for the dialog of the script. */
export async function searchAnswer(visit: Visit): Promise<KeptResponse> {
  const { url, local } = visit;
  const asked = (url.searchParams.get("q") ?? "").trim().slice(0, LONGEST_QUESTION);
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
export async function pagesFound({ ask, found }: Visit, query: string) {
  const params = { organizationId: found.organization, siteId: found.site };
  const key = found.shareKey === undefined ? {} : { shareKey: found.shareKey };
  const answer = await ask("searchSite", { params, query: key, body: { query } });
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
