// The answers of reads of content, for every state of the content.

import type * as v from "valibot";
import { type FileEntry, keys, type PageEntry, type ReusableEntry } from "../../../content/revision/entries";
import { findPageByHtmlPath } from "../../../content/revision/html-paths";
import type { RawEntry, RevisionView, WithId } from "../../../content/revision/view";
import { createError } from "../../../errors";
import { SerializedJson } from "../../../operation/binary-response";
import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import { paginateList } from "../../../operation/pagination";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { type Shown, shownIn } from "./computed-content";
import type { Sources } from "./computed-sources";
import { documentIdOf, findDocumentSource } from "./document-ids";
import type { Signing } from "./download-urls";
import { rowsUnder } from "./records";
import type { InShownContent } from "./rules";
import type { DocumentShape, File, Page, PageNode, ReusableContent, Revision, RevisionReusableContent } from "./schema";
import type { Source } from "./source";
import { shownText, textIn } from "./texts";
import { allPages, fileView, pageFields, pagesBelow, pathTo, revisionSummaries, type Showing } from "./views";
import { keptPieces, listed, listTold, mayKeep, nameOfFiles, objectOf, type Pieces } from "./written";

const loadWrittenPages = loadLazily(() => import("./written-pages"));

/** What a read of content needs. */
export interface Reading extends Showing, Sources, Signing {
  readonly query: Showing["query"] & {
    readonly format?: "document" | "markdown" | undefined;
    readonly evaluated?: boolean | undefined;
  };
}

/** A state of content as the caller reads it. Where things came from is not for visitors. */
function read<Asking extends Reading>(asking: Asking): { readonly context: Asking; readonly shown: Shown } {
  const { visited, query, revision } = asking;
  const context = visited ? { ...asking, query: { ...query, metadata: false } } : asking;
  return { context, shown: shownIn(context, revision) };
}

/** What a read of everything needs. */
interface ReadingAll extends Reading, InShownContent {
  /** Undefined for a call without HTTP. */
  readonly originalRequest?: object | undefined;
  readonly directory: Reader;
}

/** Whether an answer is sent as JSON that is kept. A call within the process wants the value, and what integrations compute
 * may be different the next time. */
async function isSentKept(asking: ReadingAll): Promise<boolean> {
  return mayKeep(asking, asking.visited) && !(await asking.isOpenEnded());
}

export async function answerRevision(asking: ReadingAll): Promise<v.InferInput<typeof Revision> | SerializedJson> {
  const { context, shown } = read(asking);
  const { view } = shown;
  const [revision] = await revisionSummaries(context, [context.revision]);
  const { number: _, createdBy: __, git, mergedFrom, ...summary } = revision!;
  const before = {
    ...summary,
    ...omitUndefined({
      git: git === undefined || context.query.metadata === false ? undefined : git,
      mergedFrom: mergedFrom === undefined || context.visited ? undefined : mergedFrom,
    }),
  };
  const after = {
    reusableContents: await reusablesIn(context, view),
    variables: await view.getVariables(),
  };
  const files = async () => filesOf(context, await rowsUnder(view, keys.files));
  if (!(await isSentKept(asking)))
    return { ...before, pages: await allPages(context, view), files: await runSteps(listed(await files())), ...after };
  const written = {
    pages: await writtenPages(context, view),
    files: await keptPieces(context.jobContext.contents, nameOfFiles(context), async () => listTold(await files())),
  };
  return new SerializedJson(await objectOf(before, written, after));
}

/** The reusable contents of a revision, each with the id of its document. */
async function reusablesIn(
  context: Reading,
  view: RevisionView,
): Promise<v.InferInput<typeof RevisionReusableContent>[]> {
  const rows = await view.list({ under: keys.reusables });
  return rows.map(({ key, value }) => {
    const { title, body, git } = value as ReusableEntry;
    const id = key.slice(keys.reusables.length);
    return {
      object: "reusable-content",
      id,
      title,
      document: documentIdOf({ id, body }),
      ...omitUndefined({ git: git === undefined || context.query.metadata === false ? undefined : git }),
    };
  });
}

export async function listPagesIn(asking: ReadingAll): Promise<{ pages: PageNode[] } | SerializedJson> {
  const { context, shown } = read(asking);
  if (!(await isSentKept(asking))) return { pages: await allPages(context, shown.view) };
  return new SerializedJson(await objectOf({}, { pages: await writtenPages(context, shown.view) }));
}

async function writtenPages(context: ReadingAll, view: RevisionView): Promise<Pieces> {
  return (await loadWrittenPages()).writtenPages(context, view);
}

/** Files as answers, step by step: each URL is signed. */
function* filesOf(context: Reading, rows: readonly RawEntry[]): Generator<v.InferInput<typeof File>, void> {
  for (const row of rows) yield fileView(context, fileIn(row));
}

export async function answerPage(
  asking: Reading & { readonly params: { readonly pageId: string } },
): Promise<v.InferInput<typeof Page>> {
  const { context, shown } = read(asking);
  return pageView(context, shown, await shown.view.getPage(context.params.pageId));
}

export async function answerPageAt(
  asking: Reading & { readonly params: { readonly pagePath: string } },
): Promise<v.InferInput<typeof Page>> {
  const { context, shown } = read(asking);
  const { view } = shown;
  const { pagePath } = context.params;
  return pageView(context, shown, (await view.findPageByPath(pagePath)) ?? (await findPageByHtmlPath(view, pagePath)));
}

