// What a reader says of a page. It is an event for the site's insights, and nothing of the reader is stored.

import type { PlainResponse } from "../../http/plain-request";
import { html } from "../../utils/html";
import { isSameOriginForm, readForm } from "../request/forms";
import type { RequestContext } from "../request/request-context";
import { renderUtilityPage } from "../responses/utility-page";
import { type PageRating, reportSiteEvent } from "./reader-events";

const RATINGS: readonly PageRating[] = ["bad", "ok", "good"];

export async function submitFeedback(context: RequestContext): Promise<PlainResponse> {
  const { messages, customization } = context;
  const form = await readForm(context.request);
  const rating = RATINGS.find((it) => it === form.get("rating"));
  const page = form.get("page") ?? "";
  const isGood = rating !== undefined && customization.feedback.enabled && isSameOriginForm(context);
  const isTold = isGood && (await reportSiteEvent(context, page, { type: "page_post_feedback", feedback: { rating } }));
  const shown = isTold ? await context.getPage(page, "markdown") : undefined;
  const back = shown?.urls.published;
  const title = shown ? messages.thanks : messages.tryLater;
  const main = html`<article><h1>${title}</h1>${back !== undefined && html`<p><a href="${context.toLocalUrl(back)}">${messages.backToPage}</a></p>`}</article>`;
  return renderUtilityPage(context, { status: shown ? 200 : 400, title, main });
}
