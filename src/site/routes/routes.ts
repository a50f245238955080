// The routes that every site has besides its pages, by method and path below the site.

import type { PlainResponse } from "../../http/plain-request";
import { html } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import { parseUrl } from "../../utils/url";
import { ASSETS_PATH, diagramAsset, getAssetSources } from "../appearance/assets";
import type { CacheableResponse } from "../cache/site-cache";
import { isIndexedSite } from "../machine-readable/listed-pages";
import { createLlmsResponse } from "../machine-readable/llms";
import { createSitemapResponse } from "../machine-readable/sitemap";
import { isSameOriginForm, readForm } from "../request/forms";
import type { RequestContext } from "../request/request-context";
import { renderNotFoundPage } from "../responses/not-found-page";
import { createMachineResponse, createRedirect, createTextResponse, PLAIN } from "../responses/responses";
import { renderUtilityPage } from "../responses/utility-page";
import { type PageRating, reportSiteEvent } from "./reader-events";
import { runIntegrationAction } from "./run-integration-action";
import { answerSearch, renderSearchPage } from "./search";

type RouteHandler = (context: RequestContext) => Promise<PlainResponse>;

/** Search results, by their path below the site. They are cached for anonymous visitors. */
export const searchRoutes: ReadonlyMap<string, (context: RequestContext) => Promise<CacheableResponse>> = new Map([
  ["~octavo/search", renderSearchPage],
  ["~octavo/search.json", answerSearch],
]);

const loadMcp = loadLazily(() => import("../machine-readable/mcp"));
const loadQuestions = loadLazily(() => import("./answer-question"));

const RATINGS: readonly PageRating[] = ["bad", "ok", "good"];

export const siteRoutes: Readonly<Record<string, RouteHandler>> = {
  "GET ~octavo/ask": async (context) => (await loadQuestions()).renderQuestionPage(context),
  "POST ~octavo/ask": async (context) => (await loadQuestions()).answerQuestion(context),
  // The frame that draws a diagram. Mermaid adds styles to its drawings, so the frame has a policy of its own. It has no origin,
  // and can neither load nor send anything.
  async "GET ~octavo/diagram"(context) {
    const { site, toSiteUrl, messages, language, isPublic } = context;
    if (site.diagramAsset === undefined) return renderNotFoundPage(context);
    const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${messages.diagram}</title>
<meta name="robots" content="noindex">
<style>body{margin:0;text-align:center;background:transparent}svg{max-width:100%;height:auto}</style>
<script src="${toSiteUrl(ASSETS_PATH + site.diagramAsset)}" defer></script>
<script src="${toSiteUrl(ASSETS_PATH + diagramAsset)}" defer></script>
</head>
<body></body>
</html>
`;
    const policy = [
      "default-src 'none'",
      `script-src ${getAssetSources(context)}`,
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "sandbox allow-scripts",
    ];
    return createTextResponse(page.text, {
      type: "text/html; charset=utf-8",
      holders: isPublic ? "everybody" : "visitor",
      headers: { "content-security-policy": policy.join("; ") },
    });
  },
  "GET ~octavo/mcp": async (context) => (await loadMcp()).serveSiteMcp(context),
  "POST ~octavo/mcp": async (context) => (await loadMcp()).serveSiteMcp(context),
  // Redirects to the same page in another version or language, by `~octavo/to?space=…&path=…`. If the other site-space does not
  // have the page, it opens at its beginning.
  async "GET ~octavo/to"(context) {
    const siteSpaceId = context.url.searchParams.get("space");
    const path = context.url.searchParams.get("path") ?? "";
    const root = context.siteSpaces.find(({ id }) => id === siteSpaceId)?.urls.published;
    if (root === undefined) return renderNotFoundPage(context);
    const page = await context.resolveUrl(`${root}/${path.split("/").map(encodeURIComponent).join("/")}`);
    const hasPage = page?.type === "content" && page.isFound && page.siteSpace === siteSpaceId;
    return createRedirect(307, context.toLocalUrl(hasPage ? page.canonicalUrl : root), {
      url: context.url,
      holders: "visitor",
    });
  },
  // Feedback on a page becomes an event of the site's insights. Nothing about the reader is stored.
  async "POST ~octavo/feedback"(context) {
    const { messages, customization } = context;
    const form = await readForm(context.request);
    const rating = RATINGS.find((it) => it === form.get("rating"));
    const pageId = form.get("page") ?? "";
    const isValid = rating !== undefined && customization.feedback.enabled && isSameOriginForm(context);
    const isReported =
      isValid && (await reportSiteEvent(context, pageId, { type: "page_post_feedback", feedback: { rating } }));
    const page = isReported ? await context.getPage(pageId, "markdown") : undefined;
    const url = page?.urls.published;
    const title = page ? messages.thanks : messages.tryLater;
    const link = url !== undefined && html`<p><a href="${context.toLocalUrl(url)}">${messages.backToPage}</a></p>`;
    const main = html`<article><h1>${title}</h1>${link}</article>`;
    return renderUtilityPage(context, { status: page ? 200 : 400, title, main });
  },
  // The script of the page reports views.
  async "POST ~octavo/view"(context) {
    const page = (await readForm(context.request)).get("page");
    if (page !== null && context.site.options.countViews && isSameOriginForm(context))
      await reportSiteEvent(context, page, { type: "page_view" });
    return { status: 204, headers: { "cache-control": "no-store" }, body: undefined };
  },
  "POST ~octavo/integration": runIntegrationAction,
};

type MachineRoute = (context: RequestContext) => Promise<CacheableResponse>;

const machineRoutes: Readonly<Record<string, MachineRoute>> = {
  // Crawlers read `robots.txt` only at the root of a host, so pages also say themselves whether they may be indexed.
  async "robots.txt"(context) {
    if (!isIndexedSite(context)) return createMachineResponse(context, DISALLOW_ALL, PLAIN);
    const search = parseUrl(context.toSiteUrl("~octavo/search"), context.url).pathname;
    const root = context.profile.site.urls.published;
    const sitemap = root === undefined ? "" : `Sitemap: ${root.replace(/\/?$/, "/")}sitemap.xml\n`;
    return createMachineResponse(context, `User-agent: *\nDisallow: ${search}\n${sitemap}`, PLAIN);
  },
  "sitemap.xml": (context) => createSitemapResponse(context),
  "llms.txt": (context) => createLlmsResponse(context, "llms.txt"),
  "llms-full.txt": (context) => createLlmsResponse(context, "llms-full.txt"),
};

/** Returns the handler of a path, or undefined if there is no such resource. */
export function findMachineRoute(path: string): MachineRoute | undefined {
  const part = /^sitemap-([1-9]\d{0,5})\.xml$/.exec(path)?.[1];
  if (part !== undefined) return (context) => createSitemapResponse(context, Number(part));
  return Object.hasOwn(machineRoutes, path) ? machineRoutes[path] : undefined;
}

/** Lets crawlers read nothing. */
export const DISALLOW_ALL = "User-agent: *\nDisallow: /\n";
