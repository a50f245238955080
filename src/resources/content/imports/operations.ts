// Imports: content from another host becomes one revision. It is fetched once, before the call takes its turn. Then it
// is added to the current content, as a batch of changes would be.

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
import { changeRequest, checkIsEditable, type InChangeRequest } from "../change-requests/rules";
import { saveChangeRequestRevision, stageCurrentConflicts } from "../change-requests/save-revision";
import { saveRevision } from "../revisions/apply-changes";
import { openRevision, type RevisionRecord } from "../revisions/records";
import { checkNotLocked, content, revision } from "../revisions/rules";
import type { layOut } from "./add-book";
import { type Ending, type Importing, tellEnd, tellFailure, telling } from "./progress";
import { Import, ImportOutcome, ImportReport, PageImport } from "./schema";
import { readTold } from "./told";

const afterContent =
  "Everything is added at the end of what is there. What could not be taken is skipped, and told in the report at `/v1/spaces/{spaceId}/revisions/{revisionId}/import`; if nothing could be, the answer is 422 and nothing has changed.";

const intoPage =
  "The text that comes first goes to the end of the page's text; title and settings of the page stay. Further pages are added below the page. What could not be taken is told in the report at `/v1/spaces/{spaceId}/revisions/{revisionId}/import`; if nothing could be, the answer is 422 and nothing has changed.";

const answers = { returns: ImportOutcome, status: 201, right: "edit", serializeBy: "spaceId" } as const;

/** How something is imported into a space: after the content, or into the page that the path names. */
const intoSpace = {
  ...answers,
  target: content,
  async gather(context: SpaceContext & Asking) {
    checkNotLocked(context);
    await checkTakesText(context);
    return telling(context, (told) => read(context, told));
  },
  async prepare(context: SpaceContext & Asking & Laying) {
    checkNotLocked(context);
    await checkTakesText(context);
    return lay(context, context.params.pageId);
  },
  async handle(context: Parameters<typeof saveRevision>[0] & Ending & { readonly prepared: Laid }) {
    checkNotLocked(context);
    const { imported } = context.prepared;
    const next = await saveRevision(context, context.prepared, { imported });
    await tellEnd(context, "completed");
    return outcomeOf(next);
  },
};

/** The same for a change request. */
const intoChangeRequest = {
  ...answers,
  target: changeRequest,
  async gather(context: InChangeRequest & Asking) {
    checkIsEditable(context.changeRequest);
    await checkTakesText(context);
    return telling(context, (told) => read(context, told));
  },
  async prepare(context: InChangeRequest & Asking & Laying & Parameters<typeof stageCurrentConflicts>[0]) {
    checkIsEditable(context.changeRequest);
    await checkTakesText(context);
    const laid = await lay(context, context.params.pageId);
    return { ...laid, left: await stageCurrentConflicts(context) };
  },
  async handle(
    context: Parameters<typeof saveChangeRequestRevision>[0] &
      Ending & {
        readonly prepared: Laid & { readonly left: Awaited<ReturnType<typeof stageCurrentConflicts>> };
      },
  ) {
    checkIsEditable(context.changeRequest);
    const { imported, left } = context.prepared;
    const { next } = await saveChangeRequestRevision(context, context.prepared, left, { imported });
    await tellEnd(context, "completed");
    return outcomeOf(next);
  },
};

export const importContent = defineOperation("POST /spaces/:spaceId/content/import", {
  ...intoSpace,
  summary: "Import pages and files from another host into a space, in one revision",
  description: afterContent,
  body: Import,
});

export const importChangeRequestContent = defineOperation(
  "POST /spaces/:spaceId/change-requests/:changeRequestId/content/import",
  {
    ...intoChangeRequest,
    summary: "Import pages and files from another host into a change request, in one revision",
    description: afterContent,
    body: Import,
  },
);

