// Where a page of a site is found: under its site-space. A page whose path looks like one of the structure's has the long
// form of that URL, with the paths of section and site-space both, so that every URL leads to the page that it was made for.

import type { Urls } from "../../../urls";
import type { Visitor } from "../audience/audience";
import type { SiteSpaceRecord } from "../records";
import type { AtSite } from "../rules";
import { type Structure, sectionsIn, siteSpacesUnder } from "../structure/structure";
import { pathIn, publishedUrl } from "./addresses";

/** The path of a page under its site's URL, in its parts. */
export function pagePathIn(structure: Structure, siteSpace: SiteSpaceRecord, page: string): readonly string[] {
  const rest = page === "" ? [] : page.split("/");
  const short = [...(pathIn(structure, siteSpace.id) ?? []), ...rest];
  const found = placeAt(structure, short);
  const isFound = found?.siteSpace.id === siteSpace.id && found.rest.length === rest.length;
  return isFound ? short : [...longPath(structure, siteSpace), ...rest];
}

/** The site-space that the longest match of a path names, and the rest of the path; undefined on an empty site. */
export function placeAt(
  structure: Structure,
  parts: readonly string[],
): { readonly siteSpace: SiteSpaceRecord; readonly rest: readonly string[] } | undefined {
  const sections = sectionsIn(structure);
  const section = sections.find(({ path }) => path === parts[0]);
  const inside = section ? parts.slice(1) : parts;
  const home = section ?? sections.find(({ id }) => id === structure.defaultItem);
  const beside = siteSpacesUnder(structure, home?.id ?? null);
  // The site-spaces of the default section are named behind its path alone.
  const named = section || !home ? beside.find(({ path }) => path === inside[0]) : undefined;
  const chosen = named ?? beside.find(({ id }) => id === (home ? home.defaultItem : structure.defaultItem));
  return chosen && { siteSpace: chosen, rest: named ? inside.slice(1) : inside };
}

function longPath(structure: Structure, { parent, path }: SiteSpaceRecord): readonly string[] {
  const section = parent === null ? undefined : structure.get(parent);
  return section?.type === "site-section" ? [section.path, path] : [path];
}

/** The URL of a page for a visitor. */
export function pageUrl(
  at: Pick<AtSite, "site" | "organization"> & { readonly visitor: Visitor; readonly urls: Urls },
  structure: Structure,
  siteSpace: SiteSpaceRecord,
  page: string,
): { readonly published?: string } {
  const published = publishedUrl(at, at.visitor.shareKey, pagePathIn(structure, siteSpace, page));
  return published === undefined ? {} : { published };
}
