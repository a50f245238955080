// Whether readers may ask questions, and the form with which they do.

import { html, type Markup } from "../../utils/html";
import type { RequestContext } from "../request/request-context";

/** The most characters of what is searched for or asked. */
export const MAX_QUERY_LENGTH = 512;

/** Whether readers may ask questions here: the site says so, and the host has a model. */
export function canAskQuestions({
  customization,
  site,
  isExport,
}: Pick<RequestContext, "customization" | "site" | "isExport">): boolean {
  const { mode } = customization.ai;
  return (
    (mode === "search" || mode === "assistant") &&
    site.internals.kernel.jobs.ports.answerModel !== undefined &&
    !isExport
  );
}

/** Asks a question; without one, the reader writes it. */
export function renderQuestionForm(
  { toSiteUrl, messages }: RequestContext,
  question: string,
  label = `${messages.ask}: ${question}`,
): Markup {
  const field =
    question === ""
      ? html`<input type="text" name="q" required maxlength="${MAX_QUERY_LENGTH}" aria-label="${messages.ask}" autocomplete="off">`
      : html`<input type="hidden" name="q" value="${question}">`;
  return html`<form class="ask" method="post" action="${toSiteUrl("~octavo/ask")}">${field}<button class="button secondary">${question === "" ? messages.ask : label}</button></form>`;
}
