// Whether readers may ask questions, and the form with which they do.

import { html, type Markup } from "../utils/html";
import type { Visit } from "./visit";

/** The most characters of what is searched for or asked. */
export const LONGEST_QUESTION = 512;

/** Whether readers may ask questions here: the site says so, and the host has a model. */
export function isAsked({ look, house, isFile }: Pick<Visit, "look" | "house" | "isFile">): boolean {
  const { mode } = look.ai;
  return (
    (mode === "search" || mode === "assistant") && house.inside.kernel.jobs.ports.answerModel !== undefined && !isFile
  );
}

/** Asks a question; without one, the reader writes it. */
export function questionForm({ own, words }: Visit, question: string, label = `${words.ask}: ${question}`): Markup {
  const field =
    question === ""
      ? html`<input type="text" name="q" required maxlength="${LONGEST_QUESTION}" aria-label="${words.ask}" autocomplete="off">`
      : html`<input type="hidden" name="q" value="${question}">`;
  return html`<form class="ask" method="post" action="${own("~octavo/ask")}">${field}<button class="button secondary">${question === "" ? words.ask : label}</button></form>`;
}
