// Comments on the wire.

import * as v from "valibot";
import { Id, Link, listOf, Order, Timestamp, text, User } from "../../../shapes";
import { DocumentShape, Format } from "../revisions/schema";

const Reactions = v.array(
  v.object({
    emoji: v.string(),
    count: v.number(),
    users: v.array(v.object({ user: User, reactedAt: Timestamp })),
  }),
);

const Permissions = v.object({ view: v.boolean(), edit: v.boolean(), reply: v.boolean(), delete: v.boolean() });

/** A text in the requested format. */
const Body = v.object({ markdown: v.optional(v.string()), document: v.optional(DocumentShape) });

const written = {
  id: Id,
  postedBy: v.optional(User),
  postedAt: Timestamp,
  editedAt: v.optional(Timestamp),
  reactions: Reactions,
  body: Body,
  urls: v.object({ location: Link }),
  permissions: Permissions,
};

const TargetPage = v.object({
  id: Id,
  title: v.optional(v.string()),
  emoji: v.optional(v.string()),
  icon: v.optional(v.string()),
  createdAt: v.optional(Timestamp),
  updatedAt: v.optional(Timestamp),
  path: v.optional(v.string()),
  /** Whether the page or the block no longer exists. */
  outdated: v.boolean(),
});

export const Comment = v.pipe(
  v.object({
    object: v.literal("comment"),
    ...written,
    replies: v.number(),
    target: v.object({
      space: Id,
      revision: Id,
      changeRequest: v.optional(Id),
      page: v.optional(TargetPage),
      node: v.optional(v.object({ id: v.string(), preview: v.string() })),
    }),
    status: v.picklist(["open", "resolved"]),
    resolvedAt: v.optional(Timestamp),
    resolvedBy: v.optional(User),
  }),
  v.title("Comment"),
);

export const Reply = v.pipe(v.object({ object: v.literal("comment-reply"), ...written }), v.title("CommentReply"));

/** The longest text of a comment, in characters. */
const MAX_TEXT = 10_000;
const Given = v.pipe(
  v.union(
    [
      v.strictObject({ markdown: text(0, MAX_TEXT) }),
      v.strictObject({ document: v.looseObject({ object: v.literal("document") }, "Expected a document") }),
      v.strictObject({}),
    ],
    "Expected {markdown}, {document} or {}",
  ),
  v.title("CommentBody"),
);

const Node = v.pipe(
  v.string("Expected the key of a block"),
  v.regex(/^[A-Za-z0-9_-]{1,64}$/, "Expected the key of a block"),
);
const Emojis = v.optional(listOf(text(1, 50), 20, "At most 20"));

export const NewComment = v.strictObject({ body: Given, page: v.optional(Id), node: v.optional(Node) });
export const NewReply = v.strictObject({ body: Given });
export const ReplyChanges = v.strictObject({
  body: v.optional(Given),
  addedReactions: Emojis,
  removedReactions: Emojis,
});
export const CommentChanges = v.strictObject({ ...ReplyChanges.entries, resolved: v.optional(v.boolean()) });

export const format = {
  format: v.optional(v.pipe(Format, v.description("The form of the text. Default: markdown."))),
};

export const filters = {
  ...format,
  order: v.optional(Order, "desc"),
  status: v.optional(v.picklist(["open", "resolved", "all"], "Expected open, resolved or all"), "all"),
  targetPage: v.optional(v.pipe(Id, v.description("Only those on this page."))),
  authors: v.optional(v.pipe(oneOrMore(Id), v.description("Only those of these users."))),
};

/** A query parameter that may be given once or several times. */
function oneOrMore<Item extends v.GenericSchema>(item: Item) {
  return v.union([
    listOf(item, 100),
    v.pipe(
      item,
      v.transform((one) => [one]),
    ),
  ]);
}
