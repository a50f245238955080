// The handlers of the operations on discussions.

import type * as v from "valibot";
import { loadBodies } from "../../../content/lazy";
import { createError, createValidationError } from "../../../errors";
import type { OutgoingEvent } from "../../../jobs/outbox";
import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import { paginateFiltered, paginateGroup, paginateList } from "../../../operation/pagination";
import type { Transaction } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { members } from "../../people/members/records";
import type { Member } from "../../people/members/schema";
import { presentMembers } from "../../people/members/views";
import { findOrganizationPartition } from "../../people/organizations/records";
import {
  type Below,
  type CommentRecord,
  clearBelow,
  commenters,
  comments,
  countCommenter,
  type ReplyRecord,
  reactions,
  replies,
} from "./records";
import { type OnComment, type OnReply, spaceComment, spaceReply } from "./rules";
import type { Comment, CommentChanges, Given, NewComment, NewReply, Reply, ReplyChanges } from "./schema";
import { blocksOf, commentViews, contentOf, replyViews, type Showing } from "./views";

interface Writing extends Showing {
  readonly tx: Transaction;
  readonly now: Date;
  readonly newId: (kind: "comment" | "commentReply") => string;
  readonly emit: (event: OutgoingEvent) => void;
}

interface Filters {
  readonly order: "asc" | "desc";
  readonly status: "open" | "resolved" | "all";
  readonly targetPage?: string | undefined;
  readonly authors?: readonly string[] | undefined;
}

export async function listComments(
  context: Showing & { readonly pageRequest: PageRequest; readonly query: Filters },
): Promise<PageOfItems<v.InferInput<typeof Comment>>> {
  const { tx, space, place, pageRequest, query } = context;
  const { status, targetPage, authors } = query;
  const reverse = query.order === "desc";
  const walk = (slice: { after?: string | undefined; limit: number }) =>
    status === "all"
      ? comments.list(tx, "all", { under: [space.id, place], reverse, ...slice })
      : comments.list(tx, "byStatus", { under: [space.id, place, status], reverse, ...slice });
  const view = (found: readonly CommentRecord[]) => commentViews(context, found);
  if (targetPage !== undefined || authors !== undefined) {
    const passes = (it: CommentRecord) =>
      (targetPage === undefined || it.page === targetPage) && (authors === undefined || authors.includes(it.postedBy));
    return paginateFiltered(pageRequest, walk, passes, view, { reverse });
  }
  const count =
    status === "all"
      ? await comments.total(tx, "all", space.id, place)
      : await comments.total(tx, "byStatus", space.id, place, status);
  return paginateList(pageRequest, walk, count, view);
}

export async function postComment(
  context: Writing & { readonly body: v.InferOutput<typeof NewComment> },
): Promise<v.InferInput<typeof Comment>> {
  const { space, place, revision, userId } = context;
  const comment = await saveComment(context, {
    space: space.id,
    changeRequest: place,
    postedBy: userId,
    body: await bodyText(context.body.body, "body.body"),
    ...(await targetIn(context, context.body)),
    revision: revision.id,
  });
  return (await commentViews(context, [comment]))[0]!;
}

/** What saving a comment needs. */
export type Saving = Pick<Writing, "tx" | "now" | "newId" | "emit">;

/** Saves a new comment, counts it and tells of it. */
export async function saveComment(
  { tx, now, newId, emit }: Saving,
  written: Omit<CommentRecord, "id" | "postedAt" | "editedAt" | "status" | "resolvedAt" | "resolvedBy">,
): Promise<CommentRecord> {
  const { space, changeRequest, postedBy } = written;
  const comment: CommentRecord = {
    ...written,
    id: newId("comment"),
    postedAt: now.toISOString(),
    editedAt: null,
    status: "open",
    resolvedAt: null,
    resolvedBy: null,
  };
  await comments.put(tx, comment);
  await countCommenter(tx, { space, changeRequest, user: postedBy }, 1);
  emit({ type: "comment_posted", spaceId: space, commentId: comment.id, ...inChangeRequest(changeRequest) });
  return comment;
}

