// The URLs of pages of a site, under their site-space. A page whose path looks like a path of the structure gets the
// long form with both section and site-space, so every URL leads back to its page.

import type { Urls } from "../../../ports/urls";
import type { Visitor } from "../audience/audience";
import type { SiteSpaceRecord } from "../records";
import type { AtSite } from "../rules";
import { type Structure, sectionsIn, siteSpacesUnder } from "../structure/structure";
import { pathIn, publishedUrl, urlOf } from "./addresses";

/** The path segments of a page under its site's URL. */
export function pagePathIn(structure: Structure, siteSpace: SiteSpaceRecord, page: string): readonly string[] {
  return pagePathsIn(structure, siteSpace)(page);
}

/** The same for many pages of one site-space: what does not depend on the page is looked up once. */
function pagePathsIn(structure: Structure, siteSpace: SiteSpaceRecord): (page: string) => readonly string[] {
  const short = pathIn(structure, siteSpace.id) ?? [];
  const long = longPath(structure, siteSpace);
  const names = new Set<string | undefined>(structure.items.flatMap((item) => ("path" in item ? item.path : [])));
  const isFound = (rest: readonly string[]) => {
    const found = placeAt(structure, [...short, ...rest]);
    return found?.siteSpace.id === siteSpace.id && found.rest.length === rest.length;
  };
  const isFoundByOtherNames = isFound([]);
  return (page) => {
    const rest = page === "" ? [] : page.split("/");
    // Only the first two names of a page may be those of a section or a site-space.
    const mayBeTaken = names.has(rest[0]) || names.has(rest[1]);
    return [...((mayBeTaken ? isFound(rest) : isFoundByOtherNames) ? short : long), ...rest];
  };
}

/** The site-space with the longest match of a path, and the rest of the path; undefined on an empty site. */
export function placeAt(
  structure: Structure,
  parts: readonly string[],
): { readonly siteSpace: SiteSpaceRecord; readonly rest: readonly string[] } | undefined {
  const sections = sectionsIn(structure);
  const section = sections.find(({ path }) => path === parts[0]);
  const inside = section ? parts.slice(1) : parts;
  const home = section ?? sections.find(({ id }) => id === structure.defaultItem);
  const beside = siteSpacesUnder(structure, home?.id ?? null);
  // The site-spaces of the default section are found only with the path of the section.
  const named = section || !home ? beside.find(({ path }) => path === inside[0]) : undefined;
  const chosen = named ?? beside.find(({ id }) => id === (home ? home.defaultItem : structure.defaultItem));
  return chosen && { siteSpace: chosen, rest: named ? inside.slice(1) : inside };
}

function longPath(structure: Structure, { parent, path }: SiteSpaceRecord): readonly string[] {
  const section = parent === null ? undefined : structure.get(parent);
  return section?.type === "site-section" ? [section.path, path] : [path];
}

/** A site, and the visitor who asks for its URLs. */
type Asked = Pick<AtSite, "site" | "organization"> & { readonly visitor: Visitor; readonly urls: Urls };

interface PageUrl {
  readonly published?: string;
}

/** The URL of a page for a visitor. */
export function pageUrl(at: Asked, structure: Structure, siteSpace: SiteSpaceRecord, page: string): PageUrl {
  return pageUrls(at, structure, siteSpace)(page);
}

/** The URLs of many pages of one site-space. */
export function pageUrls(at: Asked, structure: Structure, siteSpace: SiteSpaceRecord): (page: string) => PageUrl {
  const root = publishedUrl(at, at.visitor.shareKey);
  if (root === undefined) return () => ({});
  const pathTo = pagePathsIn(structure, siteSpace);
  return (page) => ({ published: urlOf(root, undefined, pathTo(page)) });
}
