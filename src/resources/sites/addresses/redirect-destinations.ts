// Destinations of redirects, between the wire and the storage. A page is stored with its space and not with its
// site-space, so a redirect still leads to it when the space comes to another place of the site.

import { createValidationError } from "../../../errors";
import { getSiteSpaces, isSiteSpace, type Structure } from "../structure/structure";
import type { Destination, NewDestination } from "./redirect-schema";
import type { LinkTargetField, SiteTarget } from "./targets";

/** How the wire names the members of a target. */
export const DESTINATION_FIELDS: NonNullable<LinkTargetField["names"]> = {
  space: "siteSpaceId",
  page: "pageId",
  siteSpace: "siteSpaceId",
  siteSection: "siteSectionId",
};

/** A destination as it is stored. */
export function toStoredDestination(structure: Structure, given: NewDestination, at: string): SiteTarget {
  if (given.kind === "url") return given;
  if (given.kind === "site-section") return { kind: given.kind, siteSection: given.siteSectionId };
  if (given.kind === "site-space") return { kind: given.kind, siteSpace: given.siteSpaceId };
  const siteSpace = structure.get(given.siteSpaceId);
  // The same sentence as for a space that the caller may not read.
  if (!isSiteSpace(siteSpace)) throw createValidationError(`${at}.siteSpaceId`, "The site has no such space");
  return { kind: "page", space: siteSpace.space, page: given.pageId };
}

/** A stored destination on the wire. */
export function presentDestination(structure: Structure, target: SiteTarget): Destination {
  if (target.kind === "url") return target;
  if (target.kind === "site-section") return { kind: target.kind, siteSectionId: target.siteSection };
  if (target.kind === "site-space") return { kind: target.kind, siteSpaceId: target.siteSpace };
  const found = getSiteSpaces(structure).find(({ space }) => space === target.space);
  const siteSpaceId = found ? { siteSpaceId: found.id } : {};
  return target.kind === "space"
    ? { kind: "site-space", ...siteSpaceId }
    : { kind: "page", ...siteSpaceId, pageId: target.page };
}