export async function getOne(context: Showing & OnComment): Promise<v.InferInput<typeof Comment>> {
  return (await commentViews(context, [context.comment]))[0]!;
}

export async function changeComment(
  context: Writing & OnComment & { readonly body: v.InferOutput<typeof CommentChanges> },
): Promise<v.InferInput<typeof Comment>> {
  const { comment, now, body } = context;
  if (body.body !== undefined && !spaceComment.rights.edit(context)) throw createError("forbidden");
  const edited =
    body.body === undefined ? {} : { body: await bodyText(body.body, "body.body"), editedAt: now.toISOString() };
  const changed = await settleComment(context, { ...comment, ...edited }, body.resolved);
  await react(context, comment.id, body);
  return (await commentViews(context, [changed]))[0]!;
}

/** Saves a comment that may have been changed, resolved or opened again by this. */
async function settleComment(
  context: Writing & OnComment,
  comment: CommentRecord,
  resolved: boolean | undefined,
): Promise<CommentRecord> {
  const { tx, space, place, userId, now, emit } = context;
  if (resolved !== undefined && !spaceComment.rights.resolve(context)) throw createError("forbidden");
  const changed: CommentRecord = { ...comment, ...resolution(comment, resolved, userId, now) };
  await comments.put(tx, changed);
  if (changed.status === "resolved" && comment.status !== "resolved")
    emit({ type: "comment_resolved", spaceId: space.id, commentId: comment.id, ...inChangeRequest(place) });
  return changed;
}

/** The first who resolved it, and the time, are kept. */
function resolution(comment: CommentRecord, resolved: boolean | undefined, user: string, now: Date) {
  if (resolved === undefined || resolved === (comment.status === "resolved")) return {};
  if (!resolved) return { status: "open" as const, resolvedAt: null, resolvedBy: null };
  return { status: "resolved" as const, resolvedAt: now.toISOString(), resolvedBy: user };
}

/** Deletes a comment. Its replies and reactions can no longer be reached, and a job deletes them. */
export async function deleteComment({ tx, organization, comment, enqueueJob }: OnComment & Deleting): Promise<void> {
  const { space, changeRequest, id, postedBy } = comment;
  await comments.delete(tx, space, id);
  await countCommenter(tx, { space, changeRequest, user: postedBy }, -1);
  enqueueJob(clearBelow, { partition: findOrganizationPartition(organization.id)!, space, changeRequest, id });
}

interface Deleting {
  readonly tx: Transaction;
  readonly enqueueJob: (step: typeof clearBelow, payload: Below & { readonly partition: string }) => void;
}

export async function listReplies(
  context: Showing & OnComment & { readonly pageRequest: PageRequest },
): Promise<PageOfItems<v.InferInput<typeof Reply>>> {
  const { space, comment } = context;
  return paginateGroup(context, replies, "ofComment", [space.id, comment.id], (found) => replyViews(context, found));
}

export async function postReply(
  context: Writing & OnComment & { readonly body: v.InferOutput<typeof NewReply> },
): Promise<v.InferInput<typeof Reply>> {
  const { tx, space, place, comment, userId, now, newId, body } = context;
  if (body.resolved !== undefined) await settleComment(context, comment, body.resolved);
  const reply: ReplyRecord = {
    id: newId("commentReply"),
    space: space.id,
    comment: comment.id,
    postedBy: userId,
    postedAt: now.toISOString(),
    editedAt: null,
    body: await bodyText(body.body, "body.body"),
  };
  await replies.put(tx, reply);
  await countCommenter(tx, { space: space.id, changeRequest: place, user: userId }, 1);
  return (await replyViews(context, [reply]))[0]!;
}

export async function getReply(context: Showing & OnReply): Promise<v.InferInput<typeof Reply>> {
  return (await replyViews(context, [context.reply]))[0]!;
}

