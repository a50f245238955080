// Lists the comments, replies and reviews that a user wrote in an organization. These have no index by author. But the
// commenters of each space have one, so only spaces are read in which the user commented. Everything is read in batches.

import type { Reader } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import type { UserContribution } from "../people/users/contributions";
import { reviews } from "./change-requests/records";
import { commenters, comments, replies } from "./comments/records";

/** Yields what a user wrote: comments, replies, and reviews. */
export async function* iterateUserContributions(view: Reader, user: string): AsyncGenerator<UserContribution> {
  const spaces = new Set<string>();
  for await (const commenter of commenters.iterate(view)) if (commenter.user === user) spaces.add(commenter.space);
  for (const spaceId of spaces)
    for await (const comment of comments.iterate(view, spaceId)) {
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
    for await (const { id, space, comment, postedBy, postedAt } of replies.iterate(view, spaceId))
      if (postedBy === user) yield { object: "comment-reply", id, space, comment, createdAt: postedAt };
  for await (const { id, space, changeRequest, reviewer, createdAt } of reviews.iterate(view))
    if (reviewer === user) yield { object: "review", id, space, changeRequest, createdAt };
}
