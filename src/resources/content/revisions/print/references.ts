// Titles and URLs of the references in a printed document, as the person who requested it sees them. The printer needs
// them synchronously, so the references of a page are resolved before it is printed.

import type { ContentRef, Document } from "../../../../content/document";
import type { PageEntry } from "../../../../content/revision/entries";
import type { RevisionView, WithId } from "../../../../content/revision/view";
import { buildPagePath } from "../../../../content/revision/view";
import { type Looking, outsideReference } from "../references";
import { appUrl } from "../views";

/** A resolved reference. */
interface Known {
  readonly url?: string;
  readonly name?: string;
}

/**
 * The most things outside the space that are resolved for one document. Links to further ones are printed as plain
 * text.
 */
const MAX_OUTSIDE = 200;

/** Resolves references, and remembers the results. */
export class PrintReferences {
  readonly #known = new Map<string, Known | undefined>();
  readonly #pages: ReadonlyMap<string, WithId<PageEntry>>;
  #outside = 0;

  constructor(
    private readonly context: Looking,
    private readonly view: RevisionView,
    pages: readonly WithId<PageEntry>[],
  ) {
    this.#pages = new Map(pages.map((page) => [page.id, page]));
  }

  /** Resolves all references of a document. */
  async learn(document: Document): Promise<void> {
    for (const ref of refsIn(document)) {
      const key = JSON.stringify(ref);
      if (!this.#known.has(key)) this.#known.set(key, await this.#find(ref));
    }
  }

  url(ref: ContentRef): string | undefined {
    return this.#known.get(JSON.stringify(ref))?.url;
  }

  name(ref: ContentRef): string | undefined {
    return this.#known.get(JSON.stringify(ref))?.name;
  }

  async #find(ref: ContentRef): Promise<Known | undefined> {
    if ("space" in ref && ref.space !== undefined) return this.#findOutside(ref);
    switch (ref.kind) {
      case "url":
        return undefined;
      case "page":
        return this.#page(ref.page);
      case "anchor":
        return ref.page === undefined ? undefined : this.#page(ref.page, ref.anchor);
      case "file": {
        const file = await this.view.getFile(ref.file);
        return file && { name: file.name, url: appUrl(this.context, `~/files/${ref.file}`) };
      }
      case "reusable-content": {
        const found = await this.view.getReusable(ref.reusableContent);
        return found && { name: found.title };
      }
      default:
        return this.#findOutside(ref);
    }
  }

  #page(id: string, anchor?: string): Known | undefined {
    const page = this.#pages.get(id);
    if (!page) return undefined;
    return { name: page.title, url: withAnchor(appUrl(this.context, this.#pathOf(page)), anchor) };
  }

  #pathOf(page: WithId<PageEntry>): string {
    const way = [page];
    for (let { parent } = page; parent !== null && way.length <= this.#pages.size; parent = way.at(-1)!.parent) {
      const above = this.#pages.get(parent);
      if (!above) break;
      way.push(above);
    }
    return buildPagePath(way);
  }

  async #findOutside(ref: ContentRef): Promise<Known | undefined> {
    if (++this.#outside > MAX_OUTSIDE) return undefined;
    if (ref.kind === "anchor") {
      const { page, space, anchor } = ref;
      const known = page === undefined ? undefined : await this.#findOutside({ kind: "page", page, space: space! });
      return known?.url === undefined ? known : { ...known, url: withAnchor(known.url, anchor) };
    }
    const found = await outsideReference(this.context, ref);
    if (found?.kind === "page") return { name: found.page.title, url: found.page.urls.app };
    if (found?.kind === "space") return { name: found.space.title, url: found.space.urls.app };
    if (found?.kind === "collection") return { name: found.collection.title, url: found.collection.urls.app };
    return found?.kind === "user" ? { name: found.user.displayName } : undefined;
  }
}

function withAnchor(url: string, anchor: string | undefined): string {
  return anchor === undefined ? url : `${url}#${encodeURIComponent(anchor)}`;
}

/** Every reference in a document. */
function* refsIn(document: Document): Generator<ContentRef> {
  const waiting: object[] = [document];
  while (waiting.length > 0) {
    const value = waiting.pop()!;
    if ("kind" in value && typeof value.kind === "string" && !("object" in value)) yield value as ContentRef;
    else for (const member of Object.values(value)) if (typeof member === "object" && member) waiting.push(member);
  }
}