export async function changeReply(
  context: Writing & OnReply & { readonly body: v.InferOutput<typeof ReplyChanges> },
): Promise<v.InferInput<typeof Reply>> {
  const { tx, comment, reply, now, body } = context;
  if (body.body !== undefined && !spaceReply.rights.edit(context)) throw createError("forbidden");
  if (body.resolved !== undefined) await settleComment(context, comment, body.resolved);
  const edited =
    body.body === undefined ? {} : { body: await bodyText(body.body, "body.body"), editedAt: now.toISOString() };
  const changed: ReplyRecord = { ...reply, ...edited };
  await replies.put(tx, changed);
  await react(context, reply.id, body);
  return (await replyViews(context, [changed]))[0]!;
}

export async function deleteReply({ tx, organization, comment, reply, enqueueJob }: OnReply & Deleting): Promise<void> {
  const { space, changeRequest } = comment;
  await replies.delete(tx, space, comment.id, reply.id);
  await countCommenter(tx, { space, changeRequest, user: reply.postedBy }, -1);
  enqueueJob(clearBelow, {
    partition: findOrganizationPartition(organization.id)!,
    space,
    changeRequest,
    id: reply.id,
  });
}

/** The users who wrote in a discussion and are still members. */
export async function listCommenters(
  context: Showing & { readonly pageRequest: PageRequest },
): Promise<PageOfItems<v.InferInput<typeof Member>>> {
  const { tx, space, place, pageRequest } = context;
  return paginateFiltered(
    pageRequest,
    async (slice) => {
      const rows = await commenters.list(tx, "ofPlace", { under: [space.id, place], ...slice });
      const found = await members.getMany(
        tx,
        rows.map(({ record }) => [record.user]),
      );
      return rows.map(({ position }, i) => ({ record: found[i], position }));
    },
    (member) => member !== undefined,
    (found) => presentMembers(found as never, context),
  );
}

function inChangeRequest(place: string | null): { changeRequestId?: string } {
  return place === null ? {} : { changeRequestId: place };
}

async function targetIn(
  context: Showing,
  { page, node, tableCell }: v.InferOutput<typeof NewComment>,
): Promise<Pick<CommentRecord, "page" | "node" | "tableCell">> {
  if (tableCell !== undefined && node === undefined)
    throw createValidationError("body.tableCell", "A cell is in a table: name its block in `node` too");
  if (page === undefined) {
    if (node !== undefined) throw createValidationError("body.node", "A block is on a page: name the page too");
    return { page: null, node: null };
  }
  const { view, objects } = contentOf(context);
  const found = await view.getPage(page);
  if (!found) throw createValidationError("body.page", "There is no such page");
  if (node === undefined) return { page, node: null };
  const preview = (await blocksOf(objects, found.body)).get(node);
  if (preview === undefined) throw createValidationError("body.node", "The page has no such block");
  return { page, node: { id: node, preview }, ...omitUndefined({ tableCell }) };
}

/** A text as it is kept: Markdown as it was written, or a document made into it. */
export async function bodyText(given: v.InferOutput<typeof Given>, at: string): Promise<string> {
  if ("markdown" in given) return given.markdown;
  if (!("document" in given)) return "";
  const { convertDocumentToMarkdown } = await loadBodies();
  const { issue, markdown } = convertDocumentToMarkdown(given.document);
  if (issue) throw createValidationError(`${at}.document.${issue.path}`, issue.message);
  return markdown;
}

async function react(
  { tx, space, userId, now }: Writing,
  subject: string,
  { addedReactions = [], removedReactions = [] }: v.InferOutput<typeof ReplyChanges>,
): Promise<void> {
  for (const emoji of removedReactions) await reactions.delete(tx, space.id, subject, emoji, userId);
  for (const emoji of addedReactions) {
    if (await reactions.get(tx, space.id, subject, emoji, userId)) continue;
    await reactions.put(tx, { space: space.id, subject, emoji, user: userId, reactedAt: now.toISOString() });
  }
}
