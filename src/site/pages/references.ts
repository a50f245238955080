// The targets of the references of a page, as the API has resolved them for this visitor.

import type { ContentRef } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { omitUndefined } from "../../utils/objects";
import type { RequestContext } from "../request/request-context";
import type { ReferenceLink, ResolvedFile } from "./block-context";

/** Resolves the references of a page. */
export interface PageReferences {
  readonly resolveLink: (ref: ContentRef) => ReferenceLink | undefined;
  readonly resolveFile: (ref: ContentRef) => ResolvedFile | undefined;
}

export function createPageReferences(
  resolved: readonly Resources.PublishedReference[],
  { toLocalUrl }: Pick<RequestContext, "toLocalUrl">,
): PageReferences {
  const targets = new Map(resolved.map((it) => [getReferenceKey(it.ref), it]));
  return {
    resolveLink(ref) {
      if (ref.kind === "url") return { href: toLocalUrl(ref.url), title: ref.url };
      if (ref.kind === "anchor" && ref.page === undefined) return { href: `#${ref.anchor}`, title: ref.anchor };
      const target = targets.get(getReferenceKey(ref));
      switch (target?.kind) {
        case "page":
        case "anchor": {
          const href = target.href ?? target.urls.published;
          if (href === undefined) return undefined;
          const { title, description, icon, emoji } = target.page;
          return {
            href: toLocalUrl(href),
            title,
            ...omitUndefined({
              description: description ? description : undefined,
              icon: icon ? icon : undefined,
              emoji: emoji ? emoji : undefined,
            }),
          };
        }
        case "space": {
          const href = target.urls.published;
          return href === undefined ? undefined : { href: toLocalUrl(href), title: target.title };
        }
        case "file":
          return { href: target.file.downloadURL, title: target.file.name };
        default:
          return undefined;
      }
    },
    resolveFile(ref) {
      if (ref.kind === "url") return { url: ref.url, name: ref.url };
      const target = targets.get(getReferenceKey(ref));
      if (target?.kind !== "file") return undefined;
      const { downloadURL: url, name, contentType: type, size: bytes, dimensions } = target.file;
      return { url, name, type, bytes, width: dimensions?.width, height: dimensions?.height };
    },
  };
}

/** Returns a key that equal references share, regardless of the order of their properties. */
function getReferenceKey(ref: object): string {
  return JSON.stringify(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1)));
}
