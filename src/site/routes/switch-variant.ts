// Switches to the same page in another version or language, by `~octavo/to?space=…&path=…`. If the other site-space does not have
// the page, it opens at its beginning.

import type { PlainResponse } from "../../http/plain-request";
import type { RequestContext } from "../request/request-context";
import { renderNotFoundPage } from "../responses/not-found-page";
import { createRedirect } from "../responses/responses";

export async function redirectToVariant(context: RequestContext): Promise<PlainResponse> {
  const siteSpaceId = context.url.searchParams.get("space");
  const path = context.url.searchParams.get("path") ?? "";
  const root = context.siteSpaces.find(({ id }) => id === siteSpaceId)?.urls.published;
  if (root === undefined) return renderNotFoundPage(context);
  const page = await context.resolveUrl(`${root}/${path.split("/").map(encodeURIComponent).join("/")}`);
  const hasPage = page?.type === "content" && page.complete && page.siteSpace === siteSpaceId;
  return createRedirect(307, context.toLocalUrl(hasPage ? page.canonicalUrl : root), {
    url: context.url,
    holders: "visitor",
  });
}
