// Writing in a change request: the batch of changes on its own line of revisions.

import * as v from "valibot";
import { Outdated } from "../../kernel/outdated";
import { operation } from "../../operation";
import { Flag } from "../../shapes";
import { nameAll } from "../../store/objects";
import { applyTo } from "../revisions/apply";
import { Changes } from "../revisions/changes";
import { fetchFiles } from "../revisions/incoming-files";
import { nextRevision, revisions } from "../revisions/records";
import { checkReferences } from "../revisions/references";
import { type ChangeRequestRecord, changeRequests, contributedBy } from "./records";
import { changeRequest, checkUnderWay } from "./rules";
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
  async prepare(context) {
    checkUnderWay(context.changeRequest);
    await checkReferences(context, context.body.changes);
    const changes = await fetchFiles(context.parts.fetch, context.body.changes);
    return applyTo(context, changes, context.changeRequest.revisionInitial);
  },
  async handle(context) {
    const { tx, changeRequest, revision, actor, now, newId, prepared, query } = context;
    checkUnderWay(changeRequest);
    if (changeRequest.revision !== prepared.base) throw new Outdated();
    await nameAll(tx, prepared.staged);
    const by = { root: prepared.root, user: actor.user.id, now };
    const next = nextRevision(newId("revision"), revision, by, { changeRequest: changeRequest.id });
    await revisions.put(tx, next);
    const touched = new Set(
      prepared.changes.map((it) => ("page" in it && typeof it.page === "object" ? it.page.id : "")),
    );
    const changed: ChangeRequestRecord = {
      ...contributedBy(changeRequest, actor.user.id),
      revision: next.id,
      updatedAt: now.toISOString(),
      // Whoever writes in a page has looked at it.
      conflicts: changeRequest.conflicts.filter(({ page }) => page === undefined || !touched.has(page)),
    };
    await changeRequests.put(tx, changed);
    const view = await changeRequestView(context, changed);
    if (query.compat !== false) return view;
    const { changes, insertedFiles } = prepared;
    return { changeRequest: view, changes, ...(insertedFiles.length > 0 ? { insertedFiles } : {}) };
  },
});
