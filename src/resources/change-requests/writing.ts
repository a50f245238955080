// Writing in a change request: the batch of changes on its own line of revisions.

import * as v from "valibot";
import { operation } from "../../operation";
import { Flag } from "../../shapes";
import { applyTo } from "../revisions/apply";
import { Changes } from "../revisions/changes";
import { fetchFiles, nameOtherHosts } from "../revisions/incoming-files";
import { checkReferences } from "../revisions/references";
import { changeRequest, checkUnderWay } from "./rules";
import { saveInChangeRequest } from "./saving";
import { ChangedChangeRequest } from "./schema";
import { changeRequestView } from "./views";

export const changeChangeRequestContent = operation("POST /spaces/:spaceId/change-requests/:changeRequestId/content", {
  summary: "Change the content of a change request: a batch of changes, all or nothing, one new revision",
  on: changeRequest,
  right: "edit",
  query: {
    compat: v.optional(v.pipe(Flag, v.description("False answers with what each change did. Default: true."))),
  },
  body: Changes,
  returns: ChangedChangeRequest,
  inTurn: "spaceId",
  // A host that does not answer keeps nobody else from changing the space.
  gathers: ({ body }) => nameOtherHosts(body.changes),
  async gather(context) {
    checkUnderWay(context.changeRequest);
    await checkReferences(context, context.body.changes);
    return fetchFiles(context.parts, context.body.changes);
  },
  async prepare(context) {
    checkUnderWay(context.changeRequest);
    await checkReferences(context, context.body.changes);
    const changes = context.gathered ?? (await fetchFiles(context.parts, context.body.changes));
    return applyTo(context, changes, context.changeRequest.revisionInitial);
  },
  async handle(context) {
    const { prepared, query } = context;
    checkUnderWay(context.changeRequest);
    const touched = prepared.changes.map((it) => ("page" in it && typeof it.page === "object" ? it.page.id : ""));
    const { changed } = await saveInChangeRequest(context, prepared, { touched: new Set(touched) });
    const view = await changeRequestView(context, changed);
    if (query.compat !== false) return view;
    const { changes, insertedFiles } = prepared;
    return { changeRequest: view, changes, ...(insertedFiles.length > 0 ? { insertedFiles } : {}) };
  },
});
