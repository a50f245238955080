// The content of a space on the wire: pages, files and revisions as responses show them.

import type * as v from "valibot";
import { loadComputedPages } from "../../../content/lazy";
import type { ComputedDefinition } from "../../../content/revision/computed";
import { DEFAULT_LAYOUT, type FileEntry, type PageEntry } from "../../../content/revision/entries";
import { buildPagePath, type RevisionView, type WithId } from "../../../content/revision/view";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { changeRequests } from "../change-requests/records";
import { createChangeRequestViews } from "../change-requests/views";
import { createDocumentId } from "./document-ids";
import { createDownloadUrl, type UrlSigningContext } from "./download-urls";
import type { RevisionRecord } from "./records";
import type { ContentContext } from "./rules";
import type { File, PageNode, RevisionSummary } from "./schema";

/** The context of views of content. */
export interface ContentViewContext extends ContentContext {
  readonly urls: Urls;
  readonly query: { readonly metadata?: boolean | undefined; readonly computed?: boolean | undefined };
}

/** Returns the URL of a path of a space in the console. */
export function getAppUrl(
  { urls, organization, space }: Pick<ContentViewContext, "urls" | "organization" | "space">,
  path: string,
): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return urls.app(`/o/${organization.id}/s/${space.id}${path === "" ? "" : `/${encoded}`}`);
}

/** Returns the members of a page that decide how it is rendered: its kind, and the layout of a document. */
export function getPageShape({ type, layout }: Pick<PageEntry, "type" | "layout">): Pick<PageNode, "kind" | "layout"> {
  if (type === "document") return { kind: "sheet", layout: layout ? { ...DEFAULT_LAYOUT, ...layout } : DEFAULT_LAYOUT };
  return { kind: type === "link" ? "link" : "group" };
}

/** Returns the fields of one page, without the pages below it. */
export async function loadPageFields(
  context: ContentViewContext,
  view: RevisionView,
  page: WithId<PageEntry>,
  path: string,
): Promise<Omit<PageNode, "pages">> {
  const translations = await view.getPages(Object.values(page.translations ?? {}));
  const hasPage = (id: string) => translations.some((translation) => translation?.id === id);
  const describePage = await createPageDescriber(context, [page], hasPage);
  return describePage(page, path);
}

/** Returns the language of a page of a book with several languages, and the translations of the page that exist. */
export function getPageLanguages(
  { id, translations = {} }: WithId<PageEntry>,
  hasPage: (page: string) => boolean,
): Pick<PageNode, "language" | "translations"> {
  const entries = Object.entries(translations);
  const ownEntry = entries.find(([, page]) => page === id);
  const others = entries.filter((entry) => entry !== ownEntry && hasPage(entry[1]));
  return omitUndefined({
    language: ownEntry?.[0],
    translations: others.length === 0 ? undefined : Object.fromEntries(others),
  });
}

/** The stored members of a page that responses leave out or have in another form. */
const omittedEntries: ReadonlySet<string> = new Set<keyof PageEntry>([
  ...(["parent", "order", "stated", "computed", "computedKey"] as const),
  ...(["translations", "body", "git", "target", "layout"] as const),
]);

