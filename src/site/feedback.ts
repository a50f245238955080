// What a reader says of a page. It is an event for the site's insights, and nothing of the reader is stored.

import type { PlainResponse } from "../http/plain";
import { html } from "../markup";
import { pageAnswer } from "./answer";
import { isOwnForm, readForm } from "./forms";
import { frameOf } from "./frame/frame";
import { themeOf } from "./frame/theme";
import type { Visit } from "./visit";

const RATINGS = ["bad", "ok", "good"] as const;

export async function feedback(visit: Visit): Promise<PlainResponse> {
  const { words, look, found, ask, siteSpace } = visit;
  const form = await readForm(visit.request);
  const rating = RATINGS.find((it) => it === form.get("rating"));
  const page = form.get("page") ?? "";
  const shown = isOwnForm(visit) && rating && look.feedback.enabled ? await visit.page(page, "markdown") : undefined;
  if (shown && rating) {
    const params = { organizationId: found.organization, siteId: found.site };
    const location = { url: visit.url.href, siteSpace: siteSpace.id, space: siteSpace.space.id, page: shown.id };
    await ask("reportSiteEvents", {
      params,
      body: { events: [{ type: "page_post_feedback", feedback: { rating }, session: {}, location }] as never },
    });
  }
  const back = shown?.urls.published;
  const text = frameOf(visit, {
    tree: await visit.tree(),
    way: [],
    outline: [],
    title: shown ? words.thanks : words.tryLater,
    isIndexed: false,
    main: html`<article><h1>${shown ? words.thanks : words.tryLater}</h1>${back !== undefined && html`<p><a href="${visit.local(back)}">${words.backToPage}</a></p>`}</article>`,
  });
  return pageAnswer(text, { status: shown ? 200 : 400, styles: [themeOf(look)], holders: "nobody" });
}
