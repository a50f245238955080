// Comments on spaces.

import { operation } from "../../../operation/operation";
import { discussionOf } from "./discussions";
import { spaceComment, spaceDiscussion, spaceReply } from "./rules";

const discussion = discussionOf("a space", {
  whole: spaceDiscussion,
  comment: spaceComment,
  reply: spaceReply,
});

export const listSpaceComments = operation("GET /spaces/:spaceId/comments", discussion.listComments);

export const postCommentOnSpace = operation("POST /spaces/:spaceId/comments", discussion.postComment);

export const getSpaceComment = operation("GET /spaces/:spaceId/comments/:commentId", discussion.getComment);

export const updateSpaceComment = operation("PUT /spaces/:spaceId/comments/:commentId", discussion.updateComment);

export const deleteSpaceComment = operation("DELETE /spaces/:spaceId/comments/:commentId", discussion.deleteComment);

export const listSpaceCommentReplies = operation(
  "GET /spaces/:spaceId/comments/:commentId/replies",
  discussion.listReplies,
);

export const replyToSpaceComment = operation("POST /spaces/:spaceId/comments/:commentId/replies", discussion.postReply);

export const getSpaceCommentReply = operation(
  "GET /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  discussion.getReply,
);

export const updateSpaceCommentReply = operation(
  "PUT /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  discussion.updateReply,
);

export const deleteSpaceCommentReply = operation(
  "DELETE /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  discussion.deleteReply,
);

export const listSpaceCommenters = operation("GET /spaces/:spaceId/commenters", discussion.listCommenters);