/** Returns a function that returns the fields of some pages, each at its path. */
export async function createPageDescriber(
  context: ContentViewContext,
  pages: readonly PageEntry[],
  hasPage: (page: string) => boolean,
): Promise<(page: WithId<PageEntry>, path: string) => Omit<PageNode, "pages">> {
  // The definitions of computed pages by their texts. Most content has none, and nothing is loaded for it.
  const definitions = new Map<string, ComputedDefinition>();
  const texts = new Set(pages.flatMap(({ computed }) => computed ?? []));
  if (texts.size > 0) {
    const { parseDefinition } = await loadComputedPages();
    for (const text of texts) {
      const definition = parseDefinition(text);
      if (definition) definitions.set(text, definition);
    }
  }

  return (page, path) => {
    const { id, body, computed, target, git, translations } = page;
    // A tree has thousands of pages, so each is one object that is filled: copies take longer, and so does serializing them.
    const fields: Record<string, unknown> = { object: "page" };
    for (const [name, value] of Object.entries(page)) if (!omittedEntries.has(name)) fields[name] = value;
    const { kind, layout } = getPageShape(page);
    fields.kind = kind;
    if (layout) fields.layout = layout;
    const definition = computed === undefined ? undefined : definitions.get(computed);
    if (definition) {
      const { type, dependencies, props } = definition;
      fields.computed = { type, dependencies, props };
      // The seed names the text that was computed, or the page from which others are computed.
      fields.computedSeed = body ?? id;
    }
    if (translations) Object.assign(fields, getPageLanguages(page, hasPage));
    fields.path = path;
    if (body !== undefined) fields.documentId = createDocumentId({ id, body });
    if (target) fields.target = target;
    if (target?.kind === "url") fields.href = target.url;
    if (git !== undefined && context.query.metadata !== false) fields.git = git;
    fields.urls = { app: getAppUrl(context, path) };
    return fields as Omit<PageNode, "pages">;
  };
}

/** Returns the pages below one page as a tree, in order. Only these pages are read. */
export async function buildPageNodesBelow(
  context: ContentViewContext,
  view: RevisionView,
  parent: string,
  parentPath: string,
): Promise<PageNode[]> {
  const childIds = await view.listChildIds(parent);
  const nodes: PageNode[] = [];
  for (const child of await view.getPages(childIds.map(({ id }) => id))) {
    if (!child) continue;
    const path = `${parentPath}/${child.slug}`;
    nodes.push({
      ...(await loadPageFields(context, view, child, path)),
      pages: await buildPageNodesBelow(context, view, child.id, path),
    });
  }
  return nodes;
}

/** Returns the path of an existing page. */
export async function getPagePath(view: RevisionView, page: string): Promise<string> {
  return buildPagePath(await view.getAncestry(page));
}

/** Returns a file, with a URL from which the caller can download it. */
export function createFileView(
  context: Pick<ContentViewContext, "space" | "query"> & UrlSigningContext,
  file: WithId<FileEntry>,
): v.InferOutput<typeof File> {
  const { id, name, contentType, size, dimensions, git, url } = file;
  return {
    object: "file",
    id,
    name,
    contentType,
    downloadURL: url ?? createDownloadUrl(context, file),
    size,
    ...omitUndefined({ dimensions, git: context.query.metadata === false ? undefined : git }),
  };
}

/** The context of views of revisions. */
type RevisionViewContext = Omit<ContentViewContext, "query" | "revision">;

/** Returns revisions without their content, in the order given. */
export async function createRevisionSummaries(
  context: RevisionViewContext & { readonly tx: Reader; readonly directory: Reader },
  records: readonly RevisionRecord[],
): Promise<v.InferInput<typeof RevisionSummary>[]> {
  const mergedKeys = records.flatMap(({ space, mergedFrom }) =>
    mergedFrom === undefined ? [] : [[space, mergedFrom]],
  );
  const merged = (await changeRequests.getMany(context.tx, mergedKeys)).filter((record) => record !== undefined);
  const views = new Map((await createChangeRequestViews(context, merged)).map((view) => [view.id, view]));
  return records.map((revision) => {
    const mergedFrom = revision.mergedFrom === undefined ? undefined : views.get(revision.mergedFrom);
    return { ...createRevisionSummary(context, revision), ...omitUndefined({ mergedFrom }) };
  });
}

/** Returns a revision without its content, and without the change request that it merged. */
export function createRevisionSummary(
  { urls, organization, space }: RevisionViewContext,
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
      location: urls.api(`/spaces/${space.id}/revisions/${id}`),
      app: urls.app(`/o/${organization.id}/s/${space.id}/~/revisions/${id}`),
    },
  };
}
