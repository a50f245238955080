// What a reader says of a page. It is an event for the site's insights, and nothing of the reader is stored.

import type { PlainResponse } from "../http/plain-request";
import { html } from "../utils/html";
import { type Rating, reportEvent } from "./events";
import { isOwnForm, readForm } from "./forms";
import { ownPage } from "./own-page";
import type { Visit } from "./visit";

const RATINGS: readonly Rating[] = ["bad", "ok", "good"];

export async function feedback(visit: Visit): Promise<PlainResponse> {
  const { words, look } = visit;
  const form = await readForm(visit.request);
  const rating = RATINGS.find((it) => it === form.get("rating"));
  const page = form.get("page") ?? "";
  const isGood = rating !== undefined && look.feedback.enabled && isOwnForm(visit);
  const isTold = isGood && (await reportEvent(visit, page, { type: "page_post_feedback", feedback: { rating } }));
  const shown = isTold ? await visit.page(page, "markdown") : undefined;
  const back = shown?.urls.published;
  const title = shown ? words.thanks : words.tryLater;
  const main = html`<article><h1>${title}</h1>${back !== undefined && html`<p><a href="${visit.local(back)}">${words.backToPage}</a></p>`}</article>`;
  return ownPage(visit, { status: shown ? 200 : 400, title, main });
}
