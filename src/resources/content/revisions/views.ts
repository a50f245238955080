// Content on the wire.

import type * as v from "valibot";
import { loadComputedPages } from "../../../content/lazy";
import type { ComputedDefinition } from "../../../content/revision/computed";
import { DEFAULT_LAYOUT, type FileEntry, type PageEntry } from "../../../content/revision/entries";
import { buildPageTree, mapPageTreeInSteps } from "../../../content/revision/page-tree";
import { buildPagePath, type RevisionView, type WithId } from "../../../content/revision/view";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { changeRequests } from "../change-requests/records";
import { changeRequestViews } from "../change-requests/views";
import { documentIdOf } from "./document-ids";
import { downloadUrl, type Signing } from "./download-urls";
import { everyPage, type RevisionRecord } from "./records";
import type { InContent } from "./rules";
import type { File, PageNode, RevisionSummary } from "./schema";

/** Tells JSON part by part. A part never ends inside a character. */
export type Telling = (tell: (json: string) => void) => Generator<void, void>;

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
  if (type === "document") return { kind: "sheet", layout: layout ? { ...DEFAULT_LAYOUT, ...layout } : DEFAULT_LAYOUT };
  return { kind: type === "link" ? "link" : "group" };
}

/** A page's own fields. */
export async function pageFields(
  context: Showing,
  view: RevisionView,
  page: WithId<PageEntry>,
  path: string,
): Promise<Omit<PageNode, "pages">> {
  const others = await view.getPages(Object.values(page.translations ?? {}));
  const isThere = (id: string) => others.some((it) => it?.id === id);
  return fieldsOf(context, page, path, await definitionsIn([page]), isThere);
}

/** The language of a page of a book in several languages, and the pages that say the same in the others. */
export function languageOf(
  { id, translations = {} }: WithId<PageEntry>,
  isThere: (page: string) => boolean,
): Pick<PageNode, "language" | "translations"> {
  const all = Object.entries(translations);
  const own = all.find(([, page]) => page === id);
  const others = all.filter((it) => it !== own && isThere(it[1]));
  return {
    ...omitUndefined({
      language: own ? own[0] : undefined,
      translations: others.length === 0 ? undefined : Object.fromEntries(others),
    }),
  };
}

/** What pages are computed from, by the text that says it. Most content has none, and nothing is loaded for it. */
async function definitionsIn(pages: readonly PageEntry[]): Promise<ReadonlyMap<string, ComputedDefinition>> {
  const texts = new Set(pages.flatMap(({ computed }) => computed ?? []));
  if (texts.size === 0) return new Map();
  const { parseDefinition } = await loadComputedPages();
  return new Map([...texts].flatMap((text) => pairOf(text, parseDefinition(text))));
}

function pairOf<Value>(name: string, value: Value | undefined): [string, Value][] {
  return value === undefined ? [] : [[name, value]];
}

/** Where a computed page comes from. Its seed is the text that was computed, or the page that computes others. */
function sourceOf({ id, body, computed }: WithId<PageEntry>, definitions: ReadonlyMap<string, ComputedDefinition>) {
  const definition = computed === undefined ? undefined : definitions.get(computed);
  if (!definition) return {};
  const { type, dependencies, props } = definition;
  return { computed: { type, dependencies, props }, computedSeed: body ?? id };
}

function fieldsOf(
  context: Showing,
  page: WithId<PageEntry>,
  path: string,
  definitions: ReadonlyMap<string, ComputedDefinition>,
  isThere: (page: string) => boolean,
): Omit<PageNode, "pages"> {
  const { id, body, target, git, translations } = page;
  // A tree has thousands of pages, so each is one object that is filled: copies take longer, and so does writing them.
  const shown: Record<string, unknown> = { object: "page" };
  for (const [name, value] of Object.entries(page)) if (!INSIDE.has(name)) shown[name] = value;
  const { kind, layout } = shapeOf(page);
  shown.kind = kind;
  if (layout) shown.layout = layout;
  if (page.computed !== undefined) Object.assign(shown, sourceOf(page, definitions));
  if (translations) Object.assign(shown, languageOf(page, isThere));
  shown.path = path;
  if (body !== undefined) shown.documentId = documentIdOf({ id, body });
  if (target) shown.target = target;
  if (target?.kind === "url") shown.href = target.url;
  if (git !== undefined && context.query.metadata !== false) shown.git = git;
  shown.urls = { app: appUrl(context, path) };
  return shown as Omit<PageNode, "pages">;
}

