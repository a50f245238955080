// Comments on change requests.

import { defineOperation } from "../../../operation/operation";
import { createDiscussionOperations } from "./discussions";
import { changeRequestComment, changeRequestDiscussion, changeRequestReply } from "./rules";

const on = createDiscussionOperations("a change request", {
  discussion: changeRequestDiscussion,
  comment: changeRequestComment,
  reply: changeRequestReply,
});
const comments = "/spaces/:spaceId/change-requests/:changeRequestId/comments";
const replies = `${comments}/:commentId/replies` as const;

export const listChangeRequestComments = defineOperation(`GET ${comments}`, on.listComments);
export const postCommentOnChangeRequest = defineOperation(`POST ${comments}`, on.postComment);
export const getChangeRequestComment = defineOperation(`GET ${comments}/:commentId`, on.getComment);
export const updateChangeRequestComment = defineOperation(`PUT ${comments}/:commentId`, on.updateComment);
export const deleteChangeRequestComment = defineOperation(`DELETE ${comments}/:commentId`, on.deleteComment);
export const listChangeRequestCommentReplies = defineOperation(`GET ${replies}`, on.listReplies);
export const replyToChangeRequestComment = defineOperation(`POST ${replies}`, on.postReply);
export const getChangeRequestCommentReply = defineOperation(`GET ${replies}/:commentReplyId`, on.getReply);
export const updateChangeRequestCommentReply = defineOperation(`PUT ${replies}/:commentReplyId`, on.updateReply);
export const deleteChangeRequestCommentReply = defineOperation(`DELETE ${replies}/:commentReplyId`, on.deleteReply);
export const listChangeRequestCommenters = defineOperation(
  "GET /spaces/:spaceId/change-requests/:changeRequestId/commenters",
  on.listCommenters,
);
