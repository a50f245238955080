// Lists the comments, replies and reviews that a user wrote in an organization. These have no index by author. But the
// commenters of each space have one, so only spaces are read in which the user commented. Everything is read in batches.

import type { Key } from "../../storage/storage";
import type { Reader } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import type { UserContribution } from "../people/users/contributions";
import { type ReviewRecord, reviews } from "./change-requests/records";
import {
  type CommenterRecord,
  type CommentRecord,
  commenters,
  comments,
  type ReplyRecord,
  replies,
} from "./comments/records";

const BATCH_SIZE = 500;

/** Yields what a user wrote: comments, replies, and reviews. */
export async function* iterateUserContributions(view: Reader, user: string): AsyncGenerator<UserContribution> {
  const spaces = new Set<string>();
  for await (const commenter of iterateRecords<CommenterRecord>(view, commenters))
    if (commenter.user === user) spaces.add(commenter.space);
  for (const spaceId of spaces)
    for await (const comment of iterateRecords<CommentRecord>(view, comments, spaceId)) {
      const { id, space, changeRequest, postedBy, postedAt } = comment;
      if (postedBy === user)
        yield {
          object: "comment",
          id,
          space,
          ...omitUndefined({ changeRequest: changeRequest ? changeRequest : undefined }),
          createdAt: postedAt,
        };
    }
  for (const spaceId of spaces)
    for await (const { id, space, comment, postedBy, postedAt } of iterateRecords<ReplyRecord>(view, replies, spaceId))
      if (postedBy === user) yield { object: "comment-reply", id, space, comment, createdAt: postedAt };
  for await (const { id, space, changeRequest, reviewer, createdAt } of iterateRecords<ReviewRecord>(view, reviews))
    if (reviewer === user) yield { object: "review", id, space, changeRequest, createdAt };
}

/** Yields the records of a set whose keys begin with `prefix`. */
async function* iterateRecords<T>(
  view: Reader,
  recordSet: { ranges(...under: readonly string[]): Key[] },
  ...prefix: readonly string[]
): AsyncGenerator<T> {
  const [under] = recordSet.ranges(...prefix);
  let after: Key | undefined;
  for (;;) {
    const rows = await view.list({ under: under!, after, limit: BATCH_SIZE });
    for (const { value } of rows) yield value as unknown as T;
    if (rows.length < BATCH_SIZE) return;
    after = rows.at(-1)!.key;
  }
}
