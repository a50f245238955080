// What the head of a page says to machines beside what everybody reads of it: in which other forms and languages it is there,
// and the way to it.

import type { Block } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { html, Markup } from "../../utils/html";
import type { RequestContext } from "../request/request-context";
import { findLanguageAlternates } from "./language-alternates";
import { isIndexedPage, isIndexedSite, type TreeNode } from "./listed-pages";
import { toFeedUrl, toMarkdownUrl } from "./page-urls";
import { hasUpdates } from "./updates";

/** Further elements of the head. `way` leads from the top of the tree to the page. */
export async function renderHeadLinks(
  context: RequestContext,
  page: Resources.PublishedPage,
  trail: readonly TreeNode[],
): Promise<Markup | undefined> {
  const { customization, profile, toLocalUrl } = context;
  const url = page.urls.published;
  if (url === undefined) return undefined;
  const isIndexed = isIndexedSite(context) && isIndexedPage(page, trail);
  const languages = (await findLanguageAlternates(context, page)).map(
    (it) => html`<link rel="alternate" hreflang="${it.language}" href="${it.url}">`,
  );
  const lines = [
    ...languages,
    html`<link rel="alternate" type="text/markdown" href="${toLocalUrl(toMarkdownUrl(url))}">`,
    hasUpdates((page.document?.nodes ?? []) as Block[]) &&
      html`<link rel="alternate" type="application/rss+xml" title="${page.title}" href="${toLocalUrl(toFeedUrl(url))}">`,
    !customization.socialPreview.url && html`<meta name="twitter:card" content="summary">`,
    isIndexed && renderBreadcrumbData(context, customization.title ?? profile.site.title, trail),
  ];
  return html`${lines.map((line) => line && html`${line}\n`)}`;
}

/** The way to the page, as structured data. It is data and not run, but it must not end its element. */
function renderBreadcrumbData(
  { profile }: RequestContext,
  siteTitle: string,
  trail: readonly TreeNode[],
): Markup | undefined {
  const root = profile.site.urls.published;
  const steps = [...(root === undefined ? [] : [{ name: siteTitle, item: root }]), ...trail.flatMap(toBreadcrumb)];
  if (steps.length < 2) return undefined;
  const list = {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: steps.map((step, i) => ({ "@type": "ListItem", position: i + 1, ...step })),
  };
  return html`<script type="application/ld+json">${new Markup(serializeJsonForHtml(list))}</script>`;
}

/** Search engines demand an address of each step. A group has none, so it isn't one. */
function toBreadcrumb({ title, type, urls }: TreeNode) {
  return type === "group" || urls.published === undefined ? [] : [{ name: title, item: urls.published }];
}

/** JSON without a sign that could begin or end an element. */
export function serializeJsonForHtml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