export const importIntoPage = defineOperation("POST /spaces/:spaceId/content/page/:pageId/import", {
  ...intoSpace,
  summary: "Import a text, or what is at a URL, into a page of a space, in one revision",
  description: intoPage,
  body: PageImport,
});

export const importIntoChangeRequestPage = defineOperation(
  "POST /spaces/:spaceId/change-requests/:changeRequestId/content/page/:pageId/import",
  {
    ...intoChangeRequest,
    summary: "Import a text, or what is at a URL, into a page of a change request, in one revision",
    description: intoPage,
    body: PageImport,
  },
);

/** Only a page with a text of its own takes another one. */
async function checkTakesText({ objects, revision, params }: Asking): Promise<void> {
  if (params.pageId === undefined) return;
  const page = await openRevision(objects, revision).getPage(params.pageId);
  if (!page) throw createError("page_not_found");
  if (page.type !== "document")
    throw createValidationError("params.pageId", "Only a page with a text of its own takes an import");
}

/** What reading a source needs, and the page that it goes into. */
interface Asking extends Importing {
  readonly objects: Objects;
  readonly revision: RevisionRecord;
  readonly params: { readonly spaceId: string; readonly changeRequestId?: string; readonly pageId?: string };
  readonly ports: Ports;
  readonly body: Wanted;
  readonly store: Store;
  readonly partition: string;
}
type Laying = Parameters<typeof layOut>[0];
type Laid = Awaited<ReturnType<typeof layOut>>;

export const getImportReport = defineOperation("GET /spaces/:spaceId/revisions/:revisionId/import", {
  summary: "Get what the import that made a revision brought, and what it skipped and why",
  target: revision,
  right: "view",
  returns: ImportReport,
  async handle({ revision: { id, imported, createdAt }, objects }) {
    if (!imported) throw createError("import_report_not_found");
    const { skipped, ...report } = imported;
    return {
      object: "import-report" as const,
      revision: id,
      ...(report as typeof report & { source: Wanted["source"] }),
      ...(skipped === undefined ? { skipped: [], leftOut: [] } : readTold(await objects.text(skipped))),
      createdAt,
    };
  },
});

type Wanted = v.InferOutput<typeof PageImport>;
type Told = NonNullable<Parameters<Ports["runImport"]>[1]>["onProgress"];

function read({ ports, body, store, partition }: Asking, told: Told) {
  const { source, url, text } = body;
  if (text !== undefined) return readText(ports, { source, url, text });
  if (url === undefined) throw createValidationError("body.url", "Expected `url`, or `text`");
  const { username, password } = parseUrl(url);
  if (username + password !== "" && source !== "github-wiki")
    throw createValidationError("body.url", "A name and a password in the URL are taken for `github-wiki` alone");
  // Files of a website, or an archive, may be more than memory should hold.
  const aside = loadLazily(async () => (await import("./set-aside")).settingAside(store, partition));
  return ports.runImport({ source, url }, { spillBytes: async (bytes) => (await aside())(bytes), onProgress: told });
}

function readText(ports: Ports, { source, url, text }: Wanted & { readonly text: string }) {
  if (url !== undefined) throw createValidationError("body.text", "Expected either `url` or `text`");
  if (source !== "markdown" && source !== "html")
    throw createValidationError("body.source", "Expected `markdown` or `html`: other sources have a `url`");
  return ports.runImport({ source, text });
}

/** The code that adds books to revisions is loaded when first needed. */
async function lay(context: Laying & Asking, page?: string): Promise<Laid> {
  try {
    return await (await import("./add-book")).layOut(context, page);
  } catch (error) {
    await tellFailure(context);
    if (!(error instanceof ChangeError)) throw error;
    throw new DocsError("import_failed", { issues: [{ path: "body", message: error.message }], cause: error });
  }
}

function outcomeOf({ id, imported }: RevisionRecord) {
  const { importedResources, totalResources } = imported!;
  return { revision: id, importedResources, totalResources };
}