async function pageView(
  context: Reading,
  shown: Shown,
  page: WithId<PageEntry> | undefined,
): Promise<v.InferInput<typeof Page>> {
  if (!page) throw createError("page_not_found");
  const { view } = shown;
  const { id } = page;
  const path = await pathTo(view, id);
  return {
    ...(await pageFields(context, view, page, path)),
    ...(page.body === undefined
      ? {}
      : await textIn({ ...asked(context, shown), query: context.query }, view, { id, body: page.body, page })),
    pages: await pagesBelow(context, view, id, path),
  };
}

/** The document of a page. */
export async function answerDocument(
  asking: Reading & { readonly params: { readonly pageId: string } },
): Promise<v.InferInput<typeof DocumentShape>> {
  const { context, shown } = read(asking);
  const page = await shown.view.getPage(context.params.pageId);
  if (page?.body === undefined) throw createError("page_not_found");
  return documentIn(context, shown, { id: page.id, body: page.body, page });
}

/** The document that a text would be, if the page had it. */
export async function answerPreview(
  asking: Reading & { readonly params: { readonly pageId: string }; readonly body: { readonly markdown: string } },
): Promise<v.InferInput<typeof DocumentShape>> {
  const { context, shown } = read(asking);
  const page = await shown.view.getPage(context.params.pageId);
  if (page?.body === undefined) throw createError("page_not_found");
  const query = { ...context.query, format: "document" as const };
  const source = { id: page.id, body: page.body, page };
  const text = await shownText({ ...asked(context, shown), query }, shown.view, source, context.body.markdown);
  return (text as { readonly document: v.InferInput<typeof DocumentShape> }).document;
}

/** The document of a reusable content. */
export async function answerReusableDocument(
  asking: Reading & { readonly params: { readonly reusableContentId: string } },
): Promise<v.InferInput<typeof DocumentShape>> {
  const { context, shown } = read(asking);
  const found = await shown.view.getReusable(context.params.reusableContentId);
  if (!found) throw createError("reusable_content_not_found");
  return documentIn(context, shown, { id: found.id, body: found.body, page: undefined });
}

/** What reading a text needs, of what is shown. */
function asked({ tx, peek, space, jobContext }: Reading, shown: Shown) {
  return { ...shown, tx, peek, space, ports: jobContext.ports };
}

async function documentIn(context: Reading, shown: Shown, source: Source): Promise<v.InferInput<typeof DocumentShape>> {
  const query = { ...context.query, format: "document" as const };
  const text = await textIn({ ...asked(context, shown), query }, shown.view, source);
  return (text as { readonly document: v.InferInput<typeof DocumentShape> }).document;
}

/** The document with an id, if the content has it. */
export async function documentNamed(
  asking: Reading,
  documentId: string,
): Promise<v.InferInput<typeof DocumentShape> | undefined> {
  const id = findDocumentSource(documentId);
  if (id === undefined) return undefined;
  const { context, shown } = read(asking);
  const page = await shown.view.getPage(id);
  const source = page ?? (await shown.view.getReusable(id));
  if (source?.body === undefined || documentIdOf({ id, body: source.body }) !== documentId) return undefined;
  return documentIn(context, shown, { id, body: source.body, page });
}

export async function answerReusable(
  asking: Reading & { readonly params: { readonly reusableContentId: string } },
): Promise<v.InferInput<typeof ReusableContent>> {
  const { context, shown } = read(asking);
  return reusableView(context, shown, context.params.reusableContentId);
}

async function reusableView(context: Reading, shown: Shown, id: string): Promise<v.InferInput<typeof ReusableContent>> {
  const { view } = shown;
  const found = await view.getReusable(id);
  if (!found) throw createError("reusable_content_not_found");
  const { title, body, git } = found;
  return {
    object: "reusable-content",
    id,
    title,
    ...(await textIn({ ...asked(context, shown), query: context.query }, view, { id, body, page: undefined })),
    ...omitUndefined({ git: git === undefined || context.query.metadata === false ? undefined : git }),
  };
}

export async function answerFile(
  asking: Reading & { readonly params: { readonly fileId: string } },
): Promise<v.InferInput<typeof File>> {
  const { context, shown } = read(asking);
  const file = await shown.view.getFile(context.params.fileId);
  if (!file) throw createError("file_not_found");
  return fileView(context, file);
}

/** A page of the files of a revision, in the order of their ids. */
export async function listFilesIn(
  asking: Reading & { readonly pageRequest: PageRequest },
): Promise<PageOfItems<v.InferInput<typeof File>>> {
  const { context, shown } = read(asking);
  const { view } = shown;
  return paginateList(
    context.pageRequest,
    async ({ after, limit }) => {
      const rows = await view.list({ under: keys.files, after, limit });
      return rows.map((row) => ({ record: fileIn(row), position: row.key }));
    },
    await view.count({ under: keys.files }),
    (files) => files.map((file) => fileView(context, file)),
  );
}

/** An entry of a file, with its id. */
export function fileIn({ key, value }: { readonly key: string; readonly value: unknown }): WithId<FileEntry> {
  return { ...(value as FileEntry), id: key.slice(keys.files.length) };
}
