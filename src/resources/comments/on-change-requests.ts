// Comments on change requests.

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
import { changeRequestComment, changeRequestDiscussion, changeRequestReply } from "./rules";
import { Comment, CommentChanges, filters, format, NewComment, NewReply, Reply, ReplyChanges } from "./schema";

export const listChangeRequestComments = operation("GET /spaces/:spaceId/change-requests/:changeRequestId/comments", {
  summary: "List the comments on a change request, the newest first",
  on: changeRequestDiscussion,
  right: "discuss",
  query: filters,
  list: Comment,
  handle: listComments,
});

export const postCommentOnChangeRequest = operation("POST /spaces/:spaceId/change-requests/:changeRequestId/comments", {
  summary: "Comment on a change request, on a page of it, or on a block of the page",
  on: changeRequestDiscussion,
  right: "discuss",
  body: NewComment,
  returns: Comment,
  handle: postComment,
});

export const getChangeRequestComment = operation(
  "GET /spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId",
  {
    summary: "Get a comment on a change request",
    on: changeRequestComment,
    right: "view",
    query: format,
    returns: Comment,
    handle: getOne,
  },
);

export const updateChangeRequestComment = operation(
  "PUT /spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId",
  {
    summary: "Edit a comment on a change request, resolve it or open it again, react to it",
    description:
      "The text is its author's to change. Its author and reviewers resolve it. Everybody who may comment reacts.",
    on: changeRequestComment,
    right: "view",
    body: CommentChanges,
    returns: Comment,
    handle: changeComment,
  },
);

export const deleteChangeRequestComment = operation(
  "DELETE /spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId",
  {
    summary: "Delete a comment on a change request, with its replies",
    on: changeRequestComment,
    right: "delete",
    handle: deleteComment,
  },
);

export const listChangeRequestCommentReplies = operation(
  "GET /spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId/replies",
  {
    summary: "List the replies to a comment on a change request, the oldest first",
    on: changeRequestComment,
    right: "view",
    query: format,
    list: Reply,
    handle: listReplies,
  },
);

export const replyToChangeRequestComment = operation(
  "POST /spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId/replies",
  {
    summary: "Reply to a comment on a change request",
    on: changeRequestComment,
    right: "reply",
    query: format,
    body: NewReply,
    returns: Reply,
    handle: postReply,
  },
);

export const getChangeRequestCommentReply = operation(
  "GET /spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId/replies/:commentReplyId",
  {
    summary: "Get a reply to a comment on a change request",
    on: changeRequestReply,
    right: "view",
    query: format,
    returns: Reply,
    handle: getReply,
  },
);

export const updateChangeRequestCommentReply = operation(
  "PUT /spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId/replies/:commentReplyId",
  {
    summary: "Edit a reply to a comment on a change request, or react to it",
    on: changeRequestReply,
    right: "view",
    body: ReplyChanges,
    returns: Reply,
    handle: changeReply,
  },
);

export const deleteChangeRequestCommentReply = operation(
  "DELETE /spaces/:spaceId/change-requests/:changeRequestId/comments/:commentId/replies/:commentReplyId",
  {
    summary: "Delete a reply to a comment on a change request",
    on: changeRequestReply,
    right: "delete",
    handle: deleteReply,
  },
);

export const listChangeRequestCommenters = operation(
  "GET /spaces/:spaceId/change-requests/:changeRequestId/commenters",
  {
    summary: "List who has commented on a change request",
    on: changeRequestDiscussion,
    right: "discuss",
    list: Member,
    handle: listCommenters,
  },
);
