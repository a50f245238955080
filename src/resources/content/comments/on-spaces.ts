// Comments on spaces.

import { defineOperation } from "../../../operation/operation";
import { discussionOf } from "./discussions";
import { spaceComment, spaceDiscussion, spaceReply } from "./rules";

const discussion = discussionOf("a space", {
  whole: spaceDiscussion,
  comment: spaceComment,
  reply: spaceReply,
});

export const listSpaceComments = defineOperation("GET /spaces/:spaceId/comments", discussion.listComments);

export const postCommentOnSpace = defineOperation("POST /spaces/:spaceId/comments", discussion.postComment);

export const getSpaceComment = defineOperation("GET /spaces/:spaceId/comments/:commentId", discussion.getComment);

export const updateSpaceComment = defineOperation("PUT /spaces/:spaceId/comments/:commentId", discussion.updateComment);

export const deleteSpaceComment = defineOperation(
  "DELETE /spaces/:spaceId/comments/:commentId",
  discussion.deleteComment,
);

export const listSpaceCommentReplies = defineOperation(
  "GET /spaces/:spaceId/comments/:commentId/replies",
  discussion.listReplies,
);

export const replyToSpaceComment = defineOperation(
  "POST /spaces/:spaceId/comments/:commentId/replies",
  discussion.postReply,
);

export const getSpaceCommentReply = defineOperation(
  "GET /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  discussion.getReply,
);

export const updateSpaceCommentReply = defineOperation(
  "PUT /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  discussion.updateReply,
);

export const deleteSpaceCommentReply = defineOperation(
  "DELETE /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  discussion.deleteReply,
);

export const listSpaceCommenters = defineOperation("GET /spaces/:spaceId/commenters", discussion.listCommenters);
