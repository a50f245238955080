// Where a link or a redirect of a site leads: to an address, or to something on the site. Links of the look and redirects
// name the same things with other members.

import type {
  NewSiteRedirectDestination,
  SiteLinkTarget,
  SiteRedirectDestination,
  SiteSpace,
} from "../../../generated/resources";

export type Target =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "page"; readonly siteSpace: string; readonly page: string }
  | { readonly kind: "site-space"; readonly siteSpace: string }
  | { readonly kind: "site-section"; readonly siteSection: string }
  /** Something that is only kept: an anchor, or what is no longer on the site. */
  | { readonly kind: "other"; readonly link: SiteLinkTarget };

export const noTarget: Target = { kind: "url", url: "" };

/** Whether something is chosen. */
export function isWhole(target: Target): boolean {
  switch (target.kind) {
    case "url":
      return target.url.trim() !== "";
    case "page":
      return target.siteSpace !== "" && target.page !== "";
    case "site-space":
      return target.siteSpace !== "";
    case "site-section":
      return target.siteSection !== "";
    case "other":
      return true;
  }
}

/** A target of the look. Its spaces are named as spaces, not as places on the site. */
export function fromLink(link: SiteLinkTarget | null, spaces: readonly SiteSpace[]): Target {
  if (link === null) return noTarget;
  const on = (space: string) => spaces.find((it) => it.space.id === space)?.id;
  switch (link.kind) {
    case "url":
    case "site-space":
    case "site-section":
      return link;
    case "page": {
      const siteSpace = on(link.space);
      return siteSpace === undefined ? { kind: "other", link } : { kind: "page", siteSpace, page: link.page };
    }
    case "space": {
      const siteSpace = on(link.space);
      return siteSpace === undefined ? { kind: "other", link } : { kind: "site-space", siteSpace };
    }
    case "anchor":
      return { kind: "other", link };
  }
}

/** The same as a link has it, also while not everything is chosen: what is missing is told when it is saved. */
export function toLink(target: Target, spaces: readonly SiteSpace[]): SiteLinkTarget {
  if (target.kind === "other") return target.link;
  if (target.kind !== "page") return target;
  const space = spaces.find(({ id }) => id === target.siteSpace)?.space.id ?? "";
  return { kind: "page", space, page: target.page };
}

export function fromRedirect(destination: SiteRedirectDestination): Target {
  switch (destination.kind) {
    case "url":
      return destination;
    case "page":
      return { kind: "page", siteSpace: destination.siteSpaceId ?? "", page: destination.pageId };
    case "site-space":
      return { kind: "site-space", siteSpace: destination.siteSpaceId ?? "" };
    case "site-section":
      return { kind: "site-section", siteSection: destination.siteSectionId };
  }
}

/** Undefined where nothing is chosen that a redirect can lead to. */
export function toRedirect(target: Target): NewSiteRedirectDestination | undefined {
  if (!isWhole(target)) return undefined;
  switch (target.kind) {
    case "url":
      return target;
    case "page":
      return { kind: "page", siteSpaceId: target.siteSpace, pageId: target.page };
    case "site-space":
      return { kind: "site-space", siteSpaceId: target.siteSpace };
    case "site-section":
      return { kind: "site-section", siteSectionId: target.siteSection };
    case "other":
      return undefined;
  }
}
