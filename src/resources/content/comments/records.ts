// Comments on spaces and change requests, with replies and reactions.

import { defineJob } from "../../../jobs/jobs";
import { followMoves, MovedError } from "../../../operation/moved-error";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { busyWithTransfer, isFrozen, whereIs } from "../../library/tree/records";

export interface CommentRecord {
  readonly id: string;
  readonly space: string;
  /** Null: on the space itself. */
  readonly changeRequest: string | null;
  readonly postedBy: string;
  readonly postedAt: string;
  readonly editedAt: string | null;
  /** Markdown, as it was written. */
  readonly body: string;
  readonly page: string | null;
  /** The key of a block of the page, and the beginning of its text. */
  readonly node: { readonly id: string; readonly preview: string } | null;
  /** The cell of a table that it is about, as it was given. */
  readonly tableCell?: Readonly<Record<string, string | number>>;
  /** The review that it was written with. */
  readonly review?: string;
  /** The revision that it was written on. */
  readonly revision: string;
  readonly status: "open" | "resolved";
  readonly resolvedAt: string | null;
  readonly resolvedBy: string | null;
}

export const comments = defineRecordSet("comment", {
  key: (it: CommentRecord) => [it.space, it.id],
  indexes: {
    all: (it) => [it.space, it.changeRequest, it.postedAt],
    byStatus: (it) => [it.space, it.changeRequest, it.status, it.postedAt],
    everywhere: (it) => [it.space],
  },
  totals: {
    all: (it) => [it.space, it.changeRequest],
    byStatus: (it) => [it.space, it.changeRequest, it.status],
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
  key: (it: ReplyRecord) => [it.space, it.comment, it.id],
  indexes: { ofComment: (it) => [it.space, it.comment, it.postedAt] },
  totals: { ofComment: (it) => [it.space, it.comment] },
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
  key: (it: ReactionRecord) => [it.space, it.subject, it.emoji, it.user],
  indexes: { ofSubject: (it) => [it.space, it.subject, it.emoji, it.reactedAt] },
});

/** A user who wrote in a discussion, and how often. */
export interface CommenterRecord {
  readonly space: string;
  readonly changeRequest: string | null;
  readonly user: string;
  readonly times: number;
}

export const commenters = defineRecordSet("commenter", {
  key: (it: CommenterRecord) => [it.space, it.changeRequest, it.user],
  indexes: { ofPlace: (it) => [it.space, it.changeRequest] },
});

/** Counts a text that a user wrote in a discussion, or that was deleted again. */
export async function countCommenter(
  tx: Transaction,
  place: Pick<CommenterRecord, "space" | "changeRequest" | "user">,
  times: 1 | -1,
): Promise<void> {
  const known = await commenters.get(tx, place.space, place.changeRequest, place.user);
  const total = (known?.times ?? 0) + times;
  if (total > 0) await commenters.put(tx, { ...place, times: total });
  else await commenters.delete(tx, place.space, place.changeRequest, place.user);
}

/** The number of open comments on each of these spaces. */
export function openCommentsOn(tx: Reader, spaces: readonly string[]): Promise<number[]> {
  return comments.totals(
    tx,
    "byStatus",
    spaces.map((space) => [space, null, "open"]),
  );
}

/** The number of open comments on each of these change requests. */
export function openComments(tx: Reader, space: string, of: readonly string[]): Promise<number[]> {
  return comments.totals(
    tx,
    "byStatus",
    of.map((changeRequest) => [space, changeRequest, "open"]),
  );
}

/** A deleted comment or reply, and where its replies and reactions are. */
export type Below = Pick<CommentRecord, "space" | "changeRequest" | "id">;

/** Deletes what was below a deleted comment or reply, in whichever partition its space is now. */
export const clearBelow = defineJob<Below & { readonly partition: string }>(
  "clear-comment",
  async ({ store }, { partition, ...below }) => {
    const isMore = await followMoves(partition, (here, cameFrom) =>
      store.write(here, (tx) => clearAt(tx, below, cameFrom)),
    );
    if (isMore === undefined) throw busyWithTransfer();
    return isMore;
  },
);

/** The same in one partition. Gives whether there is more. */
async function clearAt(tx: Transaction, below: Below, cameFrom: string | undefined): Promise<boolean> {
  const found = await whereIs(tx, below.space, cameFrom);
  if (!found) return false;
  if ("movedTo" in found) throw new MovedError(found.movedTo);
  if (found.isArriving || isFrozen(found.path)) throw busyWithTransfer();
  return dropBelow(tx, below);
}

/** Deletes the replies and reactions below a comment or a reply, as many as there is room for. True: there are more. */
async function dropBelow(tx: Transaction, { space, changeRequest, id }: Below): Promise<boolean> {
  const hasMore = await replies.each(tx, "ofComment", [space, id], async (reply) => {
    if (await dropReactions(tx, space, reply.id)) return true;
    await replies.delete(tx, space, id, reply.id);
    await countCommenter(tx, { space, changeRequest, user: reply.postedBy }, -1);
    return false;
  });
  return hasMore || dropReactions(tx, space, id);
}

function dropReactions(tx: Transaction, space: string, subject: string): Promise<boolean> {
  return reactions.drain(tx, "ofSubject", [space, subject]);
}
