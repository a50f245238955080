// Resolves URLs to references, and writes references as URLs.

import type { ContentRef } from "../document";
import type { HrefResolver } from "./reader/reading";

/** Returns the URL of a reference that is mapped to a URL. */
export function getRefUrl(ref: ContentRef): string {
  switch (ref.kind) {
    case "url":
      return ref.url;
    case "openapi":
      return ref.spec;
    default:
      return buildHref(ref);
  }
}

/** Writes a reference by its ids, which is the default. */
export function buildHref(ref: ContentRef): string {
  const spacePath = "space" in ref && ref.space !== undefined ? `/spaces/${ref.space}` : "";
  switch (ref.kind) {
    case "url":
      return ref.url;
    case "file":
      return `/files/${ref.file}`;
    case "page":
      return `${spacePath}/pages/${ref.page}`;
    case "anchor":
      return `${ref.page === undefined ? "" : `${spacePath}/pages/${ref.page}`}#${ref.anchor}`;
    case "user":
      return `/users/${ref.user}`;
    case "collection":
      return `/collections/${ref.collection}`;
    case "space":
      return `/spaces/${ref.space}`;
    case "reusable-content":
      return `${spacePath}/reusable-contents/${ref.reusableContent}`;
    case "openapi":
      return ref.spec;
  }
}

/** Resolves URLs to themselves. The name of an OpenAPI specification refers to that specification. */
export const resolveAsWritten: HrefResolver = (href, as) =>
  (as === "openapi" ? parseSpecName(href) : undefined) ?? { kind: "url", url: href };

/** Parses a reference to a specification by its slug or its id, alone or as `/openapi/<name>`. */
export function parseSpecName(href: string): Extract<ContentRef, { kind: "openapi" }> | undefined {
  const spec = /^(?:\/openapi\/)?([\w-]{1,100})$/.exec(href)?.[1];
  return spec === undefined ? undefined : { kind: "openapi", spec };
}
