// The form with which readers ask questions.

import { html, type Markup } from "../../utils/html";
import type { RequestContext } from "../request/request-context";

/** The most characters of a search query or a question. */
export const MAX_QUERY_LENGTH = 512;

/** Returns true if readers may ask questions: the site allows it, and the host has a model. */
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

/** Renders a button that asks a question, or a field for one if the question is empty. */
export function renderQuestionForm(
  { toSiteUrl, messages }: RequestContext,
  question: string,
  label = `${messages.ask}: ${question}`,
): Markup {
  const attributes = html`required maxlength="${MAX_QUERY_LENGTH}" aria-label="${messages.ask}" autocomplete="off"`;
  const field =
    question === ""
      ? html`<input type="text" name="q" ${attributes}>`
      : html`<input type="hidden" name="q" value="${question}">`;
  const button = html`<button class="button secondary">${question === "" ? messages.ask : label}</button>`;
  return html`<form class="ask" method="post" action="${toSiteUrl("~octavo/ask")}">${field}${button}</form>`;
}
