// Feedback on a page, which becomes an event of the site's insights. Nothing about the reader is stored.

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
}
