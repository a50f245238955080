// Where content is read and written: what a space shows, or a change request of it. Both have the same operations.

import type {
  ChangeBatch,
  ChangeOutcome,
  Document,
  File,
  Page,
  PageInTree,
  Revision,
} from "../../../generated/resources";
import { call } from "../calls/client";
import { type Reading, useRead } from "../calls/reads";
import { write } from "../calls/writes";

export type { Document, File, Page, PageInTree };
export type Change = ChangeBatch["changes"][number];

export interface Place {
  readonly organization: string;
  readonly space: string;
  /** Its number. Undefined: what the space shows. */
  readonly changeRequest?: string | undefined;
}

export const paramsOf = ({ space }: Place) => ({ spaceId: space });
const inRequest = ({ space, changeRequest = "" }: Place) => ({ spaceId: space, changeRequestId: changeRequest });

/** The tree of pages. */
export function usePages(place: Place): Reading<{ pages: PageInTree[] }> {
  const isRequest = place.changeRequest !== undefined;
  const query = { metadata: "false" } as const;
  const ofSpace = useRead("listPages", isRequest ? undefined : { params: paramsOf(place), query });
  const ofRequest = useRead("listChangeRequestPages", isRequest ? { params: inRequest(place), query } : undefined);
  return isRequest ? ofRequest : ofSpace;
}

/** A page with its text, by its id. */
export function usePage(place: Place, pageId: string | undefined): Reading<Page> {
  const isRequest = place.changeRequest !== undefined;
  const ofSpace = useRead(
    "getPage",
    isRequest || pageId === undefined ? undefined : { params: { ...paramsOf(place), pageId } },
  );
  const ofRequest = useRead(
    "getChangeRequestPage",
    isRequest && pageId !== undefined ? { params: { ...inRequest(place), pageId } } : undefined,
  );
  return isRequest ? ofRequest : ofSpace;
}

/** A page as it is now, past everything that is kept. */
export async function readPage(place: Place, pageId: string): Promise<Page> {
  const result =
    place.changeRequest === undefined
      ? await call("getPage", { params: { ...paramsOf(place), pageId } })
      : await call("getChangeRequestPage", { params: { ...inRequest(place), pageId } });
  if (!result.ok) throw result.error;
  return result.value;
}

/** The revision that a write now would follow. */
export async function readRevision(place: Place): Promise<string> {
  const result =
    place.changeRequest === undefined
      ? await call("getSpace", { params: paramsOf(place) })
      : await call("getChangeRequest", { params: inRequest(place) });
  if (!result.ok) throw result.error;
  return result.value.revision;
}

/** What was done. */
export interface Done {
  readonly changes: readonly ChangeOutcome[];
  readonly insertedFiles: readonly { readonly id: string; readonly ref?: string }[];
}

/** Changes content, all or nothing. With a revision it is refused (`precondition_failed`) if anything was written after it. */
export async function change(place: Place, changes: Change[], revision?: string): Promise<Done> {
  const etag = revision === undefined ? undefined : `"${revision}"`;
  const outcome =
    place.changeRequest === undefined
      ? await write("changeContent", { params: paramsOf(place), body: { changes } }, etag)
      : ((await write(
          "changeChangeRequestContent",
          { params: inRequest(place), query: { compat: "false" }, body: { changes } },
          etag,
        )) as { changes: ChangeOutcome[]; insertedFiles?: { id: string; ref?: string }[] });
  return { changes: outcome.changes, insertedFiles: outcome.insertedFiles ?? [] };
}

/** The document that a text would be. */
export async function previewOf(
  place: Place,
  pageId: string,
  markdown: string,
  signal: AbortSignal,
): Promise<Document | undefined> {
  const query = { evaluated: "true" } as const;
  const options = { signal };
  const result =
    place.changeRequest === undefined
      ? await call("previewPage", { params: { ...paramsOf(place), pageId }, query, body: { markdown } }, options)
      : await call(
          "previewChangeRequestPage",
          { params: { ...inRequest(place), pageId }, query, body: { markdown } },
          options,
        );
  return result.ok ? result.value : undefined;
}

/** A file, with an address that shows it to this person. */
export async function readFile(place: Place, fileId: string): Promise<File | undefined> {
  const result =
    place.changeRequest === undefined
      ? await call("getFile", { params: { ...paramsOf(place), fileId } })
      : await call("getChangeRequestFile", { params: { ...inRequest(place), fileId } });
  return result.ok ? result.value : undefined;
}

/** What a revision of a space holds, but the texts of its pages. */
export async function readPagesOf(spaceId: string, revisionId: string): Promise<Pick<Revision, "pages" | "variables">> {
  const result = await call("getRevision", { params: { spaceId, revisionId }, query: { metadata: "false" } });
  if (!result.ok) throw result.error;
  return result.value;
}
