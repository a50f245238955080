// Imports: content from another host becomes one revision. It is fetched once, before the call takes its turn. Then it
// is added to the current content, as a batch of changes would be.

import type * as v from "valibot";
import { failure, invalid } from "../../../errors";
import { operation } from "../../../operation/operation";
import type { Parts } from "../../../parts/parts";
import { parseAddress } from "../../../web-address";
import { changeRequest, checkUnderWay } from "../change-requests/rules";
import { keptConflicts, saveInChangeRequest } from "../change-requests/save-revision";
import { saveRevision } from "../revisions/apply-changes";
import type { RevisionRecord } from "../revisions/records";
import { checkNotLocked, content, revision } from "../revisions/rules";
import type { layOut } from "./add-book";
import { readTold } from "./report";
import { Import, ImportOutcome, ImportReport } from "./schema";

const description =
  "Everything is added at the end of what is there. What could not be taken is skipped, and told in the report at `/v1/spaces/{spaceId}/revisions/{revisionId}/import`; if nothing could be, the answer is 422 and nothing has changed.";

export const importContent = operation("POST /spaces/:spaceId/content/import", {
  summary: "Import pages and files from another host into a space, in one revision",
  description,
  on: content,
  right: "edit",
  body: Import,
  returns: ImportOutcome,
  status: 201,
  inTurn: "spaceId",
  async gather(context) {
    checkNotLocked(context);
    return read(context);
  },
  async prepare(context) {
    checkNotLocked(context);
    return lay(context);
  },
  async handle(context) {
    checkNotLocked(context);
    const { imported } = context.prepared;
    return outcomeOf(await saveRevision(context, context.prepared, { imported }));
  },
});

export const importChangeRequestContent = operation(
  "POST /spaces/:spaceId/change-requests/:changeRequestId/content/import",
  {
    summary: "Import pages and files from another host into a change request, in one revision",
    description,
    on: changeRequest,
    right: "edit",
    body: Import,
    returns: ImportOutcome,
    status: 201,
    inTurn: "spaceId",
    async gather(context) {
      checkUnderWay(context.changeRequest);
      return read(context);
    },
    async prepare(context) {
      checkUnderWay(context.changeRequest);
      const laid = await lay(context);
      return { ...laid, left: await keptConflicts(context) };
    },
    async handle(context) {
      checkUnderWay(context.changeRequest);
      const { imported, left } = context.prepared;
      const { next } = await saveInChangeRequest(context, context.prepared, left, { imported });
      return outcomeOf(next);
    },
  },
);

export const getImportReport = operation("GET /spaces/:spaceId/revisions/:revisionId/import", {
  summary: "Get what the import that made a revision brought, and what it skipped and why",
  on: revision,
  right: "view",
  returns: ImportReport,
  async handle({ revision: { id, imported, createdAt }, objects }) {
    if (!imported) throw failure("import_report_not_found");
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

type Wanted = v.InferOutput<typeof Import>;

function read({ parts, body }: { readonly parts: Parts; readonly body: Wanted }) {
  const { username, password } = parseAddress(body.url);
  if (username + password !== "" && body.source !== "github-wiki")
    throw invalid("body.url", "A name and a password in the URL are taken for `github-wiki` alone");
  return parts.importing(body);
}

/** The code that adds books to revisions is loaded when first needed. */
async function lay(context: Parameters<typeof layOut>[0]): ReturnType<typeof layOut> {
  return (await import("./add-book")).layOut(context);
}

function outcomeOf({ id, imported }: RevisionRecord) {
  const { importedResources, totalResources } = imported!;
  return { revision: id, importedResources, totalResources };
}
