// Nothing is at an address of a site: what might have been meant.

import { html } from "../utils/html";
import { searched } from "./found";
import { ownPage } from "./own-page";
import type { KeptResponse } from "./shelf";
import type { Visit } from "./visit";

/** On a site that the visitor sees. */
export async function notFoundPage(visit: Visit): Promise<KeptResponse> {
  const { words, path } = visit;
  const meant = meantBy(path);
  const found = meant === "" ? undefined : await searched(visit, meant);
  const main = html`<article><h1>${words.notFound}</h1><p>${words.notFoundHint}</p>${found}</article>`;
  return ownPage(visit, { status: 404, title: words.notFound, main });
}

/** Of a site-space in which nothing is written. */
export async function emptyPage(visit: Visit): Promise<KeptResponse> {
  const { title } = visit.siteSpace;
  return ownPage(visit, { title, main: html`<article><h1>${title}</h1><p>${visit.words.empty}</p></article>` });
}

/** The words of a path. */
function meantBy(path: string): string {
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // An address that was cut within a letter still has words before it.
  }
  return plain
    .replace(/\.[a-z]{2,5}$/i, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, 200);
}
