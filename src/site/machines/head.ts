// What the head of a page says to machines beside what everybody reads of it: in which other forms and languages it is there,
// and the way to it.

import type { Block } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { html, Markup } from "../../utils/html";
import type { Visit } from "../visit";
import { feedAddress, markdownAddress } from "./addresses";
import { alternatesOf } from "./languages";
import { isIndexedPage, isIndexedSite, type TreeNode } from "./listed";
import { hasUpdates } from "./updates";

/** Further elements of the head. `way` leads from the top of the tree to the page. */
export async function machineHead(
  visit: Visit,
  page: Resources.PublishedPage,
  way: readonly TreeNode[],
): Promise<Markup | undefined> {
  const { look, profile, local } = visit;
  const url = page.urls.published;
  if (url === undefined) return undefined;
  const isIndexed = isIndexedSite(visit) && isIndexedPage(page, way);
  const languages = (await alternatesOf(visit, page)).map(
    (it) => html`<link rel="alternate" hreflang="${it.language}" href="${it.url}">`,
  );
  const lines = [
    ...languages,
    html`<link rel="alternate" type="text/markdown" href="${local(markdownAddress(url))}">`,
    hasUpdates((page.document?.nodes ?? []) as Block[]) &&
      html`<link rel="alternate" type="application/rss+xml" title="${page.title}" href="${local(feedAddress(url))}">`,
    !look.socialPreview.url && html`<meta name="twitter:card" content="summary">`,
    isIndexed && breadcrumbs(visit, look.title ?? profile.site.title, way),
  ];
  return html`${lines.map((line) => line && html`${line}\n`)}`;
}

/** The way to the page, as structured data. It is data and not run, but it must not end its element. */
function breadcrumbs({ profile }: Visit, siteTitle: string, way: readonly TreeNode[]): Markup | undefined {
  const root = profile.site.urls.published;
  const steps = [...(root === undefined ? [] : [{ name: siteTitle, item: root }]), ...way.flatMap(stepOf)];
  if (steps.length < 2) return undefined;
  const list = {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: steps.map((step, i) => ({ "@type": "ListItem", position: i + 1, ...step })),
  };
  return html`<script type="application/ld+json">${new Markup(dataText(list))}</script>`;
}

/** Search engines demand an address of each step. A group has none, so it isn't one. */
function stepOf({ title, type, urls }: TreeNode) {
  return type === "group" || urls.published === undefined ? [] : [{ name: title, item: urls.published }];
}

/** JSON without a sign that could begin or end an element. */
export function dataText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
