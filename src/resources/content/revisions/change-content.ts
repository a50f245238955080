// Changes content: batches of changes, and templates. The new revision is computed before the transaction, which checks that the
// revision from which it was computed is still active, and replaces it.

import * as v from "valibot";
import { Id } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { TemplateParams } from "../../library/spaces/schema";
import { createTemplateChanges, findTemplate } from "../templates/records";
import { prepareChanges, saveChanges } from "./apply-changes";
import { ChangeOutcome, Changes, InsertedFile } from "./changes-schema";
import { fetchFiles, mayInsertFiles } from "./incoming-files";
import { checkReferences } from "./references";
import { checkNotLocked, content } from "./rules";

export const changeContent = defineOperation("POST /spaces/:spaceId/content", {
  summary: "Update the content of a space",
  target: content,
  right: "edit",
  body: Changes,
  returns: v.object({
    revision: Id,
    changes: v.array(ChangeOutcome),
    insertedFiles: v.optional(v.array(InsertedFile)),
  }),
  serializeBy: "spaceId",
  // A slow host must not keep others from changing the space.
  shouldGather: mayInsertFiles,
  async gather(context) {
    checkNotLocked(context);
    await checkReferences(context, context.body.changes);
    return fetchFiles(context.ports, context.body.changes);
  },
  async prepare(context) {
    checkNotLocked(context);
    await checkReferences(context, context.body.changes);
    return prepareChanges(context, context.gathered ?? (await fetchFiles(context.ports, context.body.changes)));
  },
  async handle(context) {
    checkNotLocked(context);
    return saveChanges(context, context.prepared);
  },
});

export const applyTemplate = defineOperation("POST /spaces/:spaceId/content/template", {
  summary: "Apply a template to a space",
  target: content,
  right: "edit",
  body: v.strictObject({ id: Id, params: TemplateParams }),
  serializeBy: "spaceId",
  async prepare(context) {
    checkNotLocked(context);
    const { id, params } = context.body;
    return prepareChanges(context, createTemplateChanges(await findTemplate(context.ports, id, "body.id"), params));
  },
  async handle(context) {
    checkNotLocked(context);
    await saveChanges(context, context.prepared);
  },
});
