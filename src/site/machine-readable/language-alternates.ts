// The pages that say the same in other languages: translations within a book, and the page at the same path of site-spaces
// beside this one whose spaces are in another language.

import type * as Resources from "../../generated/resources";
import type { RequestContext, SiteSpace } from "../request/request-context";

/** A page in one language. */
export interface LanguageAlternate {
  readonly language: string;
  readonly url: string;
}

/** All of them, the page itself among them; none where it is the only one. */
export async function findLanguageAlternates(
  context: RequestContext,
  page: Resources.PublishedPage,
): Promise<readonly LanguageAlternate[]> {
  const own = page.language ?? context.siteSpace.space.language ?? context.language;
  const found = new Map<string, string>();
  if (page.urls.published !== undefined) found.set(own, page.urls.published);
  for (const { language, url } of await findTranslations(context, page))
    if (!found.has(language)) found.set(language, url);
  for (const { language, url } of await findPagesInOtherSpaces(context, page))
    if (!found.has(language)) found.set(language, url);
  return found.size < 2 ? [] : Array.from(found, ([language, url]) => ({ language, url }));
}

async function findTranslations(
  context: RequestContext,
  { translations = {} }: Resources.PublishedPage,
): Promise<readonly LanguageAlternate[]> {
  const others = Object.entries(translations);
  const pages = await Promise.all(others.map(([, id]) => context.getPage(id, "markdown")));
  return others.flatMap(([language], i) => {
    const url = pages[i]?.urls.published;
    return url === undefined ? [] : { language, url };
  });
}

/** Only site-spaces of the same section say the same. */
async function findPagesInOtherSpaces(
  context: RequestContext,
  page: Resources.PublishedPage,
): Promise<readonly LanguageAlternate[]> {
  const { siteSpaces, siteSpace } = context;
  if (siteSpace.space.language === undefined) return [];
  const beside = siteSpaces.filter(
    ({ section, space }) =>
      section === siteSpace.section && space.language !== undefined && space.language !== siteSpace.space.language,
  );
  const found = await Promise.all(beside.map((it) => findPageUrl(context, it, page.path)));
  return found.flatMap((url, i) => (url === undefined ? [] : { language: beside[i]!.space.language!, url }));
}

/** The address of the page at a path of another site-space; undefined where the visitor sees none. */
async function findPageUrl(
  context: RequestContext,
  siteSpace: SiteSpace,
  pagePath: string,
): Promise<string | undefined> {
  const page = await context.callOperation("getPageByPath", { params: { spaceId: siteSpace.space.id, pagePath } });
  return page && (await context.getPage(page.id, "markdown", siteSpace.id))?.urls.published;
}
