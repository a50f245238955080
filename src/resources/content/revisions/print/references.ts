// The titles and URLs of the references in a printed document, as the person who requested it sees them. The printer needs them
// synchronously, so the references of a page are resolved before the page is printed.

import type { ContentRef, Document } from "../../../../content/document";
import type { PageEntry } from "../../../../content/revision/entries";
import type { RevisionView, WithId } from "../../../../content/revision/view";
import { buildPagePath } from "../../../../content/revision/view";
import { type ReferenceContext, resolveOutsideTarget } from "../references";
import { getAppUrl } from "../views";

/** A resolved reference. */
interface PrintTarget {
  readonly url?: string;
  readonly name?: string;
}

/** The most things outside the space that are resolved for one document. Links to further things are printed as plain text. */
const MAX_OUTSIDE_TARGETS = 200;

/** Resolves references, and remembers the results. */
export class PrintReferences {
  readonly #targets = new Map<string, PrintTarget | undefined>();
  readonly #pages: ReadonlyMap<string, WithId<PageEntry>>;
  #outsideTargets = 0;

  constructor(
    private readonly context: ReferenceContext,
    private readonly view: RevisionView,
    pages: readonly WithId<PageEntry>[],
  ) {
    this.#pages = new Map(pages.map((page) => [page.id, page]));
  }

  /** Resolves all references of a document. */
  async resolveDocument(document: Document): Promise<void> {
    const pending: object[] = [document];
    for (let value = pending.pop(); value; value = pending.pop()) {
      if ("kind" in value && typeof value.kind === "string" && !("object" in value)) {
        const ref = value as ContentRef;
        const key = JSON.stringify(ref);
        if (!this.#targets.has(key)) this.#targets.set(key, await this.#resolve(ref));
        continue;
      }
      for (const member of Object.values(value)) if (typeof member === "object" && member) pending.push(member);
    }
  }

  getUrl(ref: ContentRef): string | undefined {
    return this.#targets.get(JSON.stringify(ref))?.url;
  }

  getName(ref: ContentRef): string | undefined {
    return this.#targets.get(JSON.stringify(ref))?.name;
  }

  async #resolve(ref: ContentRef): Promise<PrintTarget | undefined> {
    if ("space" in ref && ref.space !== undefined) return this.#resolveOutside(ref);
    switch (ref.kind) {
      case "url":
        return undefined;
      case "page":
        return this.#resolvePage(ref.page);
      case "anchor":
        return ref.page === undefined ? undefined : this.#resolvePage(ref.page, ref.anchor);
      case "file": {
        const file = await this.view.getFile(ref.file);
        return file && { name: file.name, url: getAppUrl(this.context, `~/files/${ref.file}`) };
      }
      case "reusable-content": {
        const reusable = await this.view.getReusable(ref.reusableContent);
        return reusable && { name: reusable.title };
      }
      default:
        return this.#resolveOutside(ref);
    }
  }

  #resolvePage(id: string, anchor?: string): PrintTarget | undefined {
    const page = this.#pages.get(id);
    if (!page) return undefined;
    const ancestry = [page];
    for (let { parent } = page; parent !== null && ancestry.length <= this.#pages.size; ) {
      const above = this.#pages.get(parent);
      if (!above) break;
      ancestry.push(above);
      parent = above.parent;
    }
    const url = getAppUrl(this.context, buildPagePath(ancestry));
    return { name: page.title, url: anchor === undefined ? url : `${url}#${encodeURIComponent(anchor)}` };
  }

  async #resolveOutside(ref: ContentRef): Promise<PrintTarget | undefined> {
    if (++this.#outsideTargets > MAX_OUTSIDE_TARGETS) return undefined;
    if (ref.kind === "anchor") {
      const { page, space, anchor } = ref;
      const target = page === undefined ? undefined : await this.#resolveOutside({ kind: "page", page, space: space! });
      return target?.url === undefined ? target : { ...target, url: `${target.url}#${encodeURIComponent(anchor)}` };
    }
    const target = await resolveOutsideTarget(this.context, ref);
    if (target?.kind === "page") return { name: target.page.title, url: target.page.urls.app };
    if (target?.kind === "space") return { name: target.space.title, url: target.space.urls.app };
    if (target?.kind === "collection") return { name: target.collection.title, url: target.collection.urls.app };
    return target?.kind === "user" ? { name: target.user.displayName } : undefined;
  }
}
