// The reviews of a change request, and its requested reviewers.

import type * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { readNodePath } from "../../library/tree/records";
import { getNodeRole, loadViewerForPath } from "../../library/tree/rules";
import { findUsersById, presentUser } from "../../people/users/records";
import { type CommentRecord, comments } from "../comments/records";
import { changeRequestDiscussion } from "../comments/rules";
import type { Comment } from "../comments/schema";
import type { CommentViewContext } from "../comments/views";
import { changeRequests, type ReviewRecord, requestedReviewers, reviews } from "./records";
import { type ChangeRequestContext, changeRequest, checkIsEditable } from "./rules";
import { NewReview, RequestedReviewer, Review, ReviewersRequested, ReviewersToRequest } from "./schema";

const loadCommentHandlers = loadLazily(() => import("../comments/handlers"));
const loadCommentViews = loadLazily(() => import("../comments/views"));

const prefix = "/spaces/:spaceId/change-requests/:changeRequestId";

export const listReviews = defineOperation(`GET ${prefix}/reviews`, {
  summary: "List reviews",
  target: changeRequest,
  right: "view",
  list: Review,
  async handle(context) {
    const { space, id } = context.changeRequest;
    return paginateGroup(context, reviews, "ofChangeRequest", [space, id], (records) =>
      createReviewViews(context, records),
    );
  },
});

/** A review, with the rights of its change request. */
const review: Target<ChangeRequestContext & { readonly review: ReviewRecord }, "review"> = {
  ...changeRequest,
  async load(scope) {
    const found = await changeRequest.load(scope);
    if (!found) throw createError("change_request_not_found");
    const { space, id } = found.changeRequest;
    const review = await reviews.get(scope.tx, space, id, scope.params.reviewId!);
    return review && { ...found, review };
  },
  notFoundReason: "review_not_found",
};

export const getReview = defineOperation(`GET ${prefix}/reviews/:reviewId`, {
  summary: "Get a review",
  target: review,
  right: "view",
  returns: Review,
  async handle(context) {
    const [view] = await createReviewViews(context, [context.review]);
    if (!view) throw createError("review_not_found");
    return view;
  },
});

export const reviewChangeRequest = defineOperation(`POST ${prefix}/reviews`, {
  summary: "Review a change request",
  target: changeRequest,
  right: "review",
  body: NewReview,
  returns: Review,
  status: 201,
  async handle(context) {
    const { tx, changeRequest, revision, body, actor, now, newId } = context;
    checkIsEditable(changeRequest);
    const id = newId("review");
    let comment: CommentRecord | undefined;
    if (body.comment) {
      const { getBodyText, saveComment } = await loadCommentHandlers();
      comment = await saveComment(context, {
        space: changeRequest.space,
        changeRequest: changeRequest.id,
        page: null,
        node: null,
        revision: revision.id,
        postedBy: actor.user.id,
        review: id,
        body: await getBodyText(body.comment, "body.comment"),
      });
    }
    const review: ReviewRecord = {
      id,
      space: changeRequest.space,
      changeRequest: changeRequest.id,
      reviewer: actor.user.id,
      status: body.status,
      createdAt: now.toISOString(),
      revision: revision.id,
      ...omitUndefined({ comment: comment?.id }),
    };
    await reviews.put(tx, review);
    await requestedReviewers.delete(tx, review.space, review.changeRequest, actor.user.id);
    return (await createReviewViews(context, [review]))[0]!;
  },
});

export const listRequestedReviewers = defineOperation(`GET ${prefix}/requested-reviewers`, {
  summary: "List requested reviewers",
  target: changeRequest,
  right: "view",
  list: RequestedReviewer,
  async handle(context) {
    const { space, id } = context.changeRequest;
    return paginateGroup(context, requestedReviewers, "ofChangeRequest", [space, id], async (records) => {
      const { directory, urls } = context;
      const userIds = records.map(({ user }) => user);
      const users = await findUsersById(directory, userIds);
      return records.flatMap(({ user: id, createdAt }) => {
        const user = users.get(id);
        return user
          ? [{ object: "change-request-requested-reviewer" as const, user: presentUser(user, urls), createdAt }]
          : [];
      });
    });
  },
});

export const requestReviewers = defineOperation(`POST ${prefix}/requested-reviewers`, {
  summary: "Request a review",
  target: changeRequest,
  right: "edit",
  body: ReviewersToRequest,
  returns: ReviewersRequested,
  async handle(context) {
    const { tx, directory, urls, changeRequest, space, body, now } = context;
    checkIsEditable(changeRequest);
    if (body.subject !== undefined)
      await changeRequests.put(tx, { ...changeRequest, subject: body.subject, updatedAt: now.toISOString() });
    const path = await readNodePath(tx, space);
    const userIds = [...new Set(body.users)];
    for (const [i, user] of userIds.entries()) {
      if (!isRoleAtLeast(getNodeRole(await loadViewerForPath(tx, user, path), path), "review"))
        throw createValidationError(`body.users.${i}`, "No user with this ID can review changes in this space");
      await requestedReviewers.put(tx, {
        space: space.id,
        changeRequest: changeRequest.id,
        user,
        createdAt: now.toISOString(),
      });
    }
    const users = await findUsersById(directory, userIds);
    return { users: userIds.flatMap((id) => users.get(id) ?? []).map((user) => presentUser(user, urls)) };
  },
});

export const removeRequestedReviewer = defineOperation(`DELETE ${prefix}/requested-reviewers/:userId`, {
  summary: "Remove a requested reviewer",
  target: changeRequest,
  right: "edit",
  handle: ({ tx, changeRequest, params }) =>
    requestedReviewers.delete(tx, changeRequest.space, changeRequest.id, params.userId),
});

/** The context of views of reviews. A review may have a comment, with everything that a comment shows. */
type ReviewViewContext = Omit<CommentViewContext, "changeRequestId" | "userId" | "query"> &
  ChangeRequestContext & { readonly actor: TargetContext["actor"] };

async function createReviewViews(context: ReviewViewContext, records: readonly ReviewRecord[]) {
  const { tx, directory, urls, space, changeRequest, revision, actor } = context;
  const reviewerIds = records.map(({ reviewer }) => reviewer);
  const users = await findUsersById(directory, reviewerIds);

  // The comments of the reviews, if the caller may read comments. A comment that was deleted since then is absent.
  const discussion = { ...context, query: {}, changeRequestId: changeRequest.id, userId: actor.user.id };
  const commentKeys = records.flatMap(({ comment }) => (comment === undefined ? [] : [[space.id, comment]]));
  const commentsByReview = new Map<string, v.InferInput<typeof Comment>>();
  if (commentKeys.length > 0 && changeRequestDiscussion.rights.discuss(discussion)) {
    const commentRecords = (await comments.getMany(tx, commentKeys)).filter((record) => record !== undefined);
    const { createCommentViews } = await loadCommentViews();
    const views = await createCommentViews(discussion, commentRecords);
    for (const [i, view] of views.entries()) commentsByReview.set(commentRecords[i]!.review!, view);
  }

  return records.flatMap(({ id, reviewer, status, createdAt, revision: reviewedRevision }) => {
    const user = users.get(reviewer);
    if (!user) return [];
    const comment = commentsByReview.get(id);
    return [
      {
        object: "change-request-review" as const,
        id,
        status,
        reviewer: presentUser(user, urls),
        createdAt,
        updatedAt: comment?.editedAt ?? createdAt,
        revision: reviewedRevision,
        ...omitUndefined({ comment }),
        outdated: reviewedRevision !== revision.id,
      },
    ];
  });
}
