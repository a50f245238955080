// The handlers of the operations on discussions.

import type * as v from "valibot";
import { loadBodies } from "../../../content/lazy";
import { createError, createValidationError } from "../../../errors";
import type { CallContext } from "../../../operation/operation";
import {
  type PageOfItems,
  type PageRequest,
  paginateFiltered,
  paginateGroup,
  paginateList,
} from "../../../operation/pagination";
import type { Transaction } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { members } from "../../people/members/records";
import type { Member } from "../../people/members/schema";
import { presentMembers } from "../../people/members/views";
import { findOrganizationPartition } from "../../people/organizations/records";
import { getShownContent } from "../revisions/computed-content";
import {
  type CommentRecord,
  commenters,
  comments,
  countCommenter,
  type DeletedSubject,
  deleteCommentChildren,
  type ReplyRecord,
  reactions,
  replies,
} from "./records";
import { type CommentContext, type ReplyContext, spaceComment, spaceReply } from "./rules";
import type { Comment, CommentBody, CommentChanges, NewComment, NewReply, Reply, ReplyChanges } from "./schema";
import { type CommentViewContext, createCommentViews, createReplyViews, loadBlockPreviews } from "./views";

interface CommentWriteContext extends CommentViewContext, Pick<CallContext, "now" | "emit"> {
  readonly tx: Transaction;
  readonly newId: (kind: "comment" | "commentReply") => string;
}

interface CommentFilters {
  readonly order: "asc" | "desc";
  readonly status: "open" | "resolved" | "all";
  readonly targetPage?: string | undefined;
  readonly authors?: readonly string[] | undefined;
}

interface DeleteContext {
  readonly tx: Transaction;
  readonly enqueueJob: (
    job: typeof deleteCommentChildren,
    payload: DeletedSubject & { readonly partition: string },
  ) => void;
}

