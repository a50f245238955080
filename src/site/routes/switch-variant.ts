// The way from a page to the same page in another version or language: `~octavo/to?space=…&path=…`. It leads to the page where
// the other site-space has it, else to its beginning.

import type { PlainResponse } from "../../http/plain-request";
import type { RequestContext } from "../request/request-context";
import { renderNotFoundPage } from "../responses/not-found-page";
import { createRedirect } from "../responses/responses";

export async function redirectToVariant(context: RequestContext): Promise<PlainResponse> {
  const wanted = context.url.searchParams.get("space");
  const path = context.url.searchParams.get("path") ?? "";
  const root = context.siteSpaces.find(({ id }) => id === wanted)?.urls.published;
  if (root === undefined) return renderNotFoundPage(context);
  const page = await context.resolveUrl(`${root}/${path.split("/").map(encodeURIComponent).join("/")}`);
  const isThere = page?.type === "content" && page.complete && page.siteSpace === wanted;
  return createRedirect(307, context.toLocalUrl(isThere ? page.canonicalUrl : root), {
    url: context.url,
    holders: "visitor",
  });
}
