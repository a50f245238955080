// What the head of a page says of it.

import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { attribute, lineOf, oneLine, walk } from "./looking";
import type { Element } from "./tree";

/** What a page says of itself beside its content. */
export interface Head {
  readonly title?: string;
  readonly description?: string;
  readonly siteName?: string;
  /** The canonical address of the page, as it is written. */
  readonly canonical?: string;
  /** What relative addresses start from, as it is written. */
  readonly base?: string;
  readonly language?: string;
  /** Whether robots must not follow its links. */
  readonly noFollow: boolean;
  /** Whether robots must not keep the page. */
  readonly noIndex: boolean;
}

/** How many elements are read, because a page may never close its head. */
const MAX_LOOK = 20_000;

/** Reads the head of a page, wherever its tags stand. */
export function headOf(root: Element): Head {
  const found = new Map<string, string>();
  const keep = (name: string, value: string) => {
    if (value !== "" && !found.has(name)) found.set(name, value);
  };
  const robots = new Set<string>();
  let seen = 0;
  walk(root, (element) => {
    if (++seen > MAX_LOOK || element.name === "svg") return false;
    if (element.name === "title") keep("title", lineOf(element));
    else if (element.name === "html") keep("language", attribute(element, "lang") || attribute(element, "xml:lang"));
    else if (element.name === "base") keep("base", attribute(element, "href").trim());
    else if (element.name === "meta") readMeta(element, keep, robots);
    else if (element.name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(attribute(element, "rel")))
      keep("canonical", attribute(element, "href").trim());
    return true;
  });
  const stated = (name: string) => (found.has(name) ? { [name]: found.get(name)! } : {});
  const language = found.get("language")?.trim();
  return {
    ...omitUndefined({
      title: found.has("og:title") || found.has("title") ? (found.get("title") ?? found.get("og:title")!) : undefined,
    }),
    ...describe(found.get("description") ?? found.get("og:description")),
    ...omitUndefined({ siteName: found.has("og:site_name") ? found.get("og:site_name")! : undefined }),
    ...stated("canonical"),
    ...stated("base"),
    ...omitUndefined({
      language: language && /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$/.test(language) ? language : undefined,
    }),
    noFollow: robots.has("nofollow") || robots.has("none"),
    noIndex: robots.has("noindex") || robots.has("none"),
  };
}

function readMeta(meta: Element, keep: (name: string, value: string) => void, robots: Set<string>): void {
  const name = (attribute(meta, "name") || attribute(meta, "property")).trim().toLowerCase();
  const content = attribute(meta, "content");
  if (name === "robots" || name === "octavo") addRules(content, robots);
  else if (/^(?:description|og:title|og:description|og:site_name)$/.test(name)) keep(name, oneLine(content));
}

/** Adds the words of a list such as `noindex, nofollow`. */
export function addRules(content: string, rules: Set<string>): void {
  for (const rule of content.slice(0, 500).toLowerCase().split(",")) rules.add(rule.trim());
}

function describe(description: string | undefined): { description?: string } {
  return description ? { description: description.slice(0, 1000) } : {};
}

/** The parts of a title, without the name of the site behind or before them; the first is most likely the page's own. */
export function titleParts({ title, siteName }: Head): string[] {
  if (title === undefined) return [];
  const parts = title.split(/(?<!\s)\s+(?:[|·•»«—–]|::|-)\s+/).filter((part) => part !== "" && part !== siteName);
  return parts.length > 0 ? parts : [title];
}

/** What relative addresses of a page start from. */
export function baseOf({ base }: Head, url: string | undefined): string | undefined {
  return (base !== undefined && tryParseUrl(base, url)?.href) || url;
}
