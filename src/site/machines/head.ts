// What the head of a page says to machines: where the page is at home, in which other forms and languages it is there, whether it
// may be indexed, and how it is shown where somebody links to it.

import { html, Markup } from "../../markup";
import type { Visit } from "../visit";
import { feedAddress, markdownAddress } from "./addresses";
import type { Alternate } from "./languages";
import type { TreeNode } from "./listed";

/** What is said of a page. */
export interface Headed {
  readonly title: string;
  readonly description?: string | undefined;
  readonly canonical?: string | undefined;
  readonly isIndexed: boolean;
  /** The pages from the top of the tree to this one. */
  readonly way: readonly TreeNode[];
  /** The same in other languages. Default: nothing is. */
  readonly alternates?: readonly Alternate[];
  /** Whether the page has a feed. Default: no. */
  readonly hasFeed?: boolean;
}

/** The elements of the head, a line each. */
export function headOf(visit: Visit, page: Headed): Markup {
  const { look, profile, local } = visit;
  const { title, canonical, alternates = [] } = page;
  const siteTitle = look.title ?? profile.site.title;
  const description = page.description || look.socialPreview.description;
  const image = look.socialPreview.url;
  return lines([
    description && html`<meta name="description" content="${description}">`,
    canonical && html`<link rel="canonical" href="${canonical}">`,
    !page.isIndexed && html`<meta name="robots" content="noindex">`,
    alternates.map(
      ({ language, url }) => html`<link rel="alternate" hreflang="${language}" href="${url}">
`,
    ),
    canonical && html`<link rel="alternate" type="text/markdown" href="${local(markdownAddress(canonical))}">`,
    canonical &&
      page.hasFeed &&
      html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${local(feedAddress(canonical))}">`,
    html`<meta property="og:type" content="${canonical ? "article" : "website"}">`,
    html`<meta property="og:title" content="${title}">`,
    description && html`<meta property="og:description" content="${description}">`,
    html`<meta property="og:site_name" content="${siteTitle}">`,
    canonical && html`<meta property="og:url" content="${canonical}">`,
    image && html`<meta property="og:image" content="${image}">`,
    html`<meta name="twitter:card" content="${image ? "summary_large_image" : "summary"}">`,
    canonical && page.isIndexed && breadcrumbs(visit, siteTitle, page.way),
  ]);
}

type Line = Markup | string | undefined | false | readonly Markup[];

function lines(parts: readonly Line[]): Markup {
  return html`${parts.map((part) => (part instanceof Markup ? html`${part}\n` : Array.isArray(part) ? part : undefined))}`;
}

/** The way to the page, as structured data. It is data and not run, but it must not end its element. */
function breadcrumbs({ profile }: Visit, siteTitle: string, way: readonly TreeNode[]): Markup | undefined {
  const root = profile.site.urls.published;
  const steps = [...(root === undefined ? [] : [{ name: siteTitle, item: root }]), ...way.map(stepOf)];
  if (steps.length < 2) return undefined;
  const list = {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: steps.map((step, i) => ({ "@type": "ListItem", position: i + 1, ...step })),
  };
  return html`<script type="application/ld+json">${new Markup(asData(list))}</script>`;
}

function stepOf({ title, type, urls }: TreeNode) {
  return { name: title, ...(type === "group" || urls.published === undefined ? {} : { item: urls.published }) };
}

/** JSON without a sign that could begin or end an element. */
function asData(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
