// What readers do, as events of the site's insights. Nothing of the reader is stored.

import type { PlainResponse } from "../http/plain-request";
import { omitUndefined } from "../utils/objects";
import { isOwnForm, readForm } from "./forms";
import type { Visit } from "./visit";

/** Tells that a page was read, or how good it was. False: the visitor does not see such a page. */
export async function reportEvent(
  visit: Visit,
  page: string,
  event:
    | { readonly type: "page_view" }
    | { readonly type: "page_post_feedback"; readonly feedback: { rating: Rating } },
): Promise<boolean> {
  const { ask, site, siteSpace, request, url } = visit;
  if (!(await visit.page(page, "markdown"))) return false;
  const language = request.headers.get("accept-language")?.split(",")[0]?.slice(0, 64);
  const userAgent = request.headers.get("user-agent")?.slice(0, 1024);
  await ask("reportSiteEvents", {
    ...site,
    body: {
      events: [
        {
          ...event,
          location: { url: url.origin + url.pathname, siteSpace: siteSpace.id, space: siteSpace.space.id, page },
          session: {
            ...omitUndefined({
              language: language ? language : undefined,
              userAgent: userAgent ? userAgent : undefined,
            }),
          },
        },
      ],
    },
  });
  return true;
}

export type Rating = "bad" | "ok" | "good";

/** A view that the script of a page reports. */
export async function pageViewed(visit: Visit): Promise<PlainResponse> {
  const page = (await readForm(visit.request)).get("page");
  if (page !== null && visit.house.options.countViews && isOwnForm(visit))
    await reportEvent(visit, page, { type: "page_view" });
  return { status: 204, headers: { "cache-control": "no-store" }, body: undefined };
}
