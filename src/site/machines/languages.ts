// The pages that say the same in other languages: translations within a book, and the page at the same path of site-spaces
// beside this one whose spaces are in another language.

import type * as Resources from "../../generated/resources";
import type { SiteSpace, Visit } from "../visit";

/** A page in one language. */
export interface Alternate {
  readonly language: string;
  readonly url: string;
}

/** All of them, the page itself among them; none where it is the only one. */
export async function alternatesOf(visit: Visit, page: Resources.PublishedPage): Promise<readonly Alternate[]> {
  const own = page.language ?? visit.siteSpace.space.language ?? visit.language;
  const found = new Map<string, string>();
  if (page.urls.published !== undefined) found.set(own, page.urls.published);
  for (const { language, url } of await inBook(visit, page)) if (!found.has(language)) found.set(language, url);
  for (const { language, url } of await inSpaces(visit, page)) if (!found.has(language)) found.set(language, url);
  return found.size < 2 ? [] : Array.from(found, ([language, url]) => ({ language, url }));
}

async function inBook(visit: Visit, { translations = {} }: Resources.PublishedPage): Promise<readonly Alternate[]> {
  const others = Object.entries(translations);
  const pages = await Promise.all(others.map(([, id]) => visit.page(id, "markdown")));
  return others.flatMap(([language], i) => {
    const url = pages[i]?.urls.published;
    return url === undefined ? [] : { language, url };
  });
}

/** Only site-spaces of the same section say the same. */
async function inSpaces(visit: Visit, page: Resources.PublishedPage): Promise<readonly Alternate[]> {
  const { siteSpaces, siteSpace } = visit;
  if (siteSpace.space.language === undefined) return [];
  const beside = siteSpaces.filter(
    ({ section, space }) =>
      section === siteSpace.section && space.language !== undefined && space.language !== siteSpace.space.language,
  );
  const found = await Promise.all(beside.map((it) => pageIn(visit, it, page.path)));
  return found.flatMap((url, i) => (url === undefined ? [] : { language: beside[i]!.space.language!, url }));
}

/** The address of the page at a path of another site-space; undefined where the visitor sees none. */
async function pageIn(visit: Visit, siteSpace: SiteSpace, pagePath: string): Promise<string | undefined> {
  const page = await visit.ask("getPageByPath", { params: { spaceId: siteSpace.space.id, pagePath } });
  return page && (await visit.page(page.id, "markdown", siteSpace.id))?.urls.published;
}
