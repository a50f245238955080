// Discussions as targets: that of a space and that of a change request, with the comments and replies in them.
// Everybody who may comment may take part. Authors may change what they wrote.

import { createError } from "../../../errors";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target, TargetContext } from "../../../operation/target";
import { space } from "../../library/spaces/rules";
import { changeRequest } from "../change-requests/rules";
import { dependsOnIntegrations } from "../revisions/computed-content";
import { content, type InContent } from "../revisions/rules";
import { type CommentRecord, comments, type ReplyRecord, replies } from "./records";

/** A discussion: its place, and the content that it is about. */
export interface InDiscussion extends InContent {
  /** Null: the discussion of the space itself. */
  readonly place: string | null;
  readonly userId: string;
}

export interface OnComment extends InDiscussion {
  readonly comment: CommentRecord;
}

export interface OnReply extends OnComment {
  readonly reply: ReplyRecord;
}

const mayComment = ({ role }: InDiscussion) => isRoleAtLeast(role, "comment");
const mayReview = ({ role }: InDiscussion) => isRoleAtLeast(role, "review");
const mayClear = ({ role }: InDiscussion) => isRoleAtLeast(role, "create");

/** Rights on a discussion as a whole. Whoever sees the space sees that there is one. */
const rights = { view: space.rights.view, discuss: mayComment };

const { findPartition: partition } = content;

/** A comment may be about a page that an integration computes, which may change unnoticed. */
async function isKept({ revision }: InDiscussion, scope: TargetContext): Promise<boolean> {
  return !(await dependsOnIntegrations(scope, revision));
}

export const spaceDiscussion: Target<InDiscussion, "discuss"> = {
  findPartition: partition,
  async load(scope) {
    const found = await content.load(scope);
    return found && { ...found, place: null, userId: scope.actor.user.id };
  },
  notFoundReason: "space_not_found",
  rights,
  isCacheable: isKept,
};

export const changeRequestDiscussion: Target<InDiscussion, "discuss"> = {
  findPartition: partition,
  async load(scope) {
    const found = await changeRequest.load(scope);
    return found && { ...found, place: found.changeRequest.id, userId: scope.actor.user.id };
  },
  notFoundReason: "change_request_not_found",
  rights,
  isCacheable: isKept,
};

export type CommentTarget = Target<OnComment, "edit" | "reply" | "delete" | "resolve">;
export type ReplyTarget = Target<OnReply, "edit" | "reply" | "delete">;

const commentRights = {
  view: mayComment,
  edit: (it: OnComment) => mayComment(it) && it.comment.postedBy === it.userId,
  reply: mayComment,
  delete: (it: OnComment) => mayClear(it) || (mayComment(it) && it.comment.postedBy === it.userId),
  resolve: (it: OnComment) => mayReview(it) || (mayComment(it) && it.comment.postedBy === it.userId),
};

function commentIn(discussion: Target<InDiscussion, "discuss">): CommentTarget {
  return {
    findPartition: partition,
    async load(scope) {
      const found = await enter(discussion, scope);
      const comment = await comments.get(scope.tx, found.space.id, scope.params.commentId!);
      return comment && comment.changeRequest === found.place ? { ...found, comment } : undefined;
    },
    notFoundReason: "comment_not_found",
    rights: commentRights,
    isCacheable: isKept,
  };
}

/** Things above in the path fail with their own 404. */
async function enter(discussion: Target<InDiscussion, "discuss">, scope: TargetContext): Promise<InDiscussion> {
  const found = await discussion.load(scope);
  if (!found || !discussion.rights.view(found)) throw createError(discussion.notFoundReason);
  return found;
}

export const spaceComment = commentIn(spaceDiscussion);
export const changeRequestComment = commentIn(changeRequestDiscussion);

const replyRights = {
  view: mayComment,
  edit: (it: OnReply) => mayComment(it) && it.reply.postedBy === it.userId,
  reply: mayComment,
  delete: (it: OnReply) => mayClear(it) || (mayComment(it) && it.reply.postedBy === it.userId),
};

function replyIn(comment: CommentTarget): ReplyTarget {
  return {
    findPartition: partition,
    async load(scope) {
      const found = await comment.load(scope);
      if (!found || !comment.rights.view(found)) throw createError("comment_not_found");
      const reply = await replies.get(scope.tx, found.space.id, found.comment.id, scope.params.commentReplyId!);
      return reply && { ...found, reply };
    },
    notFoundReason: "comment_reply_not_found",
    rights: replyRights,
  };
}

export const spaceReply = replyIn(spaceComment);
export const changeRequestReply = replyIn(changeRequestComment);
