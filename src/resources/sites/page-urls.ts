// Where a page of a site is found: under its site-space. A page whose path looks like one of the structure's has the long
// form of that URL, with the paths of section and site-space both, so that every URL leads to the page that it was made for.

import type { Urls } from "../../operation";
import { pathIn, publishedUrl } from "./addresses";
import type { Visitor } from "./audience";
import type { SiteSpaceRecord } from "./records";
import type { AtSite } from "./rules";
import type { Structure } from "./structure";

/** The path of a page under its site's URL, in its parts. */
export function pagePathIn(structure: Structure, siteSpace: SiteSpaceRecord, page: string): readonly string[] {
  const rest = page === "" ? [] : page.split("/");
  const short = [...(pathIn(structure, siteSpace.id) ?? []), ...rest];
  return siteSpaceAt(structure, short) === siteSpace.id ? short : [...longPath(structure, siteSpace), ...rest];
}

/** The site-space that the longest match of a path names. */
function siteSpaceAt(structure: Structure, [first, second]: readonly string[]): string | null {
  const top = structure.defaultItem === null ? undefined : structure.get(structure.defaultItem);
  if (top?.type !== "site-section") return named(structure, null, first) ?? structure.defaultItem;
  const section = sectionNamed(structure, first);
  return section ? (named(structure, section.id, second) ?? section.defaultItem) : top.defaultItem;
}

function named(structure: Structure, parent: string | null, path: string | undefined): string | undefined {
  return structure.under(parent).find((item) => item.type === "site-space" && item.path === path)?.id;
}

function sectionNamed(structure: Structure, path: string | undefined) {
  const groups = structure.under(null).flatMap((item) => (item.type === "site-section-group" ? [item.id] : []));
  for (const parent of [null, ...groups])
    for (const item of structure.under(parent)) if (item.type === "site-section" && item.path === path) return item;
  return undefined;
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
