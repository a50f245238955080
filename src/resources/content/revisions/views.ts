// Content on the wire.

import type * as v from "valibot";
import { loadComputed } from "../../../content/late";
import type { Definition } from "../../../content/revision/computed";
import { type FileEntry, type PageEntry, plainLayout } from "../../../content/revision/entries";
import { branchesOf, pageTree } from "../../../content/revision/page-tree";
import { type Identified, pathFrom, type View } from "../../../content/revision/view";
import { inTurns } from "../../../turns/pause";
import type { Urls } from "../../../urls";
import { documentIdOf } from "./document-ids";
import { downloadUrl, type Signing } from "./download-urls";
import type { RevisionRecord } from "./records";
import type { InContent } from "./rules";
import type { File, PageNode, RevisionSummary } from "./schema";

/** What the views need. */
export interface Showing extends InContent {
  readonly urls: Urls;
  readonly query: { readonly metadata?: boolean | undefined; readonly computed?: boolean | undefined };
}

/** The URL of a place of a space in the application. */
export function appUrl(
  { urls, organization, space }: Pick<Showing, "urls" | "organization" | "space">,
  path: string,
): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return urls.app(`/o/${organization.id}/s/${space.id}${path === "" ? "" : `/${encoded}`}`);
}

/** What readers go by when they draw a page: its kind, and how a document is laid out. */
export function shapeOf({ type, layout }: Pick<PageEntry, "type" | "layout">): Pick<PageNode, "kind" | "layout"> {
  if (type === "document") return { kind: "sheet", layout: layout ? { ...plainLayout, ...layout } : plainLayout };
  return { kind: type === "link" ? "link" : "group" };
}

/** A page's own fields. */
export async function pageFields(
  context: Showing,
  view: View,
  page: Identified<PageEntry>,
  path: string,
): Promise<Omit<PageNode, "pages">> {
  const others = await view.pagesById(Object.values(page.translations ?? {}));
  const isThere = (id: string) => others.some((it) => it?.id === id);
  return fieldsOf(context, page, path, await definitionsIn([page]), isThere);
}

/** The language of a page of a book in several languages, and the pages that say the same in the others. */
export function languageOf(
  { id, translations = {} }: Identified<PageEntry>,
  isThere: (page: string) => boolean,
): Pick<PageNode, "language" | "translations"> {
  const all = Object.entries(translations);
  const own = all.find(([, page]) => page === id);
  const others = all.filter((it) => it !== own && isThere(it[1]));
  return {
    ...(own ? { language: own[0] } : {}),
    ...(others.length === 0 ? {} : { translations: Object.fromEntries(others) }),
  };
}

/** What pages are computed from, by the text that says it. Most content has none, and nothing is loaded for it. */
async function definitionsIn(pages: readonly PageEntry[]): Promise<ReadonlyMap<string, Definition>> {
  const texts = new Set(pages.flatMap(({ computed }) => computed ?? []));
  if (texts.size === 0) return new Map();
  const { definitionOf } = await loadComputed();
  return new Map([...texts].flatMap((text) => pairOf(text, definitionOf(text))));
}

function pairOf<Value>(name: string, value: Value | undefined): [string, Value][] {
  return value === undefined ? [] : [[name, value]];
}

/** Where a computed page comes from. Its seed is the text that was computed, or the page that computes others. */
function sourceOf({ id, body, computed }: Identified<PageEntry>, definitions: ReadonlyMap<string, Definition>) {
  const definition = computed === undefined ? undefined : definitions.get(computed);
  if (!definition) return {};
  const { type, dependencies, props } = definition;
  return { computed: { type, dependencies, props }, computedSeed: body ?? id };
}

function fieldsOf(
  context: Showing,
  page: Identified<PageEntry>,
  path: string,
  definitions: ReadonlyMap<string, Definition>,
  isThere: (page: string) => boolean,
): Omit<PageNode, "pages"> {
  const { parent: _, order: __, stated: ___, computed: ____, translations: _____, ...shown } = page;
  const { body, git, target, layout: ______, computedKey: _______, ...fields } = shown;
  return {
    object: "page",
    ...fields,
    ...shapeOf(page),
    ...sourceOf(page, definitions),
    ...languageOf(page, isThere),
    path,
    ...(body === undefined ? {} : { documentId: documentIdOf({ id: page.id, body }) }),
    ...(target === undefined ? {} : { target, ...(target.kind === "url" ? { href: target.url } : {}) }),
    ...(git === undefined || context.query.metadata === false ? {} : { git }),
    urls: { app: appUrl(context, path) },
  } as Omit<PageNode, "pages">;
}

/** All pages of a revision as a tree, in order: those at the top, or below a page that is not among them. */
export async function allPages(context: Showing, view: View, below: string | null = null): Promise<PageNode[]> {
  const pages = await view.allPages();
  const definitions = await definitionsIn(pages);
  const ids = new Set(pages.map(({ id }) => id));
  const make = (page: Identified<PageEntry>, path: string) =>
    fieldsOf(context, page, path, definitions, (id) => ids.has(id));
  return inTurns(branchesOf(pageTree(pages), below, "", make));
}

/** The pages below one, in order. */
export async function pagesBelow(context: Showing, view: View, page: string, path: string): Promise<PageNode[]> {
  const found = await view.pagesById((await view.childIds(page)).map(({ id }) => id));
  const nodes: PageNode[] = [];
  for (const child of found) {
    if (!child) continue;
    const at = `${path}/${child.slug}`;
    nodes.push({
      ...(await pageFields(context, view, child, at)),
      pages: await pagesBelow(context, view, child.id, at),
    });
  }
  return nodes;
}

/** The path of an existing page. */
export async function pathTo(view: View, page: string): Promise<string> {
  return pathFrom(await view.ancestry(page));
}

/** A file, with a URL for the one who asks. */
export function fileView(
  context: Pick<Showing, "space" | "query"> & Signing,
  file: Identified<FileEntry>,
): v.InferOutput<typeof File> {
  const { id, name, contentType, size, dimensions, git, url } = file;
  return {
    object: "file",
    id,
    name,
    contentType,
    downloadURL: url ?? downloadUrl(context, file),
    size,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(git === undefined || context.query.metadata === false ? {} : { git }),
  };
}

export function revisionSummary(
  context: Omit<Showing, "query" | "revision">,
  revision: RevisionRecord,
): v.InferOutput<typeof RevisionSummary> {
  const { id, parents, type, mergedFrom, createdAt, createdBy, number, git } = revision;
  return {
    object: "revision",
    id,
    parents: [...parents],
    type,
    ...(mergedFrom === undefined ? {} : { mergedFrom }),
    createdAt,
    createdBy,
    number,
    ...(git === undefined ? {} : { git }),
    urls: {
      location: context.urls.api(`/spaces/${context.space.id}/revisions/${id}`),
      app: context.urls.app(`/o/${context.organization.id}/s/${context.space.id}/~/revisions/${id}`),
    },
  };
}
