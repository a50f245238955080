// What the references of a page lead to, as the API has resolved them for this visitor.

import type { ContentRef } from "../content/document";
import type * as Resources from "../generated/resources";
import { omitUndefined } from "../utils/objects";
import type { Place, ShownFile } from "./scene";
import type { Visit } from "./visit";

/** Where references lead, by their names. */
export interface References {
  readonly place: (ref: ContentRef) => Place | undefined;
  readonly file: (ref: ContentRef) => ShownFile | undefined;
}

type Reference = Resources.PublishedReference;

export function referencesOf(resolved: readonly Reference[], { local }: Pick<Visit, "local">): References {
  const byName = new Map(resolved.map((it) => [nameOf(it.ref), it]));
  return {
    place(ref) {
      if (ref.kind === "url") return { href: local(ref.url), title: ref.url };
      if (ref.kind === "anchor" && ref.page === undefined) return { href: `#${ref.anchor}`, title: ref.anchor };
      const found = byName.get(nameOf(ref));
      return found && placeOf(found, local);
    },
    file(ref) {
      if (ref.kind === "url") return { url: ref.url, name: ref.url };
      const found = byName.get(nameOf(ref));
      if (found?.kind !== "file") return undefined;
      const { downloadURL: url, name, contentType: type, size: bytes, dimensions } = found.file;
      return { url, name, type, bytes, width: dimensions?.width, height: dimensions?.height };
    },
  };
}

function placeOf(found: Reference, local: Visit["local"]): Place | undefined {
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
function nameOf(ref: object): string {
  return JSON.stringify(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1)));
}
