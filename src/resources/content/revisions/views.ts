// Content on the wire.

import type * as v from "valibot";
import type { FileEntry, PageEntry } from "../../../content/revision/entries";
import { branchesOf, pageTree } from "../../../content/revision/page-tree";
import { type Identified, pathFrom, type View } from "../../../content/revision/view";
import type { Urls } from "../../../urls";
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

/** A page's own fields. */
export function pageFields(context: Showing, page: Identified<PageEntry>, path: string): Omit<PageNode, "pages"> {
  const { parent: _, order: __, stated: ___, computed: ____, body, git, target, ...fields } = page;
  return {
    object: "page",
    ...fields,
    path,
    ...(body === undefined ? {} : { documentId: body }),
    ...(target === undefined ? {} : { target, ...(target.kind === "url" ? { href: target.url } : {}) }),
    ...(git === undefined || context.query.metadata === false ? {} : { git }),
    urls: { app: appUrl(context, path) },
  } as Omit<PageNode, "pages">;
}

/** All pages of a revision as a tree, in order. */
export async function allPages(context: Showing, view: View): Promise<PageNode[]> {
  return branchesOf(pageTree(await view.allPages()), null, "", (page, path) => pageFields(context, page, path));
}

/** The pages below one, in order. */
export async function pagesBelow(context: Showing, view: View, page: string, path: string): Promise<PageNode[]> {
  const found = await view.pagesById((await view.childIds(page)).map(({ id }) => id));
  const nodes: PageNode[] = [];
  for (const child of found) {
    if (!child) continue;
    const at = `${path}/${child.slug}`;
    nodes.push({ ...pageFields(context, child, at), pages: await pagesBelow(context, view, child.id, at) });
  }
  return nodes;
}

/** The path of an existing page. */
export async function pathTo(view: View, page: string): Promise<string> {
  return pathFrom(await view.ancestry(page));
}

export function fileView(context: Showing & Signing, file: Identified<FileEntry>): v.InferOutput<typeof File> {
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
  const { id, parents, type, createdAt, createdBy, number, git } = revision;
  return {
    object: "revision",
    id,
    parents: [...parents],
    type,
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
