// The answers of reads of content, for every state of the content.

import type * as v from "valibot";
import { type FileEntry, keys, type PageEntry } from "../../../content/revision/entries";
import type { Identified, View } from "../../../content/revision/view";
import { failure } from "../../../errors";
import type { Listing, Page as PageOfList } from "../../../operation/operation";
import { pageOf } from "../../../operation/pages";
import { type Shown, shownIn } from "./computed-content";
import type { Sources } from "./computed-sources";
import type { Signing } from "./download-urls";
import { viewIn } from "./records";
import type { File, Page, PageNode, ReusableContent, Revision } from "./schema";
import { textIn } from "./texts";
import { allPages, fileView, pageFields, pagesBelow, pathTo, revisionSummary, type Showing } from "./views";

/** What a read of content needs. */
export interface Reading extends Showing, Sources, Signing {
  readonly query: Showing["query"] & {
    readonly format?: "document" | "markdown" | undefined;
    readonly evaluated?: boolean | undefined;
  };
}

export async function answerRevision(context: Reading): Promise<v.InferInput<typeof Revision>> {
  const { revision } = context;
  const { view } = shownIn(context, revision);
  const { number: _, createdBy: __, git, ...summary } = revisionSummary(context, revision);
  const files = await view.list({ under: keys.files });
  const reusables = await view.list({ under: keys.reusables });
  const ids = reusables.map(({ key }) => key.slice(keys.reusables.length));
  return {
    ...summary,
    ...(git === undefined || context.query.metadata === false ? {} : { git }),
    pages: await allPages(context, view),
    files: files.map((row) => fileView(context, fileIn(row))),
    reusableContents: await Promise.all(
      ids.map((id) => reusableView({ ...context, query: { ...context.query, format: "document" } }, view, id)),
    ),
    variables: await view.variables(),
  };
}

export async function listPagesIn(context: Reading): Promise<{ pages: PageNode[] }> {
  return { pages: await allPages(context, shownIn(context, context.revision).view) };
}

export async function answerPage(
  context: Reading & { readonly params: { readonly pageId: string } },
): Promise<v.InferInput<typeof Page>> {
  const shown = shownIn(context, context.revision);
  return pageView(context, shown, await shown.view.page(context.params.pageId));
}

export async function answerPageAt(
  context: Reading & { readonly params: { readonly pagePath: string } },
): Promise<v.InferInput<typeof Page>> {
  const shown = shownIn(context, context.revision);
  return pageView(context, shown, await shown.view.pageAt(context.params.pagePath));
}

async function pageView(
  context: Reading,
  { view, objects }: Shown,
  page: Identified<PageEntry> | undefined,
): Promise<v.InferInput<typeof Page>> {
  if (!page) throw failure("page_not_found");
  const { id } = page;
  const path = await pathTo(view, id);
  return {
    ...(await pageFields(context, page, path)),
    ...(page.body === undefined ? {} : await textIn({ ...context, objects }, view, { id, body: page.body, page })),
    pages: await pagesBelow(context, view, id, path),
  };
}

export async function answerReusable(
  context: Reading & { readonly params: { readonly reusableContentId: string } },
): Promise<v.InferInput<typeof ReusableContent>> {
  return reusableView(context, viewIn(context.objects, context.revision), context.params.reusableContentId);
}

async function reusableView(context: Reading, view: View, id: string): Promise<v.InferInput<typeof ReusableContent>> {
  const found = await view.reusable(id);
  if (!found) throw failure("reusable_content_not_found");
  const { title, body, git } = found;
  return {
    object: "reusable-content",
    id,
    title,
    ...(await textIn(context, view, { id, body, page: undefined })),
    ...(git === undefined || context.query.metadata === false ? {} : { git }),
  };
}

export async function answerFile(
  context: Reading & { readonly params: { readonly fileId: string } },
): Promise<v.InferInput<typeof File>> {
  const file = await shownIn(context, context.revision).view.file(context.params.fileId);
  if (!file) throw failure("file_not_found");
  return fileView(context, file);
}

/** A page of the files of a revision, in the order of their ids. */
export async function listFilesIn(
  context: Reading & { readonly page: PageOfList },
): Promise<Listing<v.InferInput<typeof File>>> {
  const { view } = shownIn(context, context.revision);
  return pageOf(
    context.page,
    async ({ after, limit }) => {
      const rows = await view.list({ under: keys.files, after, limit });
      return rows.map((row) => ({ record: fileIn(row), position: row.key }));
    },
    await view.count({ under: keys.files }),
    (files) => files.map((file) => fileView(context, file)),
  );
}

function fileIn({ key, value }: { readonly key: string; readonly value: unknown }): Identified<FileEntry> {
  return { ...(value as FileEntry), id: key.slice(keys.files.length) };
}