/** The handlers, under the names of their operations. */
export const discussionHandlers = {
  async listComments(
    context: CommentViewContext & { readonly pageRequest: PageRequest; readonly query: CommentFilters },
  ): Promise<PageOfItems<v.InferInput<typeof Comment>>> {
    const { tx, space, changeRequestId, pageRequest, query } = context;
    const { status, targetPage, authors } = query;
    const reverse = query.order === "desc";
    const listRows = (slice: { after?: string | undefined; limit: number }) =>
      status === "all"
        ? comments.list(tx, "all", { under: [space.id, changeRequestId], reverse, ...slice })
        : comments.list(tx, "byStatus", { under: [space.id, changeRequestId, status], reverse, ...slice });
    const createViews = (records: readonly CommentRecord[]) => createCommentViews(context, records);
    if (targetPage !== undefined || authors !== undefined) {
      const isListed = ({ page, postedBy }: CommentRecord) =>
        (targetPage === undefined || page === targetPage) && (authors === undefined || authors.includes(postedBy));
      return paginateFiltered(pageRequest, listRows, isListed, createViews, { reverse });
    }
    const count =
      status === "all"
        ? await comments.total(tx, "all", space.id, changeRequestId)
        : await comments.total(tx, "byStatus", space.id, changeRequestId, status);
    return paginateList(pageRequest, listRows, count, createViews);
  },

  async postComment(
    context: CommentWriteContext & { readonly body: v.InferOutput<typeof NewComment> },
  ): Promise<v.InferInput<typeof Comment>> {
    const { space, changeRequestId, revision, userId } = context;
    const { page, node, tableCell } = context.body;
    const body = await getBodyText(context.body.body, "body.body");

    // Find the page, the block and the cell that the comment is about.
    if (tableCell !== undefined && node === undefined)
      throw createValidationError("body.tableCell", "A table cell requires its block in `node`");
    if (page === undefined && node !== undefined)
      throw createValidationError("body.node", "A block requires its page in `page`");
    let block: CommentRecord["node"] = null;
    if (page !== undefined) {
      const { view, objects } = getShownContent({ ...context, query: {} }, context.revision);
      const target = await view.getPage(page);
      if (!target) throw createValidationError("body.page", "Page not found");
      if (node !== undefined) {
        const preview = (await loadBlockPreviews(objects, target.body)).get(node);
        if (preview === undefined) throw createValidationError("body.node", "Block not found on this page");
        block = { id: node, preview };
      }
    }

    const comment = await saveComment(context, {
      space: space.id,
      changeRequest: changeRequestId,
      postedBy: userId,
      body,
      page: page ?? null,
      node: block,
      ...omitUndefined({ tableCell }),
      revision: revision.id,
    });
    return (await createCommentViews(context, [comment]))[0]!;
  },

  async getComment(context: CommentViewContext & CommentContext): Promise<v.InferInput<typeof Comment>> {
    return (await createCommentViews(context, [context.comment]))[0]!;
  },

  async updateComment(
    context: CommentWriteContext & CommentContext & { readonly body: v.InferOutput<typeof CommentChanges> },
  ): Promise<v.InferInput<typeof Comment>> {
    const { comment, now, body } = context;
    if (body.body !== undefined && !spaceComment.rights.edit(context)) throw createError("forbidden");
    const edited =
      body.body === undefined ? {} : { body: await getBodyText(body.body, "body.body"), editedAt: now.toISOString() };
    const changed = await saveWithResolution(context, { ...comment, ...edited }, body.resolved);
    await updateReactions(context, comment.id, body);
    return (await createCommentViews(context, [changed]))[0]!;
  },

  /** Deletes a comment. Its replies and reactions cannot be reached any more, and a job deletes them. */
  async deleteComment({ tx, organization, comment, enqueueJob }: CommentContext & DeleteContext): Promise<void> {
    const { space, changeRequest, id, postedBy } = comment;
    await comments.delete(tx, space, id);
    await countCommenter(tx, { space, changeRequest, user: postedBy }, -1);
    enqueueJob(deleteCommentChildren, {
      partition: findOrganizationPartition(organization.id)!,
      space,
      changeRequest,
      id,
    });
  },

  async listReplies(
    context: CommentViewContext & CommentContext & { readonly pageRequest: PageRequest },
  ): Promise<PageOfItems<v.InferInput<typeof Reply>>> {
    const { space, comment } = context;
    return paginateGroup(context, replies, "ofComment", [space.id, comment.id], (records) =>
      createReplyViews(context, records),
    );
  },

  async postReply(
    context: CommentWriteContext & CommentContext & { readonly body: v.InferOutput<typeof NewReply> },
  ): Promise<v.InferInput<typeof Reply>> {
    const { tx, space, changeRequestId, comment, userId, now, newId, body } = context;
    if (body.resolved !== undefined) await saveWithResolution(context, comment, body.resolved);
    const reply: ReplyRecord = {
      id: newId("commentReply"),
      space: space.id,
      comment: comment.id,
      postedBy: userId,
      postedAt: now.toISOString(),
      editedAt: null,
      body: await getBodyText(body.body, "body.body"),
    };
    await replies.put(tx, reply);
    await countCommenter(tx, { space: space.id, changeRequest: changeRequestId, user: userId }, 1);
    return (await createReplyViews(context, [reply]))[0]!;
  },

  async getReply(context: CommentViewContext & ReplyContext): Promise<v.InferInput<typeof Reply>> {
    return (await createReplyViews(context, [context.reply]))[0]!;
  },

  async updateReply(
    context: CommentWriteContext & ReplyContext & { readonly body: v.InferOutput<typeof ReplyChanges> },
  ): Promise<v.InferInput<typeof Reply>> {
    const { tx, comment, reply, now, body } = context;
    if (body.body !== undefined && !spaceReply.rights.edit(context)) throw createError("forbidden");
    if (body.resolved !== undefined) await saveWithResolution(context, comment, body.resolved);
    const edited =
      body.body === undefined ? {} : { body: await getBodyText(body.body, "body.body"), editedAt: now.toISOString() };
    const changed: ReplyRecord = { ...reply, ...edited };
    await replies.put(tx, changed);
    await updateReactions(context, reply.id, body);
    return (await createReplyViews(context, [changed]))[0]!;
  },

  async deleteReply({ tx, organization, comment, reply, enqueueJob }: ReplyContext & DeleteContext): Promise<void> {
    const { space, changeRequest } = comment;
    await replies.delete(tx, space, comment.id, reply.id);
    await countCommenter(tx, { space, changeRequest, user: reply.postedBy }, -1);
    enqueueJob(deleteCommentChildren, {
      partition: findOrganizationPartition(organization.id)!,
      space,
      changeRequest,
      id: reply.id,
    });
  },

  /** Lists the users who wrote in a discussion and are still members. */
  async listCommenters(
    context: CommentViewContext & { readonly pageRequest: PageRequest },
  ): Promise<PageOfItems<v.InferInput<typeof Member>>> {
    const { tx, space, changeRequestId, pageRequest } = context;
    return paginateFiltered(
      pageRequest,
      async (slice) => {
        const rows = await commenters.list(tx, "ofPlace", { under: [space.id, changeRequestId], ...slice });
        const ids = rows.map(({ record }) => record.user);
        const found = await members.getMany(tx, ids);
        return rows.map(({ position }, i) => ({ record: found[i], position }));
      },
      (member) => member !== undefined,
      (found) => presentMembers(found as never, context),
    );
  },
};

