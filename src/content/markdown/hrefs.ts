// Resolves URLs to references, and writes references as URLs.

import type { ContentRef } from "../document";
import type { HrefResolver } from "./reader/reading";

/** Writes a reference: a URL as it is, everything else by its ids, which is the default. */
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
export const resolveAsWritten: HrefResolver = (href, as) => {
  // A specification by its slug or its id, alone or as `/openapi/<name>`.
  const spec = as === "openapi" ? /^(?:\/openapi\/)?([\w-]{1,100})$/.exec(href)?.[1] : undefined;
  return spec === undefined ? { kind: "url", url: href } : { kind: "openapi", spec };
};
