// What a user wrote in an organization: comments, replies and reviews, by their ids. None of them is listed by its author. But who
// wrote in a discussion is, so only spaces are read where the user did. Everything is read in chunks.

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

const CHUNK = 500;

export async function* writtenByUser(view: Reader, user: string): AsyncGenerator<UserContribution> {
  const spaces = new Set<string>();
  for await (const it of all<CommenterRecord>(view, commenters)) if (it.user === user) spaces.add(it.space);
  for (const at of spaces)
    for await (const { id, space, changeRequest, postedBy, postedAt } of all<CommentRecord>(view, comments, at))
      if (postedBy === user)
        yield {
          object: "comment",
          id,
          space,
          ...omitUndefined({ changeRequest: changeRequest ? changeRequest : undefined }),
          createdAt: postedAt,
        };
  for (const at of spaces)
    for await (const { id, space, comment, postedBy, postedAt } of all<ReplyRecord>(view, replies, at))
      if (postedBy === user) yield { object: "comment-reply", id, space, comment, createdAt: postedAt };
  for await (const { id, space, changeRequest, reviewer, createdAt } of all<ReviewRecord>(view, reviews))
    if (reviewer === user) yield { object: "review", id, space, changeRequest, createdAt };
}

/** The records of a set whose keys begin so. */
async function* all<T>(
  view: Reader,
  set: { ranges(...under: readonly string[]): Key[] },
  ...begun: readonly string[]
): AsyncGenerator<T> {
  const [under] = set.ranges(...begun);
  let after: Key | undefined;
  for (;;) {
    const rows = await view.list({ under: under!, after, limit: CHUNK });
    for (const { value } of rows) yield value as unknown as T;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)!.key;
  }
}
