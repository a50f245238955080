// Change requests on the wire.

import * as v from "valibot";
import { Id, listSchema, namedObject, Timestamp, textSchema, User } from "../../../operation/common-schemas";
import { Comment, CommentBody } from "../comments/schema";
import { ChangeOutcome, InsertedFile } from "../revisions/changes-schema";
import { ChangeRequest, StatusSchema } from "./change-request-schema";

/** A member that is accepted and ignored. */
const AgentTask = v.optional(textSchema(0, 255));
const Subject = textSchema(0, 100);

export const NewChangeRequest = v.strictObject({ subject: v.optional(Subject), agentTaskId: AgentTask });

export const ChangeRequestChanges = v.strictObject({ subject: v.optional(Subject), status: v.optional(StatusSchema) });

/** A thing that both sides changed in different ways. `ours` is the change request, `theirs` is the space. */
export const Conflict = namedObject("Conflict", {
  kind: v.picklist(["text", "field", "move", "delete", "cycle", "variable"]),
  page: v.optional(Id),
  file: v.optional(Id),
  reusableContent: v.optional(Id),
  variable: v.optional(v.string()),
  member: v.optional(v.string()),
  base: v.optional(v.unknown()),
  ours: v.optional(v.unknown()),
  theirs: v.optional(v.unknown()),
});

export const MergeOutcome = namedObject("MergeOutcome", {
  revision: Id,
  result: v.picklist(["merge", "conflicts"]),
  conflicts: v.optional(v.array(Conflict)),
});

export const UpdateOutcome = namedObject("UpdateOutcome", {
  revision: Id,
  result: v.picklist(["update", "conflicts"]),
  conflicts: v.optional(v.array(Conflict)),
});

/** The result of a batch of changes: the change request and, with `compat=false`, each change. */
export const ChangedChangeRequest = v.union([
  ChangeRequest,
  v.object({
    changeRequest: ChangeRequest,
    changes: v.array(ChangeOutcome),
    insertedFiles: v.optional(v.array(InsertedFile)),
  }),
]);

export const Contributor = namedObject("ChangeRequestContributor", {
  user: User,
  actionType: v.literal("edit"),
  count: v.pipe(v.number(), v.description("The number of edits that the user made in the change request.")),
  updatedAt: v.pipe(Timestamp, v.description("The time of the last edit.")),
});

const ReviewStatus = v.picklist(["approved", "changes-requested"], "Expected approved or changes-requested");

export const Review = namedObject("ChangeRequestReview", {
  object: v.literal("change-request-review"),
  id: Id,
  status: ReviewStatus,
  reviewer: User,
  createdAt: Timestamp,
  updatedAt: v.pipe(Timestamp, v.description("The time of the review, or of the last edit of its comment.")),
  revision: Id,
  comment: v.optional(Comment),
  /** The change request has changed since the review. */
  outdated: v.boolean(),
});

export const NewReview = v.strictObject({
  status: ReviewStatus,
  comment: v.optional(CommentBody),
});

export const RequestedReviewer = namedObject("ChangeRequestRequestedReviewer", {
  object: v.literal("change-request-requested-reviewer"),
  user: User,
  createdAt: Timestamp,
});

export const ReviewersToRequest = v.strictObject({
  users: v.pipe(listSchema(Id, 50, "At most 50"), v.minLength(1, "At least 1")),
  subject: v.optional(v.pipe(Subject, v.description("The new subject of the change request."))),
});

export const ReviewersRequested = namedObject("ReviewersRequested", {
  users: v.pipe(v.array(User), v.description("The requested reviewers, in the order of the request.")),
});
