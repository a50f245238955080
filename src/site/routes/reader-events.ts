// Events of readers, for the site's insights. Nothing about the reader is stored.

import { omitUndefined } from "../../utils/objects";
import type { RequestContext } from "../request/request-context";

export type PageRating = "bad" | "ok" | "good";

/** Reports a view or a rating of a page. Returns false if the visitor does not see such a page. */
export async function reportSiteEvent(
  context: RequestContext,
  page: string,
  event:
    | { readonly type: "page_view" }
    | { readonly type: "page_post_feedback"; readonly feedback: { rating: PageRating } },
): Promise<boolean> {
  const { callOperation, siteInput, siteSpace, request, url } = context;
  if (!(await context.getPage(page, "markdown"))) return false;
  const language = request.headers.get("accept-language")?.split(",")[0]?.slice(0, 64);
  const userAgent = request.headers.get("user-agent")?.slice(0, 1024);
  await callOperation("reportSiteEvents", {
    ...siteInput,
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
