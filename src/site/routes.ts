// What the reader has of its own on every site, by its method and its path below the site.

import type { PlainResponse } from "../http/plain-request";
import { loadLazily } from "../utils/lazy";
import { diagramPage } from "./diagram";
import { pageViewed } from "./events";
import { feedback } from "./feedback";
import { searchAnswer, searchPage } from "./found";
import { integrationAction } from "./integration-actions";
import type { KeptResponse } from "./shelf";
import { toVariant } from "./variants";
import type { Visit } from "./visit";

type Route = (visit: Visit) => Promise<PlainResponse>;

/** Answers to questions, by their path below the site. They are cached for readers of whom nothing is known. */
export const answerRoutes: ReadonlyMap<string, (visit: Visit) => Promise<KeptResponse>> = new Map([
  ["~octavo/search", searchPage],
  ["~octavo/search.json", searchAnswer],
]);

/** Returns whether an address is one of `answerRoutes`. */
export function isAnswerAddress({ pathname }: Pick<URL, "pathname">): boolean {
  return [...answerRoutes.keys()].some((path) => pathname.endsWith(`/${path}`));
}

const loadMcp = loadLazily(() => import("./machines/mcp"));
const loadQuestions = loadLazily(() => import("./questions"));
const mcp: Route = async (visit) => (await loadMcp()).siteMcp(visit);

export const routes: Readonly<Record<string, Route>> = {
  "GET ~octavo/ask": async (visit) => (await loadQuestions()).questionPage(visit),
  "POST ~octavo/ask": async (visit) => (await loadQuestions()).answerPage(visit),
  "GET ~octavo/diagram": diagramPage,
  "GET ~octavo/mcp": mcp,
  "POST ~octavo/mcp": mcp,
  "GET ~octavo/to": toVariant,
  "POST ~octavo/feedback": feedback,
  "POST ~octavo/view": pageViewed,
  "POST ~octavo/integration": integrationAction,
};
