// The head of a page: its title, its description, its language and what it asks of robots.

import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { collapseWhitespace, getAttribute, getTextLine, walkElements } from "./elements";
import type { HtmlElement } from "./parse-html";

/** The facts that a page states outside of its content. */
export interface HtmlHead {
  readonly title?: string;
  readonly description?: string;
  readonly siteName?: string;
  /** The canonical URL of the page, as it is written. */
  readonly canonicalHref?: string;
  /** The base of relative URLs, as it is written. */
  readonly baseHref?: string;
  readonly language?: string;
  readonly noFollow: boolean;
  /** Robots must not store the page. */
  readonly noIndex: boolean;
}

/** The most elements that are read, because a page may never close its head. */
const MAX_READ_ELEMENTS = 20_000;

/** Reads the head of a page, wherever its tags are. */
export function readHead(root: HtmlElement): HtmlHead {
  const values = new Map<string, string>();
  const addFirst = (name: string, value: string) => {
    if (value !== "" && !values.has(name)) values.set(name, value);
  };
  const robots = new Set<string>();
  let seenCount = 0;
  walkElements(root, (element) => {
    if (++seenCount > MAX_READ_ELEMENTS || element.name === "svg") return false;
    if (element.name === "title") addFirst("title", getTextLine(element));
    else if (element.name === "html")
      addFirst("language", getAttribute(element, "lang") || getAttribute(element, "xml:lang"));
    else if (element.name === "base") addFirst("base", getAttribute(element, "href").trim());
    else if (element.name === "meta") {
      const name = (getAttribute(element, "name") || getAttribute(element, "property")).trim().toLowerCase();
      const content = getAttribute(element, "content");
      if (name === "robots" || name === "octavo") addRobotsRules(content, robots);
      else if (/^(?:description|og:title|og:description|og:site_name)$/.test(name))
        addFirst(name, collapseWhitespace(content));
    } else if (element.name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(getAttribute(element, "rel")))
      addFirst("canonical", getAttribute(element, "href").trim());
    return true;
  });

  const description = values.get("description") ?? values.get("og:description");
  const language = values.get("language")?.trim();
  return {
    ...omitUndefined({
      title: values.get("title") ?? values.get("og:title"),
      description: description ? description.slice(0, 1000) : undefined,
      siteName: values.get("og:site_name"),
      canonicalHref: values.get("canonical"),
      baseHref: values.get("base"),
      language: language && /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$/.test(language) ? language : undefined,
    }),
    noFollow: robots.has("nofollow") || robots.has("none"),
    noIndex: robots.has("noindex") || robots.has("none"),
  };
}

/** Adds the words of a list such as `noindex, nofollow`. */
export function addRobotsRules(content: string, rules: Set<string>): void {
  for (const rule of content.slice(0, 500).toLowerCase().split(",")) rules.add(rule.trim());
}

/** Splits a title, without the name of the site before or after it. The first part is most likely the page's own. */
export function splitTitle({ title, siteName }: HtmlHead): string[] {
  if (title === undefined) return [];
  const parts = title.split(/(?<!\s)\s+(?:[|·•»«—–]|::|-)\s+/).filter((part) => part !== "" && part !== siteName);
  return parts.length > 0 ? parts : [title];
}

/** Returns the base of the relative URLs of a page. */
export function resolveBaseUrl({ baseHref }: HtmlHead, url: string | undefined): string | undefined {
  return (baseHref !== undefined && tryParseUrl(baseHref, url)?.href) || url;
}
