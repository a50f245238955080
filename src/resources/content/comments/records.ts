// Comments on spaces and change requests, with replies and reactions.

import { defineJob } from "../../../jobs/jobs";
import { followMoves, MovedError } from "../../../operation/moved-error";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { createTransferBusyError, isFrozen, locateNode } from "../../library/tree/records";

export interface CommentRecord {
  readonly id: string;
  readonly space: string;
  /** Null: a comment on the space itself. */
  readonly changeRequest: string | null;
  readonly postedBy: string;
  readonly postedAt: string;
  readonly editedAt: string | null;
  /** Markdown, as it was written. */
  readonly body: string;
  readonly page: string | null;
  /** The key of a block of the page, and the beginning of the block's text. */
  readonly node: { readonly id: string; readonly preview: string } | null;
  /** The cell of a table that the comment is about, as the request named it. */
  readonly tableCell?: Readonly<Record<string, string | number>>;
  readonly review?: string;
  readonly revision: string;
  readonly status: "open" | "resolved";
  readonly resolvedAt: string | null;
  readonly resolvedBy: string | null;
}

export const comments = defineRecordSet("comment", {
  key: (record: CommentRecord) => [record.space, record.id],
  indexes: {
    all: (record) => [record.space, record.changeRequest, record.postedAt],
    byStatus: (record) => [record.space, record.changeRequest, record.status, record.postedAt],
    everywhere: (record) => [record.space],
  },
  totals: {
    all: (record) => [record.space, record.changeRequest],
    byStatus: (record) => [record.space, record.changeRequest, record.status],
  },
});

export interface ReplyRecord {
  readonly id: string;
  readonly space: string;
  readonly comment: string;
  readonly postedBy: string;
  readonly postedAt: string;
  readonly editedAt: string | null;
  readonly body: string;
}

export const replies = defineRecordSet("comment-reply", {
  key: (record: ReplyRecord) => [record.space, record.comment, record.id],
  indexes: { ofComment: (record) => [record.space, record.comment, record.postedAt] },
  totals: { ofComment: (record) => [record.space, record.comment] },
});

/** A reaction of a user to a comment or a reply. */
export interface ReactionRecord {
  readonly space: string;
  readonly subject: string;
  readonly emoji: string;
  readonly user: string;
  readonly reactedAt: string;
}

export const reactions = defineRecordSet("reaction", {
  key: (record: ReactionRecord) => [record.space, record.subject, record.emoji, record.user],
  indexes: { ofSubject: (record) => [record.space, record.subject, record.emoji, record.reactedAt] },
});

/** A user who wrote in a discussion, with the number of texts. */
export interface CommenterRecord {
  readonly space: string;
  readonly changeRequest: string | null;
  readonly user: string;
  readonly times: number;
}

export const commenters = defineRecordSet("commenter", {
  key: (record: CommenterRecord) => [record.space, record.changeRequest, record.user],
  indexes: { ofPlace: (record) => [record.space, record.changeRequest] },
});

/** Counts a text that a user wrote in a discussion, or a text that was deleted. */
export async function countCommenter(
  tx: Transaction,
  commenter: Pick<CommenterRecord, "space" | "changeRequest" | "user">,
  change: 1 | -1,
): Promise<void> {
  const { space, changeRequest, user } = commenter;
  const existing = await commenters.get(tx, space, changeRequest, user);
  const times = (existing?.times ?? 0) + change;
  if (times > 0) await commenters.put(tx, { ...commenter, times });
  else await commenters.delete(tx, space, changeRequest, user);
}

export function countOpenComments(tx: Reader, space: string, changeRequestIds: readonly string[]): Promise<number[]> {
  const keys = changeRequestIds.map((changeRequest) => [space, changeRequest, "open"]);
  return comments.totals(tx, "byStatus", keys);
}

export type DeletedSubject = Pick<CommentRecord, "space" | "changeRequest" | "id">;

/** Deletes the replies and the reactions to a deleted comment or reply, in whichever partition its space is now. */
export const deleteCommentChildren = defineJob<DeletedSubject & { readonly partition: string }>(
  "clear-comment",
  async ({ store }, { partition, space, changeRequest, id }) => {
    const hasMore = await followMoves(partition, (currentPartition, forwardedFrom) =>
      store.write(currentPartition, async (tx) => {
        const place = await locateNode(tx, space, forwardedFrom);
        if (!place) return false;
        if ("movedTo" in place) throw new MovedError(place.movedTo);
        if (place.isArriving || isFrozen(place.path)) throw createTransferBusyError();

        // As many as fit into one commit. A reply is deleted after its reactions.
        const hasMoreReplies = await replies.each(tx, "ofComment", [space, id], async (reply) => {
          if (await reactions.drain(tx, "ofSubject", [space, reply.id])) return true;
          await replies.delete(tx, space, id, reply.id);
          await countCommenter(tx, { space, changeRequest, user: reply.postedBy }, -1);
          return false;
        });
        return hasMoreReplies || reactions.drain(tx, "ofSubject", [space, id]);
      }),
    );
    if (hasMore === undefined) throw createTransferBusyError();
    return hasMore;
  },
);
