// The operations of a discussion, for spaces and for change requests. Each is an operation without its route.

import type { Target } from "../../../operation/target";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { Member } from "../../people/members/schema";
import type { CommentTarget, InDiscussion, ReplyTarget } from "./rules";
import { Comment, CommentChanges, filters, format, NewComment, NewReply, Reply, ReplyChanges } from "./schema";

const handlers = loadLazily(() => import("./handlers"));

/** The targets of a discussion. */
interface Discussion {
  readonly whole: Target<InDiscussion, "discuss">;
  readonly comment: CommentTarget;
  readonly reply: ReplyTarget;
}

/** The operations of a discussion. `thing` is the word for its subject in summaries. */
export function discussionOf(thing: string, { whole, comment, reply }: Discussion) {
  const inDiscussion = { target: whole, right: "discuss" as const };
  return {
    listComments: {
      summary: `List the comments on ${thing}, the newest first`,
      ...inDiscussion,
      query: filters,
      list: Comment,
      handle: callLazily(handlers, (it) => it.listComments),
    },
    postComment: {
      summary: `Comment on ${thing}, on a page of it, or on a block of the page`,
      ...inDiscussion,
      body: NewComment,
      returns: Comment,
      handle: callLazily(handlers, (it) => it.postComment),
    },
    getComment: {
      summary: `Get a comment on ${thing}`,
      target: comment,
      right: "view" as const,
      query: format,
      returns: Comment,
      handle: callLazily(handlers, (it) => it.getOne),
    },
    updateComment: {
      summary: `Edit a comment on ${thing}, resolve it or open it again, react to it`,
      description:
        "The text is its author's to change. Its author and reviewers resolve it. Everybody who may comment reacts.",
      target: comment,
      right: "view" as const,
      body: CommentChanges,
      returns: Comment,
      handle: callLazily(handlers, (it) => it.changeComment),
    },
    deleteComment: {
      summary: `Delete a comment on ${thing}, with its replies`,
      target: comment,
      right: "delete" as const,
      handle: callLazily(handlers, (it) => it.deleteComment),
    },
    listReplies: {
      summary: `List the replies to a comment on ${thing}, the oldest first`,
      target: comment,
      right: "view" as const,
      query: format,
      list: Reply,
      handle: callLazily(handlers, (it) => it.listReplies),
    },
    postReply: {
      summary: `Reply to a comment on ${thing}`,
      target: comment,
      right: "reply" as const,
      query: format,
      body: NewReply,
      returns: Reply,
      handle: callLazily(handlers, (it) => it.postReply),
    },
    getReply: {
      summary: `Get a reply to a comment on ${thing}`,
      target: reply,
      right: "view" as const,
      query: format,
      returns: Reply,
      handle: callLazily(handlers, (it) => it.getReply),
    },
    updateReply: {
      summary: `Edit a reply to a comment on ${thing}, or react to it`,
      target: reply,
      right: "view" as const,
      body: ReplyChanges,
      returns: Reply,
      handle: callLazily(handlers, (it) => it.changeReply),
    },
    deleteReply: {
      summary: `Delete a reply to a comment on ${thing}`,
      target: reply,
      right: "delete" as const,
      handle: callLazily(handlers, (it) => it.deleteReply),
    },
    listCommenters: {
      summary: `List who has commented on ${thing}`,
      ...inDiscussion,
      list: Member,
      handle: callLazily(handlers, (it) => it.listCommenters),
    },
  };
}
