// What the references of a page lead to, as the API has resolved them for this visitor.

import type { ContentRef } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { omitUndefined } from "../../utils/objects";
import type { RequestContext } from "../request/request-context";
import type { ResolvedFile, ResolvedLink } from "./block-context";

/** Where references lead, by their names. */
export interface PageReferences {
  readonly resolveLink: (ref: ContentRef) => ResolvedLink | undefined;
  readonly resolveFile: (ref: ContentRef) => ResolvedFile | undefined;
}

type Reference = Resources.PublishedReference;

export function createPageReferences(
  resolved: readonly Reference[],
  { toLocalUrl }: Pick<RequestContext, "toLocalUrl">,
): PageReferences {
  const byName = new Map(resolved.map((it) => [getReferenceKey(it.ref), it]));
  return {
    resolveLink(ref) {
      if (ref.kind === "url") return { href: toLocalUrl(ref.url), title: ref.url };
      if (ref.kind === "anchor" && ref.page === undefined) return { href: `#${ref.anchor}`, title: ref.anchor };
      const found = byName.get(getReferenceKey(ref));
      return found && toResolvedLink(found, toLocalUrl);
    },
    resolveFile(ref) {
      if (ref.kind === "url") return { url: ref.url, name: ref.url };
      const found = byName.get(getReferenceKey(ref));
      if (found?.kind !== "file") return undefined;
      const { downloadURL: url, name, contentType: type, size: bytes, dimensions } = found.file;
      return { url, name, type, bytes, width: dimensions?.width, height: dimensions?.height };
    },
  };
}

function toResolvedLink(found: Reference, local: RequestContext["toLocalUrl"]): ResolvedLink | undefined {
  switch (found.kind) {
    case "page":
    case "anchor": {
      const href = found.href ?? found.urls.published;
      if (href === undefined) return undefined;
      const { title, description, icon, emoji } = found.page;
      return {
        href: local(href),
        title,
        ...omitUndefined({
          description: description ? description : undefined,
          icon: icon ? icon : undefined,
          emoji: emoji ? emoji : undefined,
        }),
      };
    }
    case "space":
      return found.urls.published === undefined ? undefined : { href: local(found.urls.published), title: found.title };
    case "file":
      return { href: found.file.downloadURL, title: found.file.name };
    case "openapi":
      return undefined;
  }
}

/** References are equal when they say the same. */
function getReferenceKey(ref: object): string {
  return JSON.stringify(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1)));
}