/** Saves a new comment, counts it and emits its event. */
export async function saveComment(
  { tx, now, newId, emit }: Pick<CommentWriteContext, "tx" | "now" | "newId" | "emit">,
  post: Omit<CommentRecord, "id" | "postedAt" | "editedAt" | "status" | "resolvedAt" | "resolvedBy">,
): Promise<CommentRecord> {
  const { space, changeRequest, postedBy } = post;
  const comment: CommentRecord = {
    ...post,
    id: newId("comment"),
    postedAt: now.toISOString(),
    editedAt: null,
    status: "open",
    resolvedAt: null,
    resolvedBy: null,
  };
  await comments.put(tx, comment);
  await countCommenter(tx, { space, changeRequest, user: postedBy }, 1);
  const place = omitUndefined({ changeRequestId: changeRequest ?? undefined });
  emit({ type: "comment_posted", spaceId: space, commentId: comment.id, ...place });
  return comment;
}

/** Saves a comment, and resolves or reopens it if `resolved` says so. Throws if the caller may not. */
async function saveWithResolution(
  context: CommentWriteContext & CommentContext,
  comment: CommentRecord,
  resolved: boolean | undefined,
): Promise<CommentRecord> {
  const { tx, space, changeRequestId, userId, now, emit } = context;
  if (resolved !== undefined && !spaceComment.rights.resolve(context)) throw createError("forbidden");
  // A comment that is resolved again keeps the user and the time of the first resolution.
  const wasResolved = comment.status === "resolved";
  let changed = comment;
  if (resolved === true && !wasResolved)
    changed = { ...comment, status: "resolved", resolvedAt: now.toISOString(), resolvedBy: userId };
  if (resolved === false && wasResolved) changed = { ...comment, status: "open", resolvedAt: null, resolvedBy: null };
  await comments.put(tx, changed);
  if (changed.status === "resolved" && !wasResolved) {
    const place = omitUndefined({ changeRequestId: changeRequestId ?? undefined });
    emit({ type: "comment_resolved", spaceId: space.id, commentId: comment.id, ...place });
  }
  return changed;
}

/** Returns a text as Markdown, as it is stored. `path` is the path of its member in the request. */
export async function getBodyText(input: v.InferOutput<typeof CommentBody>, path: string): Promise<string> {
  if ("markdown" in input) return input.markdown;
  if (!("document" in input)) return "";
  const { convertDocumentToMarkdown } = await loadBodies();
  const { issue, markdown } = convertDocumentToMarkdown(input.document);
  if (issue) throw createValidationError(`${path}.document.${issue.path}`, issue.message);
  return markdown;
}

async function updateReactions(
  { tx, space, userId, now }: CommentWriteContext,
  subject: string,
  { addedReactions = [], removedReactions = [] }: v.InferOutput<typeof ReplyChanges>,
): Promise<void> {
  for (const emoji of removedReactions) await reactions.delete(tx, space.id, subject, emoji, userId);
  for (const emoji of addedReactions) {
    if (await reactions.get(tx, space.id, subject, emoji, userId)) continue;
    await reactions.put(tx, { space: space.id, subject, emoji, user: userId, reactedAt: now.toISOString() });
  }
}
