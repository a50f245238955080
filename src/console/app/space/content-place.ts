// Reads and writes content in a place, which is a space or one of its change requests. Both have the same operations.

import type {
  ChangeBatch,
  ChangeOutcome,
  Document,
  File,
  Page,
  PageInTree,
  Revision,
} from "../../../generated/resources";
import { call } from "../api/client";
import { runMutation } from "../api/mutations";
import { type QueryState, useQuery } from "../api/queries";

export type { Document, File, Page, PageInTree };
export type ContentEdit = ChangeBatch["changes"][number];

export interface ContentPlace {
  readonly organization: string;
  readonly space: string;
  /** The number of the change request, or undefined for the current content of the space. */
  readonly changeRequest?: string | undefined;
}

const getChangeRequestParams = ({ space, changeRequest = "" }: ContentPlace) => ({
  spaceId: space,
  changeRequestId: changeRequest,
});

/** Queries the page tree. */
export function usePages(place: ContentPlace): QueryState<{ pages: PageInTree[] }> {
  const isRequest = place.changeRequest !== undefined;
  const query = { metadata: "false" } as const;
  const ofSpace = useQuery("listPages", isRequest ? undefined : { params: { spaceId: place.space }, query });
  const ofRequest = useQuery(
    "listChangeRequestPages",
    isRequest ? { params: getChangeRequestParams(place), query } : undefined,
  );
  return isRequest ? ofRequest : ofSpace;
}

/** Queries a page with its text. */
export function usePage(place: ContentPlace, pageId: string | undefined): QueryState<Page> {
  const isRequest = place.changeRequest !== undefined;
  const ofSpace = useQuery(
    "getPage",
    isRequest || pageId === undefined ? undefined : { params: { spaceId: place.space, pageId } },
  );
  const ofRequest = useQuery(
    "getChangeRequestPage",
    isRequest && pageId !== undefined ? { params: { ...getChangeRequestParams(place), pageId } } : undefined,
  );
  return isRequest ? ofRequest : ofSpace;
}

/** Reads the current version of a page, bypassing the cache. */
export async function readCurrentPage(place: ContentPlace, pageId: string): Promise<Page> {
  const result =
    place.changeRequest === undefined
      ? await call("getPage", { params: { spaceId: place.space, pageId } })
      : await call("getChangeRequestPage", { params: { ...getChangeRequestParams(place), pageId } });
  if (!result.ok) throw result.error;
  return result.value;
}

/** Reads the id of the current revision. */
export async function readRevision(place: ContentPlace): Promise<string> {
  const result =
    place.changeRequest === undefined
      ? await call("getSpace", { params: { spaceId: place.space } })
      : await call("getChangeRequest", { params: getChangeRequestParams(place) });
  if (!result.ok) throw result.error;
  return result.value.revision;
}

/** The result of applied changes. */
export interface AppliedChanges {
  readonly changes: readonly ChangeOutcome[];
  readonly insertedFiles: readonly { readonly id: string; readonly ref?: string }[];
}

/** Applies changes, all or nothing. With a revision, fails with `precondition_failed` if the content was changed after it. */
export async function applyChanges(
  place: ContentPlace,
  changes: ContentEdit[],
  revision?: string,
): Promise<AppliedChanges> {
  const etag = revision === undefined ? undefined : `"${revision}"`;
  const outcome =
    place.changeRequest === undefined
      ? await runMutation("changeContent", { params: { spaceId: place.space }, body: { changes } }, etag)
      : ((await runMutation(
          "changeChangeRequestContent",
          { params: getChangeRequestParams(place), query: { compat: "false" }, body: { changes } },
          etag,
        )) as { changes: ChangeOutcome[]; insertedFiles?: { id: string; ref?: string }[] });
  return { changes: outcome.changes, insertedFiles: outcome.insertedFiles ?? [] };
}

/** Converts Markdown to a document without saving it. */
export async function previewMarkdown(
  place: ContentPlace,
  pageId: string,
  markdown: string,
  signal: AbortSignal,
): Promise<Document | undefined> {
  const query = { evaluated: "true" } as const;
  const options = { signal };
  const result =
    place.changeRequest === undefined
      ? await call("previewPage", { params: { spaceId: place.space, pageId }, query, body: { markdown } }, options)
      : await call(
          "previewChangeRequestPage",
          { params: { ...getChangeRequestParams(place), pageId }, query, body: { markdown } },
          options,
        );
  return result.ok ? result.value : undefined;
}

/** Reads a file with a download URL for the user. */
export async function readPlaceFile(place: ContentPlace, fileId: string): Promise<File | undefined> {
  const result =
    place.changeRequest === undefined
      ? await call("getFile", { params: { spaceId: place.space, fileId } })
      : await call("getChangeRequestFile", { params: { ...getChangeRequestParams(place), fileId } });
  return result.ok ? result.value : undefined;
}

/** Reads a revision of a space without the texts of its pages. */
export async function readRevisionPages(
  spaceId: string,
  revisionId: string,
): Promise<Pick<Revision, "pages" | "variables">> {
  const result = await call("getRevision", { params: { spaceId, revisionId }, query: { metadata: "false" } });
  if (!result.ok) throw result.error;
  return result.value;
}

/** The items that a text can insert by name. */
export type Insertable = Pick<Revision, "variables" | "reusableContents">;

const insertableCache = new Map<string, { readonly at: number; readonly found: Promise<Insertable> }>();
const FRESH_MS = 20_000;

/** Loads the insertable items of a place. The result is cached for some seconds, and empty on failure. */
export function loadInsertable(place: ContentPlace): Promise<Insertable> {
  const name = `${place.space} ${place.changeRequest ?? ""}`;
  const known = insertableCache.get(name);
  if (known && Date.now() - known.at < FRESH_MS) return known.found;
  const query = { metadata: "false", computed: "false" } as const;
  const asking =
    place.changeRequest === undefined
      ? call("getContent", { params: { spaceId: place.space }, query })
      : call("getChangeRequestContent", { params: getChangeRequestParams(place), query });
  const found = asking.then(
    (result): Insertable => (result.ok ? result.value : { variables: {}, reusableContents: [] }),
  );
  insertableCache.set(name, { at: Date.now(), found });
  return found;
}
