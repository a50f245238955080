// The target of a link or a redirect: a URL, or an item of the site. The links of an appearance and the redirects of the API
// refer to the same items with different fields.

import type {
  NewSiteRedirectDestination,
  SiteLinkTarget,
  SiteRedirectDestination,
  SiteSpace,
} from "../../../generated/resources";

export type ChosenTarget =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "page"; readonly siteSpace: string; readonly page: string }
  | { readonly kind: "site-space"; readonly siteSpace: string }
  | { readonly kind: "site-section"; readonly siteSection: string }
  /** A target that is preserved but cannot be edited: an anchor, or an item that is no longer on the site. */
  | { readonly kind: "other"; readonly link: SiteLinkTarget };

export const noTarget: ChosenTarget = { kind: "url", url: "" };

/** Converts the target of a link. Links refer to spaces, not to site spaces. */
export function fromLink(link: SiteLinkTarget | null, spaces: readonly SiteSpace[]): ChosenTarget {
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

/** Converts a target to that of a link, even if it is incomplete: the API reports missing fields on save. */
export function toLink(target: ChosenTarget, spaces: readonly SiteSpace[]): SiteLinkTarget {
  if (target.kind === "other") return target.link;
  if (target.kind !== "page") return target;
  const space = spaces.find(({ id }) => id === target.siteSpace)?.space.id ?? "";
  return { kind: "page", space, page: target.page };
}

export function fromRedirect(destination: SiteRedirectDestination): ChosenTarget {
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

/** Converts a target to that of a redirect. Returns undefined if it is incomplete or not possible for redirects. */
export function toRedirect(target: ChosenTarget): NewSiteRedirectDestination | undefined {
  switch (target.kind) {
    case "url":
      return target.url.trim() === "" ? undefined : target;
    case "page":
      if (target.siteSpace === "" || target.page === "") return undefined;
      return { kind: "page", siteSpaceId: target.siteSpace, pageId: target.page };
    case "site-space":
      return target.siteSpace === "" ? undefined : { kind: "site-space", siteSpaceId: target.siteSpace };
    case "site-section":
      return target.siteSection === "" ? undefined : { kind: "site-section", siteSectionId: target.siteSection };
    case "other":
      return undefined;
  }
}
