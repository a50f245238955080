// Imports: content from another host becomes one revision. The source is read once, before the operation waits for its
// turn. It is then added to the current content, like a batch of changes.

import type * as v from "valibot";
import { ChangeError } from "../../../content/revision/errors";
import { createError, createValidationError, DocsError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import type { Ports } from "../../../ports/ports";
import type { Objects } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import { loadLazily } from "../../../utils/lazy";
import { parseUrl } from "../../../utils/url";
import type { SpaceContext } from "../../library/spaces/rules";
import {
  type ConflictContext,
  loadConflicts,
  type StagedConflicts,
  stageConflicts,
} from "../change-requests/conflicts";
import { type ChangeRequestContext, changeRequest, checkIsEditable } from "../change-requests/rules";
import { saveChangeRequestRevision } from "../change-requests/save-revision";
import { saveRevision } from "../revisions/apply-changes";
import { openRevision, type RevisionRecord } from "../revisions/records";
import { checkNotLocked, content, revision } from "../revisions/rules";
import type { AddBookContext, PreparedImport } from "./add-book";
import { parseOmissionReport } from "./omission-report";
import {
  endImportProgress,
  type ImportEndContext,
  type ImportRun,
  readWithProgress,
  recordImportFailure,
} from "./progress";
import { Import, ImportOutcome, ImportReport, PageImport } from "./schema";

const importDefaults = { returns: ImportOutcome, status: 201, right: "edit", serializeBy: "spaceId" } as const;

/** The handlers of an import into a space: after its content, or into the page that the path names. */
const spaceImport = {
  ...importDefaults,
  target: content,
  async gather(context: SpaceContext & SourceReadContext) {
    checkNotLocked(context);
    await checkPageAcceptsText(context);
    return readWithProgress(context, (onProgress) => readImportSource(context, onProgress));
  },
  async prepare(context: SpaceContext & SourceReadContext & AddBookContext) {
    checkNotLocked(context);
    await checkPageAcceptsText(context);
    return prepareImport(context, context.params.pageId);
  },
  async handle(context: Parameters<typeof saveRevision>[0] & ImportEndContext & { readonly prepared: PreparedImport }) {
    checkNotLocked(context);
    const { imported } = context.prepared;
    const { id: revision } = await saveRevision(context, context.prepared, { imported });
    await endImportProgress(context, "completed");
    return { revision, importedResources: imported.importedResources, totalResources: imported.totalResources };
  },
};

const changeRequestImport = {
  ...importDefaults,
  target: changeRequest,
  async gather(context: ChangeRequestContext & SourceReadContext) {
    checkIsEditable(context.changeRequest);
    await checkPageAcceptsText(context);
    return readWithProgress(context, (onProgress) => readImportSource(context, onProgress));
  },
  async prepare(context: ChangeRequestContext & SourceReadContext & AddBookContext & ConflictContext) {
    checkIsEditable(context.changeRequest);
    await checkPageAcceptsText(context);
    const prepared = await prepareImport(context, context.params.pageId);
    // An import resolves no conflict.
    const conflicts = await loadConflicts(context, context.revision);
    return { ...prepared, conflicts: await stageConflicts(context, conflicts) };
  },
  async handle(
    context: Parameters<typeof saveChangeRequestRevision>[0] &
      ImportEndContext & {
        readonly prepared: PreparedImport & { readonly conflicts: StagedConflicts };
      },
  ) {
    checkIsEditable(context.changeRequest);
    const { imported, conflicts } = context.prepared;
    const { next } = await saveChangeRequestRevision(context, context.prepared, conflicts, { imported });
    await endImportProgress(context, "completed");
    const { importedResources, totalResources } = imported;
    return { revision: next.id, importedResources, totalResources };
  },
};

export const importContent = defineOperation("POST /spaces/:spaceId/content/import", {
  ...spaceImport,
  summary: "Import content into a space",
  body: Import,
});

export const importChangeRequestContent = defineOperation(
  "POST /spaces/:spaceId/change-requests/:changeRequestId/content/import",
  {
    ...changeRequestImport,
    summary: "Import content into a change request",
    body: Import,
  },
);

export const importIntoPage = defineOperation("POST /spaces/:spaceId/content/page/:pageId/import", {
  ...spaceImport,
  summary: "Import content into a page",
  body: PageImport,
});

export const importIntoChangeRequestPage = defineOperation(
  "POST /spaces/:spaceId/change-requests/:changeRequestId/content/page/:pageId/import",
  {
    ...changeRequestImport,
    summary: "Import content into a page of a change request",
    body: PageImport,
  },
);

/** Checks that the page of the path, if there is one, has a text of its own, to which another can be added. */
async function checkPageAcceptsText({ objects, revision, params }: SourceReadContext): Promise<void> {
  if (params.pageId === undefined) return;
  const page = await openRevision(objects, revision).getPage(params.pageId);
  if (!page) throw createError("page_not_found");
  if (page.type !== "document")
    throw createValidationError("params.pageId", "You can only import into a page that has its own text");
}

interface SourceReadContext extends ImportRun {
  readonly objects: Objects;
  readonly revision: RevisionRecord;
  readonly params: { readonly spaceId: string; readonly changeRequestId?: string; readonly pageId?: string };
  readonly ports: Ports;
  readonly body: v.InferOutput<typeof PageImport>;
  readonly store: Store;
  readonly partition: string;
}
export const getImportReport = defineOperation("GET /spaces/:spaceId/revisions/:revisionId/import", {
  summary: "Get an import report",
  target: revision,
  right: "view",
  returns: ImportReport,
  async handle({ revision: { id, imported, createdAt }, objects }) {
    if (!imported) throw createError("import_report_not_found");
    const { skipped, ...report } = imported;
    return {
      object: "import-report" as const,
      revision: id,
      ...(report as typeof report & { source: v.InferOutput<typeof PageImport>["source"] }),
      ...(skipped === undefined ? { skipped: [], leftOut: [] } : parseOmissionReport(await objects.text(skipped))),
      createdAt,
    };
  },
});

/** Reads a source: the text of the request, or the content of its URL. */
function readImportSource(
  { ports, body, store, partition }: SourceReadContext,
  onProgress: NonNullable<Parameters<Ports["runImport"]>[1]>["onProgress"],
) {
  const { source, url, text } = body;
  if (text !== undefined) {
    if (url !== undefined) throw createValidationError("body.text", "Expected either `url` or `text`, not both");
    if (source !== "markdown" && source !== "html")
      throw createValidationError("body.source", "Expected `markdown` or `html`. Other sources require a `url`");
    return ports.runImport({ source, text });
  }
  if (url === undefined) throw createValidationError("body.url", "Expected `url` or `text`");
  const { username, password } = parseUrl(url);
  if (username + password !== "" && source !== "github-wiki")
    throw createValidationError("body.url", "Credentials in the URL are supported for `github-wiki` only");
  // The files of a website or an archive may need more memory than a process should use.
  const loadSpill = loadLazily(async () => (await import("./byte-spill")).createByteSpill(store, partition));
  return ports.runImport({ source, url }, { spillBytes: async (bytes) => (await loadSpill())(bytes), onProgress });
}

/** Adds the imported content to the current revision. The code for that is loaded when it is first needed. */
async function prepareImport(context: AddBookContext & SourceReadContext, page?: string): Promise<PreparedImport> {
  try {
    return await (await import("./add-book")).addBookToRevision(context, page);
  } catch (error) {
    await recordImportFailure(context);
    if (!(error instanceof ChangeError)) throw error;
    throw new DocsError("import_failed", { issues: [{ path: "body", message: error.message }], cause: error });
  }
}
