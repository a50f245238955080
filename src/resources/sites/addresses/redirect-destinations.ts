// Converts the destinations of redirects between the API and the storage. A page is stored with its space and not with its site-space,
// so that a redirect still leads to it when the space moves to another place on the site.

import { createValidationError } from "../../../errors";
import { getSiteSpaces, isSiteSpace, type Structure } from "../structure/structure";
import type { NewDestination, RedirectDestination } from "./redirect-schema";
import type { LinkTargetField, SiteTarget } from "./targets";

/** The names of the fields of a target in the API. */
export const DESTINATION_FIELDS: NonNullable<LinkTargetField["names"]> = {
  space: "siteSpaceId",
  page: "pageId",
  siteSpace: "siteSpaceId",
  siteSection: "siteSectionId",
};

/** Returns a destination as it is stored. `field` is its field in the body. */
export function toStoredDestination(structure: Structure, destination: NewDestination, field: string): SiteTarget {
  const { kind } = destination;
  if (kind === "url") return destination;
  if (kind === "site-section") return { kind, siteSection: destination.siteSectionId };
  if (kind === "site-space") return { kind, siteSpace: destination.siteSpaceId };
  const siteSpace = structure.get(destination.siteSpaceId);
  // The message is the same as for a space that the caller may not read.
  if (!isSiteSpace(siteSpace)) throw createValidationError(`${field}.siteSpaceId`, "The site has no such space");
  return { kind: "page", space: siteSpace.space, page: destination.pageId };
}

/** Returns a stored destination as the API shows it. */
export function presentDestination(structure: Structure, target: SiteTarget): RedirectDestination {
  if (target.kind === "url") return target;
  if (target.kind === "site-section") return { kind: target.kind, siteSectionId: target.siteSection };
  if (target.kind === "site-space") return { kind: target.kind, siteSpaceId: target.siteSpace };
  const siteSpace = getSiteSpaces(structure).find(({ space }) => space === target.space);
  const siteSpaceId = siteSpace ? { siteSpaceId: siteSpace.id } : {};
  return target.kind === "space"
    ? { kind: "site-space", ...siteSpaceId }
    : { kind: "page", ...siteSpaceId, pageId: target.page };
}
