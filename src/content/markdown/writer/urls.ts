// References as addresses.

import type { ContentRef } from "../../document";

/** The address of a reference that has been made one of an address. */
export function urlOf(ref: ContentRef): string {
  switch (ref.kind) {
    case "url":
      return ref.url;
    case "openapi":
      return ref.spec;
    default:
      return hrefByKind(ref);
  }
}

/** How a reference is written when nobody says otherwise: by its ids. */
export function hrefByKind(ref: ContentRef): string {
  switch (ref.kind) {
    case "url":
      return ref.url;
    case "file":
      return `/files/${ref.file}`;
    case "page":
      return `${spacePath(ref.space)}/pages/${ref.page}`;
    case "anchor":
      return `${ref.page === undefined ? "" : `${spacePath(ref.space)}/pages/${ref.page}`}#${ref.anchor}`;
    case "user":
      return `/users/${ref.user}`;
    case "collection":
      return `/collections/${ref.collection}`;
    case "space":
      return `/spaces/${ref.space}`;
    case "reusable-content":
      return `${spacePath(ref.space)}/reusable-contents/${ref.reusableContent}`;
    case "openapi":
      return ref.spec;
  }
}

function spacePath(space: string | undefined): string {
  return space === undefined ? "" : `/spaces/${space}`;
}
