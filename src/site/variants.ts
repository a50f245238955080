// The way from a page to the same page in another version or language: `~octavo/to?space=…&path=…`. It leads to the page where
// the other site-space has it, else to its beginning.

import type { PlainResponse } from "../http/plain-request";
import { redirect } from "./answer";
import { notFoundPage } from "./not-found";
import type { Visit } from "./visit";

export async function toVariant(visit: Visit): Promise<PlainResponse> {
  const wanted = visit.url.searchParams.get("space");
  const path = visit.url.searchParams.get("path") ?? "";
  const root = visit.siteSpaces.find(({ id }) => id === wanted)?.urls.published;
  if (root === undefined) return notFoundPage(visit);
  const page = await visit.published(`${root}/${path.split("/").map(encodeURIComponent).join("/")}`);
  const isThere = page?.type === "content" && page.complete && page.siteSpace === wanted;
  return redirect(307, visit.local(isThere ? page.canonicalUrl : root), { url: visit.url, holders: "visitor" });
}
