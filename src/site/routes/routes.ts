// The routes that every site has besides its pages, by method and path below the site.

import type { PlainResponse } from "../../http/plain-request";
import { loadLazily } from "../../utils/lazy";
import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { renderNotFoundPage } from "../responses/not-found-page";
import { createRedirect } from "../responses/responses";
import { renderDiagramFrame } from "./diagram-frame";
import { submitFeedback } from "./feedback";
import { recordPageView } from "./reader-events";
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

export const siteRoutes: Readonly<Record<string, RouteHandler>> = {
  "GET ~octavo/ask": async (context) => (await loadQuestions()).renderQuestionPage(context),
  "POST ~octavo/ask": async (context) => (await loadQuestions()).answerQuestion(context),
  "GET ~octavo/diagram": renderDiagramFrame,
  "GET ~octavo/mcp": async (context) => (await loadMcp()).serveSiteMcp(context),
  "POST ~octavo/mcp": async (context) => (await loadMcp()).serveSiteMcp(context),
  "GET ~octavo/to": redirectToVariant,
  "POST ~octavo/feedback": submitFeedback,
  "POST ~octavo/view": recordPageView,
  "POST ~octavo/integration": runIntegrationAction,
};

/**
 * Redirects to the same page in another version or language, by `~octavo/to?space=…&path=…`. If the other site-space does not have
 * the page, it opens at its beginning.
 */
async function redirectToVariant(context: RequestContext): Promise<PlainResponse> {
  const siteSpaceId = context.url.searchParams.get("space");
  const path = context.url.searchParams.get("path") ?? "";
  const root = context.siteSpaces.find(({ id }) => id === siteSpaceId)?.urls.published;
  if (root === undefined) return renderNotFoundPage(context);
  const page = await context.resolveUrl(`${root}/${path.split("/").map(encodeURIComponent).join("/")}`);
  const hasPage = page?.type === "content" && page.complete && page.siteSpace === siteSpaceId;
  return createRedirect(307, context.toLocalUrl(hasPage ? page.canonicalUrl : root), {
    url: context.url,
    holders: "visitor",
  });
}
