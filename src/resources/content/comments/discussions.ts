// The operations of a discussion, for spaces and for change requests. Each is an operation without its route.

import type { Target } from "../../../operation/target";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { Member } from "../../people/members/schema";
import { formatQuery } from "../revisions/schema";
import type { CommentTarget, DiscussionContext, ReplyTarget } from "./rules";
import { Comment, CommentChanges, commentFilters, NewComment, NewReply, Reply, ReplyChanges } from "./schema";

const loadHandlers = loadLazily(() => import("./handlers"));

interface DiscussionTargets {
  readonly discussion: Target<DiscussionContext, "discuss">;
  readonly comment: CommentTarget;
  readonly reply: ReplyTarget;
}

/** Creates the operations of a discussion. `subject` names its subject in summaries. */
export function createDiscussionOperations(subject: string, { discussion, comment, reply }: DiscussionTargets) {
  const discussionOptions = { target: discussion, right: "discuss" as const };
  return {
    listComments: {
      summary: `List comments on ${subject}`,
      ...discussionOptions,
      query: commentFilters,
      list: Comment,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.listComments),
    },
    postComment: {
      summary: `Create a comment on ${subject}`,
      ...discussionOptions,
      body: NewComment,
      returns: Comment,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.postComment),
    },
    getComment: {
      summary: `Get a comment on ${subject}`,
      target: comment,
      right: "view" as const,
      query: formatQuery,
      returns: Comment,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.getComment),
    },
    updateComment: {
      summary: `Update a comment on ${subject}`,
      target: comment,
      right: "view" as const,
      body: CommentChanges,
      returns: Comment,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.updateComment),
    },
    deleteComment: {
      summary: `Delete a comment on ${subject}`,
      target: comment,
      right: "delete" as const,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.deleteComment),
    },
    listReplies: {
      summary: `List replies to a comment on ${subject}`,
      target: comment,
      right: "view" as const,
      query: formatQuery,
      list: Reply,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.listReplies),
    },
    postReply: {
      summary: `Reply to a comment on ${subject}`,
      target: comment,
      right: "reply" as const,
      query: formatQuery,
      body: NewReply,
      returns: Reply,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.postReply),
    },
    getReply: {
      summary: `Get a reply to a comment on ${subject}`,
      target: reply,
      right: "view" as const,
      query: formatQuery,
      returns: Reply,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.getReply),
    },
    updateReply: {
      summary: `Update a reply to a comment on ${subject}`,
      target: reply,
      right: "view" as const,
      body: ReplyChanges,
      returns: Reply,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.updateReply),
    },
    deleteReply: {
      summary: `Delete a reply to a comment on ${subject}`,
      target: reply,
      right: "delete" as const,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.deleteReply),
    },
    listCommenters: {
      summary: `List commenters of ${subject}`,
      ...discussionOptions,
      list: Member,
      handle: callLazily(loadHandlers, ({ discussionHandlers }) => discussionHandlers.listCommenters),
    },
  };
}
