// Discussions as targets: those of spaces and of change requests, with their comments and replies. Everyone who may comment may
// take part. Authors may edit their own texts.

import { createError } from "../../../errors";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { space } from "../../library/spaces/rules";
import { changeRequest } from "../change-requests/rules";
import { dependsOnIntegrations } from "../revisions/computed-content";
import { type ContentContext, content } from "../revisions/rules";
import { type CommentRecord, comments, type ReplyRecord, replies } from "./records";

export interface DiscussionContext extends ContentContext {
  /** Null: the discussion of the space itself. */
  readonly changeRequestId: string | null;
  readonly userId: string;
}

export interface CommentContext extends DiscussionContext {
  readonly comment: CommentRecord;
}

export interface ReplyContext extends CommentContext {
  readonly reply: ReplyRecord;
}

export type CommentTarget = Target<CommentContext, "edit" | "reply" | "delete" | "resolve">;
export type ReplyTarget = Target<ReplyContext, "edit" | "reply" | "delete">;

const canComment = ({ role }: DiscussionContext) => isRoleAtLeast(role, "comment");
const isAuthor = (target: DiscussionContext, { postedBy }: CommentRecord | ReplyRecord) =>
  canComment(target) && postedBy === target.userId;

/** The rights on a discussion as a whole. Everyone who sees the space sees that there is a discussion. */
const discussionRights = { view: space.rights.view, discuss: canComment };

const commentRights = {
  view: canComment,
  edit: (target: CommentContext) => isAuthor(target, target.comment),
  reply: canComment,
  delete: (target: CommentContext) => isRoleAtLeast(target.role, "create") || isAuthor(target, target.comment),
  resolve: (target: CommentContext) => isRoleAtLeast(target.role, "review") || isAuthor(target, target.comment),
};

const replyRights = {
  view: canComment,
  edit: (target: ReplyContext) => isAuthor(target, target.reply),
  reply: canComment,
  delete: (target: ReplyContext) => isRoleAtLeast(target.role, "create") || isAuthor(target, target.reply),
};

const { findPartition } = content;

/** Checks whether responses may be cached. A comment may be about a page that an integration computes, which may change unnoticed. */
async function isCacheable({ revision }: DiscussionContext, scope: TargetContext): Promise<boolean> {
  return !(await dependsOnIntegrations(scope, revision));
}

export const spaceDiscussion: Target<DiscussionContext, "discuss"> = {
  findPartition,
  async load(scope) {
    const inSpace = await content.load(scope);
    return inSpace && { ...inSpace, changeRequestId: null, userId: scope.actor.user.id };
  },
  notFoundReason: "space_not_found",
  rights: discussionRights,
  isCacheable,
};

export const changeRequestDiscussion: Target<DiscussionContext, "discuss"> = {
  findPartition,
  async load(scope) {
    const inChangeRequest = await changeRequest.load(scope);
    if (!inChangeRequest) return undefined;
    return { ...inChangeRequest, changeRequestId: inChangeRequest.changeRequest.id, userId: scope.actor.user.id };
  },
  notFoundReason: "change_request_not_found",
  rights: discussionRights,
  isCacheable,
};

export const spaceComment = createCommentTarget(spaceDiscussion);
export const changeRequestComment = createCommentTarget(changeRequestDiscussion);

function createCommentTarget(discussion: Target<DiscussionContext, "discuss">): CommentTarget {
  return {
    findPartition,
    async load(scope) {
      const inDiscussion = await discussion.load(scope);
      // Parents in the path fail with a 404 of their own.
      if (!inDiscussion || !discussion.rights.view(inDiscussion)) throw createError(discussion.notFoundReason);
      const { space, changeRequestId } = inDiscussion;
      const comment = await comments.get(scope.tx, space.id, scope.params.commentId!);
      return comment && comment.changeRequest === changeRequestId ? { ...inDiscussion, comment } : undefined;
    },
    notFoundReason: "comment_not_found",
    rights: commentRights,
    isCacheable,
  };
}

export const spaceReply = createReplyTarget(spaceComment);
export const changeRequestReply = createReplyTarget(changeRequestComment);

function createReplyTarget(comment: CommentTarget): ReplyTarget {
  return {
    findPartition,
    async load(scope) {
      const inComment = await comment.load(scope);
      if (!inComment || !comment.rights.view(inComment)) throw createError("comment_not_found");
      const { space, comment: record } = inComment;
      const reply = await replies.get(scope.tx, space.id, record.id, scope.params.commentReplyId!);
      return reply && { ...inComment, reply };
    },
    notFoundReason: "comment_reply_not_found",
    rights: replyRights,
  };
}
