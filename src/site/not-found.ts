// Nothing is at an address of a site: what might have been meant.

import { html } from "../markup";
import { pageAnswer } from "./answer";
import { searched } from "./found";
import { frameOf } from "./frame/frame";
import { themeOf } from "./frame/theme";
import type { KeptResponse } from "./shelf";
import type { Visit } from "./visit";

/** On a site that the visitor sees. */
export async function notFoundPage(visit: Visit): Promise<KeptResponse> {
  const { words, look } = visit;
  const meant = meantBy(visit.path);
  const text = frameOf(visit, {
    tree: await visit.tree(),
    way: [],
    outline: [],
    title: words.notFound,
    isIndexed: false,
    main: html`<article><h1>${words.notFound}</h1><p>${words.notFoundHint}</p>${meant !== "" && (await searched(visit, meant))}</article>`,
  });
  return pageAnswer(text, { status: 404, styles: [themeOf(look)], holders: "nobody" });
}

/** Of a site-space in which nothing is written. */
export async function emptyPage(visit: Visit): Promise<KeptResponse> {
  const { words, look, siteSpace } = visit;
  const text = frameOf(visit, {
    tree: await visit.tree(),
    way: [],
    outline: [],
    title: siteSpace.title,
    isIndexed: false,
    main: html`<article><h1>${siteSpace.title}</h1><p>${words.empty}</p></article>`,
  });
  return pageAnswer(text, { styles: [themeOf(look)], holders: "nobody" });
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
