// The translations of a page: pages of the same book in other languages, and pages at the same path of site-spaces of the same
// section whose spaces are in other languages.

import type * as Resources from "../../generated/resources";
import type { RequestContext } from "../request/request-context";

/** A page in one language. */
export interface LanguageAlternate {
  readonly language: string;
  readonly url: string;
}

/** Returns a page and its translations, one for each language. Returns none if the page has no translation. */
export async function findLanguageAlternates(
  context: RequestContext,
  page: Resources.PublishedPage,
): Promise<readonly LanguageAlternate[]> {
  const { siteSpaces, siteSpace } = context;
  const urls = new Map<string, string>();
  const addUrl = (language: string, url: string | undefined) => {
    if (url !== undefined && !urls.has(language)) urls.set(language, url);
  };
  addUrl(page.language ?? siteSpace.space.language ?? context.language, page.urls.published);

  const translations = Object.entries(page.translations ?? {});
  const pages = await Promise.all(translations.map(([, id]) => context.getPage(id, "markdown")));
  for (const [i, [language]] of translations.entries()) addUrl(language, pages[i]?.urls.published);

  const ownLanguage = siteSpace.space.language;
  const otherSpaces = siteSpaces.flatMap(({ id, section, space }) =>
    ownLanguage !== undefined &&
    section === siteSpace.section &&
    space.language !== undefined &&
    space.language !== ownLanguage
      ? [{ id, language: space.language, spaceId: space.id }]
      : [],
  );
  const otherUrls = await Promise.all(
    otherSpaces.map(async ({ id, spaceId }) => {
      const other = await context.callOperation("getPageByPath", { params: { spaceId, pagePath: page.path } });
      return other && (await context.getPage(other.id, "markdown", id))?.urls.published;
    }),
  );
  for (const [i, { language }] of otherSpaces.entries()) addUrl(language, otherUrls[i]);

  return urls.size < 2 ? [] : Array.from(urls, ([language, url]) => ({ language, url }));
}
