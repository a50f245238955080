// Comments on spaces.

import { operation } from "../../operation";
import { Member } from "../members/schema";
import {
  changeComment,
  changeReply,
  deleteComment,
  deleteReply,
  getOne,
  getReply,
  listCommenters,
  listComments,
  listReplies,
  postComment,
  postReply,
} from "./handlers";
import { spaceComment, spaceDiscussion, spaceReply } from "./rules";
import { Comment, CommentChanges, filters, format, NewComment, NewReply, Reply, ReplyChanges } from "./schema";

export const listSpaceComments = operation("GET /spaces/:spaceId/comments", {
  summary: "List the comments on a space, the newest first",
  on: spaceDiscussion,
  right: "discuss",
  query: filters,
  list: Comment,
  handle: listComments,
});

export const postCommentOnSpace = operation("POST /spaces/:spaceId/comments", {
  summary: "Comment on a space, on a page of it, or on a block of the page",
  on: spaceDiscussion,
  right: "discuss",
  body: NewComment,
  returns: Comment,
  handle: postComment,
});

export const getSpaceComment = operation("GET /spaces/:spaceId/comments/:commentId", {
  summary: "Get a comment on a space",
  on: spaceComment,
  right: "view",
  query: format,
  returns: Comment,
  handle: getOne,
});

export const updateSpaceComment = operation("PUT /spaces/:spaceId/comments/:commentId", {
  summary: "Edit a comment on a space, resolve it or open it again, react to it",
  description:
    "The text is its author's to change. Its author and reviewers resolve it. Everybody who may comment reacts.",
  on: spaceComment,
  right: "view",
  body: CommentChanges,
  returns: Comment,
  handle: changeComment,
});

export const deleteSpaceComment = operation("DELETE /spaces/:spaceId/comments/:commentId", {
  summary: "Delete a comment on a space, with its replies",
  on: spaceComment,
  right: "delete",
  handle: deleteComment,
});

export const listSpaceCommentReplies = operation("GET /spaces/:spaceId/comments/:commentId/replies", {
  summary: "List the replies to a comment on a space, the oldest first",
  on: spaceComment,
  right: "view",
  query: format,
  list: Reply,
  handle: listReplies,
});

export const replyToSpaceComment = operation("POST /spaces/:spaceId/comments/:commentId/replies", {
  summary: "Reply to a comment on a space",
  on: spaceComment,
  right: "reply",
  query: format,
  body: NewReply,
  returns: Reply,
  handle: postReply,
});

export const getSpaceCommentReply = operation("GET /spaces/:spaceId/comments/:commentId/replies/:commentReplyId", {
  summary: "Get a reply to a comment on a space",
  on: spaceReply,
  right: "view",
  query: format,
  returns: Reply,
  handle: getReply,
});

export const updateSpaceCommentReply = operation("PUT /spaces/:spaceId/comments/:commentId/replies/:commentReplyId", {
  summary: "Edit a reply to a comment on a space, or react to it",
  on: spaceReply,
  right: "view",
  body: ReplyChanges,
  returns: Reply,
  handle: changeReply,
});

export const deleteSpaceCommentReply = operation(
  "DELETE /spaces/:spaceId/comments/:commentId/replies/:commentReplyId",
  {
    summary: "Delete a reply to a comment on a space",
    on: spaceReply,
    right: "delete",
    handle: deleteReply,
  },
);

export const listSpaceCommenters = operation("GET /spaces/:spaceId/commenters", {
  summary: "List who has commented on a space",
  on: spaceDiscussion,
  right: "discuss",
  list: Member,
  handle: listCommenters,
});
