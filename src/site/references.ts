// What the references of a document lead to, for one visitor: found in one go, before anything is drawn.

import type { Block, Document, Fragment, Ref } from "../content/document";
import type { Resources } from "../index";
import type { Asking } from "./asking";
import type { Place, ShownFile } from "./scene";

type Node = Resources.PublishedPageInTree;

/** The spaces of a site that a visitor sees, with the trees that were asked for. */
export interface Known {
  /** The space of the page. */
  readonly space: string;
  /** The tree of pages of a space; undefined where the visitor does not see it. */
  tree(space: string): Promise<readonly Node[] | undefined>;
  /** Where the root of a space is. */
  spacePlace(space: string): Place | undefined;
}

/** What references lead to, by their text. */
export interface Found {
  readonly places: ReadonlyMap<string, Place>;
  readonly files: ReadonlyMap<string, ShownFile>;
  readonly included: ReadonlyMap<string, readonly Block[]>;
}

/** Included contents may include others, down to here. */
const MOST_DEEP = 5;

/** Looks up everything that a document refers to. */
export async function lookUpReferences(document: Document, known: Known, ask: Asking): Promise<Found> {
  const found = { places: new Map<string, Place>(), files: new Map<string, ShownFile>(), included: new Map<string, readonly Block[]>() };
  let blocks: readonly Block[] = document.nodes;
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
    const answer = await ask.get<Resources.File>(`/spaces/${ref.space ?? known.space}/content/files/${ref.file}`);
    const it = answer?.value();
    if (!it) return;
    const { width, height } = it.dimensions ?? {};
    found.files.set(name, { url: it.downloadURL, name: it.name, type: it.contentType, bytes: it.size, width, height });
    found.places.set(name, { href: it.downloadURL, title: it.name });
  }

  async function content(ref: Extract<Ref, { kind: "reusable-content" }>, name: string): Promise<readonly Block[]> {
    const path = `/spaces/${ref.space ?? known.space}/content/reusable-contents/${ref.reusableContent}?format=document`;
    const it = (await ask.get<Resources.ReusableContent>(path))?.value();
    const nodes = ((it?.document as Document | undefined)?.nodes ?? []) as Block[];
    if (it) found.included.set(name, nodes);
    return nodes;
  }

  async function place(ref: Ref, name: string): Promise<void> {
    const it = await placeOf(ref, known);
    if (it) found.places.set(name, it);
  }
}

async function placeOf(ref: Ref, known: Known): Promise<Place | undefined> {
  switch (ref.kind) {
    case "url":
      return { href: ref.url, title: ref.url };
    case "anchor": {
      if (ref.page === undefined) return { href: `#${ref.anchor}`, title: ref.anchor };
      const page = await pageIn(known, ref.space, ref.page);
      return page && { ...page, href: `${page.href}#${ref.anchor}` };
    }
    case "page":
      return pageIn(known, ref.space, ref.page);
    case "space":
      return known.spacePlace(ref.space);
    default:
      return undefined;
  }
}

async function pageIn(known: Known, space: string | undefined, page: string): Promise<Place | undefined> {
  const node = findPage((await known.tree(space ?? known.space)) ?? [], page);
  const href = node?.href ?? node?.urls.published;
  if (!node || href === undefined) return undefined;
  const { title, description, icon, emoji } = node;
  return { href, title, ...(description ? { description } : {}), ...(icon ? { icon } : {}), ...(emoji ? { emoji } : {}) };
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

type AnyNode = { readonly data?: unknown; readonly nodes?: readonly unknown[]; readonly fragments?: readonly Fragment[] };

function* refsIn(nodes: readonly unknown[]): Generator<Ref> {
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
