// What the reader has of its own on every site, by its method and its path below the site.

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

/** Answers to questions, by their path below the site. They are cached for readers of whom nothing is known. */
export const searchRoutes: ReadonlyMap<string, (context: RequestContext) => Promise<CacheableResponse>> = new Map([
  ["~octavo/search", renderSearchPage],
  ["~octavo/search.json", answerSearch],
]);

/** Returns whether an address is one of `searchRoutes`. */
export function isSearchUrl({ pathname }: Pick<URL, "pathname">): boolean {
  return [...searchRoutes.keys()].some((path) => pathname.endsWith(`/${path}`));
}

const loadMcp = loadLazily(() => import("../machine-readable/mcp"));
const loadQuestions = loadLazily(() => import("./answer-question"));
const mcp: RouteHandler = async (context) => (await loadMcp()).serveSiteMcp(context);

export const siteRoutes: Readonly<Record<string, RouteHandler>> = {
  "GET ~octavo/ask": async (context) => (await loadQuestions()).renderQuestionPage(context),
  "POST ~octavo/ask": async (context) => (await loadQuestions()).answerQuestion(context),
  "GET ~octavo/diagram": renderDiagramFrame,
  "GET ~octavo/mcp": mcp,
  "POST ~octavo/mcp": mcp,
  "GET ~octavo/to": redirectToVariant,
  "POST ~octavo/feedback": submitFeedback,
  "POST ~octavo/view": recordPageView,
  "POST ~octavo/integration": runIntegrationAction,
};
