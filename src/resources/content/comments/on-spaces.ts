// Comments on spaces.

import { defineOperation } from "../../../operation/operation";
import { createDiscussionOperations } from "./discussions";
import { spaceComment, spaceDiscussion, spaceReply } from "./rules";

const on = createDiscussionOperations("a space", {
  discussion: spaceDiscussion,
  comment: spaceComment,
  reply: spaceReply,
});
const comments = "/spaces/:spaceId/comments";
const replies = `${comments}/:commentId/replies` as const;

export const listSpaceComments = defineOperation(`GET ${comments}`, on.listComments);
export const postCommentOnSpace = defineOperation(`POST ${comments}`, on.postComment);
export const getSpaceComment = defineOperation(`GET ${comments}/:commentId`, on.getComment);
export const updateSpaceComment = defineOperation(`PUT ${comments}/:commentId`, on.updateComment);
export const deleteSpaceComment = defineOperation(`DELETE ${comments}/:commentId`, on.deleteComment);
export const listSpaceCommentReplies = defineOperation(`GET ${replies}`, on.listReplies);
export const replyToSpaceComment = defineOperation(`POST ${replies}`, on.postReply);
export const getSpaceCommentReply = defineOperation(`GET ${replies}/:commentReplyId`, on.getReply);
export const updateSpaceCommentReply = defineOperation(`PUT ${replies}/:commentReplyId`, on.updateReply);
export const deleteSpaceCommentReply = defineOperation(`DELETE ${replies}/:commentReplyId`, on.deleteReply);
export const listSpaceCommenters = defineOperation("GET /spaces/:spaceId/commenters", on.listCommenters);
