// Reviews of a change request, and requested reviewers.

import type * as v from "valibot";
import { createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { pathOf } from "../../library/tree/records";
import { roleIn, viewerOn } from "../../library/tree/rules";
import { findUsersById, presentUser } from "../../people/users/records";
import type { Saving } from "../comments/handlers";
import { comments } from "../comments/records";
import { changeRequestDiscussion } from "../comments/rules";
import type { Given } from "../comments/schema";
import type { Showing as CommentShowing } from "../comments/views";
import {
  changeRequests,
  type RequestedReviewerRecord,
  type ReviewRecord,
  requestedReviewers,
  reviews,
} from "./records";
import { changeRequest, checkUnderWay, type InChangeRequest } from "./rules";
import { NewReview, RequestedReviewer, Review, ReviewersRequested, ReviewersToRequest } from "./schema";
import type { Showing } from "./views";

const writing = loadLazily(() => import("../comments/handlers"));
const loadCommentViews = loadLazily(() => import("../comments/views"));

const prefix = "/spaces/:spaceId/change-requests/:changeRequestId";

export const listReviews = defineOperation(`GET ${prefix}/reviews`, {
  summary: "List the reviews of a change request, the oldest first",
  target: changeRequest,
  right: "view",
  list: Review,
  async handle(context) {
    const { space, id } = context.changeRequest;
    return paginateGroup(context, reviews, "ofChangeRequest", [space, id], (found) => reviewViews(context, found));
  },
});

export const reviewChangeRequest = defineOperation(`POST ${prefix}/reviews`, {
  summary: "Approve a change request as it is, or ask for changes",
  target: changeRequest,
  right: "review",
  body: NewReview,
  returns: Review,
  status: 201,
  async handle(context) {
    const { tx, changeRequest, revision, body, actor, now, newId } = context;
    checkUnderWay(changeRequest);
    const id = newId("review");
    const comment = body.comment && (await commentWith(context, id, body.comment));
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
    return (await reviewViews(context, [review]))[0]!;
  },
});

export const listRequestedReviewers = defineOperation(`GET ${prefix}/requested-reviewers`, {
  summary: "List who was asked to review a change request and has not done so",
  target: changeRequest,
  right: "view",
  list: RequestedReviewer,
  async handle(context) {
    const { space, id } = context.changeRequest;
    return paginateGroup(context, requestedReviewers, "ofChangeRequest", [space, id], (found) =>
      requestedViews(context, found),
    );
  },
});

export const requestReviewers = defineOperation(`POST ${prefix}/requested-reviewers`, {
  summary: "Ask people to review a change request",
  target: changeRequest,
  right: "edit",
  body: ReviewersToRequest,
  returns: ReviewersRequested,
  async handle(context) {
    const { tx, directory, urls, changeRequest, space, body, now } = context;
    checkUnderWay(changeRequest);
    if (body.subject !== undefined)
      await changeRequests.put(tx, { ...changeRequest, subject: body.subject, updatedAt: now.toISOString() });
    const path = await pathOf(tx, space);
    const asked = [...new Set(body.users)];
    for (const [i, user] of asked.entries()) {
      if (!isRoleAtLeast(roleIn(await viewerOn(tx, user, path), path), "review"))
        throw createValidationError(`body.users.${i}`, "No user with this id may review here");
      const { space: inSpace, id } = changeRequest;
      await requestedReviewers.put(tx, { space: inSpace, changeRequest: id, user, createdAt: now.toISOString() });
    }
    const people = await findUsersById(directory, asked);
    return { users: asked.flatMap((id) => people.get(id) ?? []).map((person) => presentUser(person, urls)) };
  },
});

export const removeRequestedReviewer = defineOperation(`DELETE ${prefix}/requested-reviewers/:userId`, {
  summary: "No longer ask somebody to review a change request",
  target: changeRequest,
  right: "edit",
  async handle({ tx, changeRequest, params }) {
    await requestedReviewers.delete(tx, changeRequest.space, changeRequest.id, params.userId);
  },
});

/** Posts the comment of a review. */
async function commentWith(context: Reviewing, review: string, given: v.InferOutput<typeof Given>) {
  const { bodyText, saveComment } = await writing();
  const body = await bodyText(given, "body.comment");
  const { changeRequest, revision, actor } = context;
  const { space, id } = changeRequest;
  const at = { space, changeRequest: id, page: null, node: null, revision: revision.id };
  return saveComment(context, { ...at, postedBy: actor.user.id, review, body });
}

type Reviewing = InChangeRequest & Saving & { readonly actor: { readonly user: { readonly id: string } } };

/** What showing reviews needs: a review may hold a comment, with all that a comment shows. */
type ShowingReviews = Omit<CommentShowing, "place" | "userId" | "query"> &
  InChangeRequest & { readonly actor: TargetContext["actor"] };

async function reviewViews(context: ShowingReviews, found: readonly ReviewRecord[]) {
  const { directory, urls, revision } = context;
  const people = await findUsersById(
    directory,
    found.map(({ reviewer }) => reviewer),
  );
  const written = await commentsOfReviews(context, found);
  return found.flatMap(({ id, reviewer, status, createdAt, revision: seen }) => {
    const person = people.get(reviewer);
    if (!person) return [];
    const comment = written.get(id);
    return [
      {
        object: "change-request-review" as const,
        id,
        status,
        reviewer: presentUser(person, urls),
        createdAt,
        updatedAt: comment?.editedAt ?? createdAt,
        revision: seen,
        ...omitUndefined({ comment }),
        outdated: seen !== revision.id,
      },
    ];
  });
}

/** The comments that were written with reviews, by the ids of the reviews; none for callers who may not read comments. */
async function commentsOfReviews(context: ShowingReviews, found: readonly ReviewRecord[]) {
  const { tx, space, changeRequest, actor } = context;
  const inDiscussion = { ...context, query: {}, place: changeRequest.id, userId: actor.user.id };
  const written = found.flatMap(({ comment }) => (comment === undefined ? [] : [[space.id, comment]]));
  if (written.length === 0 || !changeRequestDiscussion.rights.discuss(inDiscussion)) return new Map<string, never>();
  // A comment that was deleted since is absent.
  const records = (await comments.getMany(tx, written)).filter((it) => it !== undefined);
  const { commentViews } = await loadCommentViews();
  const views = await commentViews(inDiscussion, records);
  return new Map(views.map((view, i) => [records[i]!.review!, view]));
}

async function requestedViews({ directory, urls }: Showing, found: readonly RequestedReviewerRecord[]) {
  const people = await findUsersById(
    directory,
    found.map(({ user }) => user),
  );
  return found.flatMap(({ user, createdAt }) => {
    const person = people.get(user);
    return person
      ? [{ object: "change-request-requested-reviewer" as const, user: presentUser(person, urls), createdAt }]
      : [];
  });
}
