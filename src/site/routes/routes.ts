// The routes that every site has besides its pages, by method and path below the site.

import type { PlainResponse } from "../../http/plain-request";
import { loadLazily } from "../../utils/lazy";
import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { renderDiagramFrame } from "./diagram-frame";
import { submitFeedback } from "./feedback";
import { recordPageView } from "./reader-events";
import { runIntegrationAction } from "./run-integration-action";
import { answerSearch, renderSearchPage } from "./search";
import { redirectToVariant } from "./switch-variant";

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