/** What a page stores that its answer leaves out, or has in another form. */
const INSIDE: ReadonlySet<string> = new Set<keyof PageEntry>([
  ...(["parent", "order", "stated", "computed", "computedKey"] as const),
  ...(["translations", "body", "git", "target", "layout"] as const),
]);

/** All pages of a revision as a tree, in order: those at the top, or below a page that is not among them. */
export async function allPages(context: Showing, view: RevisionView, below: string | null = null): Promise<PageNode[]> {
  const { tree, make } = await treeOf(context, view);
  return runSteps(mapPageTreeInSteps(tree, below, "", make));
}

async function treeOf(context: Showing, view: RevisionView) {
  const pages = await everyPage(view);
  const ids = new Set(pages.map(({ id }) => id));
  return { tree: buildPageTree(pages), make: await makerOf(context, pages, (id) => ids.has(id)) };
}

/** What is shown of some pages, each at its path. */
export async function makerOf(
  context: Showing,
  pages: readonly PageEntry[],
  isThere: (page: string) => boolean,
): Promise<(page: WithId<PageEntry>, path: string) => Omit<PageNode, "pages">> {
  const definitions = await definitionsIn(pages);
  return (page, path) => fieldsOf(context, page, path, definitions, isThere);
}

/** The pages below one, in order. */
export async function pagesBelow(
  context: Showing,
  view: RevisionView,
  page: string,
  path: string,
): Promise<PageNode[]> {
  const found = await view.getPages((await view.listChildIds(page)).map(({ id }) => id));
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
export async function pathTo(view: RevisionView, page: string): Promise<string> {
  return buildPagePath(await view.getAncestry(page));
}

/** A file, with a URL for the one who asks. */
export function fileView(
  context: Pick<Showing, "space" | "query"> & Signing,
  file: WithId<FileEntry>,
): v.InferOutput<typeof File> {
  const { id, name, contentType, size, dimensions, git, url } = file;
  return {
    object: "file",
    id,
    name,
    contentType,
    downloadURL: url ?? downloadUrl(context, file),
    size,
    ...omitUndefined({ dimensions, git: git === undefined || context.query.metadata === false ? undefined : git }),
  };
}

/** What showing revisions needs. */
type ShowingRevisions = Omit<Showing, "query" | "revision"> & { readonly tx: Reader; readonly directory: Reader };

/** Revisions without their content, in the order given. */
export async function revisionSummaries(
  context: ShowingRevisions,
  found: readonly RevisionRecord[],
): Promise<v.InferInput<typeof RevisionSummary>[]> {
  const merged = found.flatMap(({ space, mergedFrom }) => (mergedFrom === undefined ? [] : [[space, mergedFrom]]));
  const records = (await changeRequests.getMany(context.tx, merged)).filter((it) => it !== undefined);
  const views = new Map((await changeRequestViews(context, records)).map((it) => [it.id, it]));
  return found.map((revision) => {
    const mergedFrom = revision.mergedFrom === undefined ? undefined : views.get(revision.mergedFrom);
    return { ...revisionSummary(context, revision), ...omitUndefined({ mergedFrom }) };
  });
}

/** A revision without its content, and without the change request that it merged. */
export function revisionSummary(
  context: Omit<Showing, "query" | "revision">,
  revision: RevisionRecord,
): Omit<v.InferOutput<typeof RevisionSummary>, "mergedFrom"> {
  const { id, parents, type, createdAt, createdBy, number, git } = revision;
  return {
    object: "revision",
    id,
    parents: [...parents],
    type,
    createdAt,
    createdBy,
    number,
    ...omitUndefined({ git }),
    urls: {
      location: context.urls.api(`/spaces/${context.space.id}/revisions/${id}`),
      app: context.urls.app(`/o/${context.organization.id}/s/${context.space.id}/~/revisions/${id}`),
    },
  };
}
