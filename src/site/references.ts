// What the references of a document lead to, for one visitor: found in one go, before anything is drawn.

import type { Block, Document, Fragment, Ref } from "../content/document";
import type * as Resources from "../generated/resources";
import type { Place, ShownFile } from "./scene";
import type { Visit } from "./visit";

type Node = Resources.PublishedPageInTree;

/** What references lead to, by their text. */
export interface References {
  readonly places: ReadonlyMap<string, Place>;
  readonly files: ReadonlyMap<string, ShownFile>;
  readonly included: ReadonlyMap<string, readonly Block[]>;
}

/** Included contents may include others, down to here. */
const MOST_DEEP = 5;

/** Looks up everything that a document refers to. `tree` gives the pages of a site-space. */
export async function lookUpReferences(
  nodes: readonly Block[],
  visit: Visit,
  tree: (siteSpace: string) => Promise<readonly Node[]>,
): Promise<References> {
  const { ask, found: here } = visit;
  const found = {
    places: new Map<string, Place>(),
    files: new Map<string, ShownFile>(),
    included: new Map<string, readonly Block[]>(),
  };
  let blocks = nodes;
  for (let depth = 0; depth < MOST_DEEP && blocks.length > 0; depth++) {
    const refs = new Map([...refsIn(blocks)].map((ref) => [nameOf(ref), ref]));
    const included: Block[] = [];
    await Promise.all(
      [...refs].map(async ([name, ref]) => {
        if (found.places.has(name) || found.files.has(name) || found.included.has(name)) return;
        if (ref.kind === "file") await file(ref, name);
        else if (ref.kind === "reusable-content") included.push(...(await content(ref, name)));
        else await place(ref, name);
      }),
    );
    blocks = included;
  }
  return found;

  async function file(ref: Extract<Ref, { kind: "file" }>, name: string): Promise<void> {
    const it = await ask("getFile", { params: { spaceId: ref.space ?? here.space, fileId: ref.file } });
    if (!it) return;
    const { width, height } = it.dimensions ?? {};
    found.files.set(name, { url: it.downloadURL, name: it.name, type: it.contentType, bytes: it.size, width, height });
    found.places.set(name, { href: it.downloadURL, title: it.name });
  }

  async function content(ref: Extract<Ref, { kind: "reusable-content" }>, name: string): Promise<readonly Block[]> {
    const params = { spaceId: ref.space ?? here.space, reusableContentId: ref.reusableContent };
    const it = await ask("getReusableContent", { params, query: { format: "document" } });
    const inner = ((it?.document as Document | undefined)?.nodes ?? []) as Block[];
    if (it) found.included.set(name, inner);
    return inner;
  }

  async function place(ref: Ref, name: string): Promise<void> {
    const it = await placeOf(ref);
    if (it) found.places.set(name, it);
  }

  async function placeOf(ref: Ref): Promise<Place | undefined> {
    switch (ref.kind) {
      case "url":
        return { href: visit.local(ref.url), title: ref.url };
      case "anchor": {
        if (ref.page === undefined) return { href: `#${ref.anchor}`, title: ref.anchor };
        const page = await pageIn(ref.space, ref.page);
        return page && { ...page, href: `${page.href}#${ref.anchor}` };
      }
      case "page":
        return pageIn(ref.space, ref.page);
      case "space": {
        const siteSpace = visit.siteSpaces.find(({ space }) => space.id === ref.space);
        const href = siteSpace?.urls.published;
        return href === undefined ? undefined : { href: visit.local(href), title: siteSpace!.title };
      }
      default:
        return undefined;
    }
  }

  async function pageIn(space = here.space, page: string): Promise<Place | undefined> {
    const siteSpace = visit.siteSpaces.find((it) => it.space.id === space);
    const node = siteSpace && findPage(await tree(siteSpace.id), page);
    const href = node?.href ?? node?.urls.published;
    if (!node || href === undefined) return undefined;
    const { title, description, icon, emoji } = node;
    return {
      href: visit.local(href),
      title,
      ...(description ? { description } : {}),
      ...(icon ? { icon } : {}),
      ...(emoji ? { emoji } : {}),
    };
  }
}

/** The page with an id, wherever it stands in a tree. */
export function findPage(pages: readonly Node[], id: string): Node | undefined {
  for (const page of pages) {
    const found = page.id === id ? page : findPage(page.pages, id);
    if (found) return found;
  }
  return undefined;
}

/** References are equal when they say the same. */
export function nameOf(ref: Ref): string {
  return JSON.stringify(Object.entries(ref).sort());
}

type AnyNode = {
  readonly data?: unknown;
  readonly nodes?: readonly unknown[];
  readonly fragments?: readonly Fragment[];
};

/** All references of a document, in its order. */
export function* refsIn(nodes: readonly unknown[]): Generator<Ref> {
  for (const node of nodes as readonly AnyNode[]) {
    yield* refsOfValue(node.data);
    yield* refsIn(node.nodes ?? []);
    yield* refsIn(node.fragments ?? []);
  }
}

/** References stand in data as `ref` and `refDark`, and as values of cells. */
function* refsOfValue(value: unknown): Generator<Ref> {
  if (typeof value !== "object" || value === null) return;
  if ("kind" in value && typeof value.kind === "string" && value.kind !== "primary" && value.kind !== "secondary")
    yield value as Ref;
  else for (const member of Object.values(value)) yield* refsOfValue(member);
}
