// What a user wrote in an organization: comments, replies and reviews, by their ids. Nothing is listed by its author, so all
// of them are read, in chunks. It is asked for seldom.

import type { Key } from "../../store/storage";
import type { Reader } from "../../store/transaction";
import type { Written } from "../people/users/written";
import { type ReviewRecord, reviews } from "./change-requests/records";
import { type CommentRecord, comments, type ReplyRecord, replies } from "./comments/records";

const CHUNK = 500;

export async function* writtenByUser(view: Reader, user: string): AsyncGenerator<Written> {
  for await (const { id, space, changeRequest, postedBy, postedAt } of all<CommentRecord>(view, comments))
    if (postedBy === user)
      yield { object: "comment", id, space, ...(changeRequest ? { changeRequest } : {}), createdAt: postedAt };
  for await (const { id, space, comment, postedBy, postedAt } of all<ReplyRecord>(view, replies))
    if (postedBy === user) yield { object: "comment-reply", id, space, comment, createdAt: postedAt };
  for await (const { id, space, changeRequest, reviewer, createdAt } of all<ReviewRecord>(view, reviews))
    if (reviewer === user) yield { object: "review", id, space, changeRequest, createdAt };
}

async function* all<T>(view: Reader, set: { ranges(): Key[] }): AsyncGenerator<T> {
  const [under] = set.ranges();
  let after: Key | undefined;
  for (;;) {
    const rows = await view.list({ under: under!, after, limit: CHUNK });
    for (const { value } of rows) yield value as unknown as T;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)!.key;
  }
}
