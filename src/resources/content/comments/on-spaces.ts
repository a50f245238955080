// Comments on spaces.

import { defineOperation } from "../../../operation/operation";
import { createDiscussionOperations } from "./discussions";
import { spaceComment, spaceDiscussion, spaceReply } from "./rules";

const operations = createDiscussionOperations("a space", {
  discussion: spaceDiscussion,
  comment: spaceComment,
  reply: spaceReply,
});

export const listSpaceComments = defineOperation("GET /spaces/:spaceId/comments", operations.listComments);

export const postCommentOnSpace = defineOperation("POST /spaces/:spaceId/comments", operations.postComment);

export const getSpaceComment = defineOperation("GET /spaces/:spaceId/comments/:commentId", operations.getComment);

export const updateSpaceComment = defineOperation("PUT /spaces/:spaceId/comments/:commentId", operations.updateComment);

export const deleteSpaceComment = defineOperation(
  "DELETE /spaces/:spaceId/comments/:commentId",
  operations.deleteComment,
);

export const listSpaceCommentReplies = defineOperation(
  "GET /spaces/:spaceId/comments/:commentId/replies",
  operations.listReplies,
);

export const replyToSpaceComment = defineOperation(
  "POST /spaces/:spaceId/comments/:commentId/replies",
  operations.postReply,
);

export const getSpaceCommentReply = defineOperation(
  "GET /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  operations.getReply,
);

export const updateSpaceCommentReply = defineOperation(
  "PUT /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  operations.updateReply,
);

export const deleteSpaceCommentReply = defineOperation(
  "DELETE /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  operations.deleteReply,
);

export const listSpaceCommenters = defineOperation("GET /spaces/:spaceId/commenters", operations.listCommenters);
