// Changes the content of a change request: a batch of changes creates the next revision of its branch.

import * as v from "valibot";
import { BooleanParam } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { omitUndefined } from "../../../utils/objects";
import { prepareChanges } from "../revisions/apply-changes";
import { Changes } from "../revisions/changes-schema";
import { fetchFiles, mayInsertFiles } from "../revisions/incoming-files";
import { checkReferences } from "../revisions/references";
import { stageRemainingConflicts } from "./conflicts";
import { changeRequest, checkIsEditable } from "./rules";
import { saveChangeRequestRevision } from "./save-revision";
import { ChangedChangeRequest } from "./schema";
import { createChangeRequestView } from "./views";

export const changeChangeRequestContent = defineOperation(
  "POST /spaces/:spaceId/change-requests/:changeRequestId/content",
  {
    summary: "Update the content of a change request",
    target: changeRequest,
    right: "edit",
    query: {
      compat: v.optional(
        v.pipe(BooleanParam, v.description("False returns the outcome of each change. Defaults to true.")),
      ),
    },
    body: Changes,
    returns: ChangedChangeRequest,
    serializeBy: "spaceId",
    // A slow host must not keep others from changing the space.
    shouldGather: mayInsertFiles,
    async gather(context) {
      checkIsEditable(context.changeRequest);
      await checkReferences(context, context.body.changes);
      return fetchFiles(context.ports, context.body.changes);
    },
    async prepare(context) {
      checkIsEditable(context.changeRequest);
      await checkReferences(context, context.body.changes);
      const changes = context.gathered ?? (await fetchFiles(context.ports, context.body.changes));
      const prepared = await prepareChanges(context, changes, context.changeRequest.revisionInitial);
      return { ...prepared, conflicts: await stageRemainingConflicts(context, changes, prepared) };
    },
    async handle(context) {
      const { prepared, query } = context;
      checkIsEditable(context.changeRequest);
      const { changed } = await saveChangeRequestRevision(context, prepared, prepared.conflicts);
      const view = await createChangeRequestView(context, changed);
      if (query.compat !== false) return view;
      const { changes, insertedFiles } = prepared;
      return {
        changeRequest: view,
        changes,
        ...omitUndefined({ insertedFiles: insertedFiles.length > 0 ? insertedFiles : undefined }),
      };
    },
  },
);
