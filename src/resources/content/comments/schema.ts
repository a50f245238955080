// Comments on the wire.

import * as v from "valibot";
import {
  Id,
  listSchema,
  namedObject,
  recordSchema,
  SortOrder,
  Timestamp,
  textSchema,
  UrlString,
  User,
} from "../../../operation/common-schemas";
import { DocumentSchema, formatQuery } from "../revisions/schema";

const Reactions = v.array(
  v.object({
    emoji: v.string(),
    count: v.number(),
    users: v.array(v.object({ user: User, reactedAt: Timestamp })),
  }),
);

const Permissions = v.object({ view: v.boolean(), edit: v.boolean(), reply: v.boolean(), delete: v.boolean() });

/** A text in the requested format. */
const Body = v.object({ markdown: v.optional(v.string()), document: v.optional(DocumentSchema) });

const postEntries = {
  id: Id,
  postedBy: v.optional(User),
  postedAt: Timestamp,
  editedAt: v.optional(Timestamp),
  reactions: Reactions,
  body: Body,
  urls: v.object({ location: UrlString }),
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
  /** The page or the block no longer exists. */
  outdated: v.boolean(),
});

/** A cell of a table. There are several kinds of tables, so their renderers decide how a cell is named. */
const TableCell = v.pipe(
  recordSchema(textSchema(1, 64), v.union([textSchema(0, 256), v.number()], "Expected text or a number"), 10),
  v.description("The cell of the table `node`, as provided. It isn't validated against the table."),
);

export const Comment = namedObject("Comment", {
  object: v.literal("comment"),
  ...postEntries,
  replies: v.number(),
  target: v.object({
    space: Id,
    revision: Id,
    changeRequest: v.optional(Id),
    review: v.optional(v.pipe(Id, v.description("The ID of the review that the comment was posted with."))),
    page: v.optional(TargetPage),
    node: v.optional(v.object({ id: v.string(), preview: v.string() })),
    tableCell: v.optional(TableCell),
  }),
  status: v.picklist(["open", "resolved"]),
  resolvedAt: v.optional(Timestamp),
  resolvedBy: v.optional(User),
});

export const Reply = namedObject("CommentReply", { object: v.literal("comment-reply"), ...postEntries });

/** The longest text of a comment, in characters. */
const MAX_COMMENT_LENGTH = 10_000;

export const CommentBody = v.pipe(
  v.union(
    [
      v.strictObject({ markdown: textSchema(0, MAX_COMMENT_LENGTH) }),
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
const Emojis = v.optional(listSchema(textSchema(1, 50), 20, "At most 20"));

const Resolved = v.optional(v.pipe(v.boolean(), v.description("True resolves the parent comment; false reopens it.")));

export const NewComment = v.strictObject({
  body: CommentBody,
  page: v.optional(Id),
  node: v.optional(Node),
  tableCell: v.optional(TableCell),
});
export const NewReply = v.strictObject({ body: CommentBody, resolved: Resolved });
const postChanges = { body: v.optional(CommentBody), addedReactions: Emojis, removedReactions: Emojis };
export const ReplyChanges = v.strictObject({ ...postChanges, resolved: Resolved });
export const CommentChanges = v.strictObject({ ...postChanges, resolved: v.optional(v.boolean()) });

export const commentFilters = {
  ...formatQuery,
  order: v.optional(SortOrder, "desc"),
  status: v.optional(v.picklist(["open", "resolved", "all"], "Expected open, resolved or all"), "all"),
  targetPage: v.optional(v.pipe(Id, v.description("Returns only comments on this page."))),
  // The parameter may be repeated.
  authors: v.optional(
    v.pipe(
      v.union([
        listSchema(Id, 100),
        v.pipe(
          Id,
          v.transform((author) => [author]),
        ),
      ]),
      v.description("Returns only comments by these users."),
    ),
  ),
};
