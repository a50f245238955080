// Lists, creates, gets and updates change requests.

import * as v from "valibot";
import { createError } from "../../../errors";
import { Id } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateFiltered, paginateList, paginateRows } from "../../../operation/pagination";
import { encodeKey } from "../../../storage/key";
import { omitUndefined } from "../../../utils/objects";
import { space } from "../../library/spaces/rules";
import { findUsersById, presentUser } from "../../people/users/records";
import { ChangeRequest, StatusSchema } from "./change-request-schema";
import { type ChangeRequestRecord, changeRequests } from "./records";
import { changeRequest, nextStatuses } from "./rules";
import { ChangeRequestChanges, Contributor, NewChangeRequest } from "./schema";
import { createChangeRequestView, createChangeRequestViews } from "./views";

export const listChangeRequests = defineOperation("GET /spaces/:spaceId/change-requests", {
  summary: "List change requests in a space",
  target: space,
  right: "view",
  query: {
    status: v.optional(v.pipe(StatusSchema, v.description("Defaults to `open`.")), "open"),
    contributor: v.optional(v.pipe(Id, v.description("Returns only change requests that this user contributed to."))),
  },
  list: ChangeRequest,
  async handle(context) {
    const { tx, space, query, pageRequest } = context;
    const { status, contributor } = query;
    const listRows = (slice: { after?: string | undefined; limit: number }) =>
      changeRequests.list(tx, "byStatus", { under: [space.id, status], reverse: true, ...slice });
    const createViews = (records: readonly ChangeRequestRecord[]) => createChangeRequestViews(context, records);
    if (contributor === undefined) {
      const count = await changeRequests.total(tx, "byStatus", space.id, status);
      return paginateList(pageRequest, listRows, count, createViews);
    }
    const isContributor = ({ contributors }: ChangeRequestRecord) => contributors.includes(contributor);
    return paginateFiltered(pageRequest, listRows, isContributor, createViews, { reverse: true });
  },
});

export const createChangeRequest = defineOperation("POST /spaces/:spaceId/change-requests", {
  summary: "Create a change request",
  target: space,
  right: "edit",
  body: NewChangeRequest,
  returns: ChangeRequest,
  status: 201,
  async handle(context) {
    const { tx, space, body, actor, now, newId, emit } = context;
    const createdAt = now.toISOString();
    const created: ChangeRequestRecord = {
      id: newId("changeRequest"),
      space: space.id,
      // Change requests are never deleted one by one, so the next number is their count plus one.
      number: (await changeRequests.total(tx, "ofSpace", space.id)) + 1,
      status: "draft",
      subject: body.subject ?? "",
      createdBy: actor.user.id,
      createdAt,
      updatedAt: createdAt,
      revision: space.revision,
      revisionInitial: space.revision,
      contributors: [actor.user.id],
      conflicts: 0,
    };
    await changeRequests.put(tx, created);
    emit({ type: "change_request_created", spaceId: space.id, changeRequestId: created.id });
    return createChangeRequestView(context, created);
  },
});

export const getChangeRequest = defineOperation("GET /spaces/:spaceId/change-requests/:changeRequestId", {
  summary: "Get a change request",
  target: changeRequest,
  right: "view",
  returns: ChangeRequest,
  handle: (context) => createChangeRequestView(context, context.changeRequest),
});

export const listContributors = defineOperation("GET /spaces/:spaceId/change-requests/:changeRequestId/contributors", {
  summary: "List contributors of a change request",
  target: changeRequest,
  right: "view",
  list: Contributor,
  async handle({ changeRequest, directory, pageRequest, urls }) {
    const users = await findUsersById(directory, Object.keys(changeRequest.edits ?? {}));
    const rows = Object.entries(changeRequest.edits ?? {}).flatMap(([id, { count, lastAt }]) => {
      const user = users.get(id);
      if (!user) return [];
      const contributor = { user: presentUser(user, urls), actionType: "edit" as const, count, updatedAt: lastAt };
      return [{ record: contributor, position: encodeKey(lastAt, id) }];
    });
    rows.sort((a, b) => (a.position < b.position ? -1 : 1));
    return paginateRows(pageRequest, rows, (contributors) => contributors, { reverse: true });
  },
});

export const updateChangeRequest = defineOperation("PATCH /spaces/:spaceId/change-requests/:changeRequestId", {
  summary: "Update a change request",
  target: changeRequest,
  right: "edit",
  body: ChangeRequestChanges,
  returns: ChangeRequest,
  async handle(context) {
    const { tx, changeRequest, body, now, emit } = context;
    const { status } = changeRequest;
    if (body.status !== undefined && !nextStatuses[status].includes(body.status))
      throw createError(status === "merged" ? "already_merged" : "merged_by_merging");
    const changed: ChangeRequestRecord = { ...changeRequest, ...omitUndefined(body), updatedAt: now.toISOString() };
    await changeRequests.put(tx, changed);
    if (changed.status === "archived" && changeRequest.status !== "archived")
      emit({ type: "change_request_archived", spaceId: changed.space, changeRequestId: changed.id });
    return createChangeRequestView(context, changed);
  },
});
