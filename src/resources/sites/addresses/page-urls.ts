// The URLs of pages of a site, under their site-space. A page whose path looks like a path of the structure gets the
// long form with both section and site-space, so every URL leads back to its page.

import type { Urls } from "../../../urls";
import type { Visitor } from "../audience/audience";
import type { SiteSpaceRecord } from "../records";
import type { AtSite } from "../rules";
import { type Structure, sectionsIn, siteSpacesUnder } from "../structure/structure";
import { pathIn, publishedUrl } from "./addresses";

/** The path segments of a page under its site's URL. */
export function pagePathIn(structure: Structure, siteSpace: SiteSpaceRecord, page: string): readonly string[] {
  const rest = page === "" ? [] : page.split("/");
  const short = [...(pathIn(structure, siteSpace.id) ?? []), ...rest];
  const found = placeAt(structure, short);
  const isFound = found?.siteSpace.id === siteSpace.id && found.rest.length === rest.length;
  return isFound ? short : [...longPath(structure, siteSpace), ...rest];
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
