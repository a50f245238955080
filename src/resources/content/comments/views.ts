// Comments and replies on the wire. The target of a comment follows its block as long as the block exists.

import type * as v from "valibot";
import type { Block, Document } from "../../../content/document";
import { loadMarkdownReader } from "../../../content/lazy";
import type { CallContext } from "../../../operation/operation";
import { getPermissions, type TargetContext } from "../../../operation/target";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import type { Steps } from "../../../utils/concurrency/steps";
import { groupBy } from "../../../utils/group-by";
import { omitUndefined } from "../../../utils/objects";
import { organization } from "../../people/organizations/rules";
import { findUsersById, presentUser } from "../../people/users/records";
import { type ComputedReadContext, getShownContent } from "../revisions/computed-content";
import { type CommentRecord, type ReactionRecord, type ReplyRecord, reactions, replies } from "./records";
import { type DiscussionContext, spaceComment, spaceReply } from "./rules";
import type { Comment, Reply } from "./schema";

export interface CommentViewContext
  extends DiscussionContext,
    Omit<ComputedReadContext, "query">,
    Pick<TargetContext, "directory">,
    Pick<CallContext, "urls"> {
  readonly query?: { readonly format?: "document" | "markdown" | undefined };
}

/** The most reactions to one comment that are shown with user and time. */
const MAX_SHOWN_REACTIONS = 1000;

/** Returns comments on the wire, in the order given. */
export async function createCommentViews(
  context: CommentViewContext,
  records: readonly CommentRecord[],
): Promise<v.InferInput<typeof Comment>[]> {
  const { tx, directory, space, urls } = context;
  const reactionsByComment = await Promise.all(records.map(({ id }) => listReactions(tx, space.id, id)));
  const users = await findUsersById(directory, [
    ...records.flatMap(({ postedBy, resolvedBy }) => (resolvedBy === null ? [postedBy] : [postedBy, resolvedBy])),
    ...reactionsByComment.flat().map(({ user }) => user),
  ]);
  const replyKeys = records.map(({ id }) => [space.id, id]);
  const replyCounts = await replies.totals(tx, "ofComment", replyKeys);
  const { view, objects } = getShownContent({ ...context, query: {} }, context.revision);
  return Promise.all(
    records.map(async (comment, i) => {
      const { id, status, resolvedAt, resolvedBy } = comment;
      const resolver = resolvedBy === null ? undefined : users.get(resolvedBy);
      const { revision, changeRequest, review, tableCell, page: pageId, node } = comment;
      const stored = pageId === null ? undefined : await view.getPage(pageId);
      const hasNode = !stored || !node || (await loadBlockPreviews(objects, stored.body)).has(node.id);
      let page: v.InferInput<typeof Comment>["target"]["page"];
      if (stored) {
        const { title, emoji, icon, createdAt, updatedAt } = stored;
        const path = (await view.getPagePath(stored.id)) ?? "";
        const outdated = !hasNode;
        page = { id: stored.id, title, ...omitUndefined({ emoji, icon }), createdAt, updatedAt, path, outdated };
      } else if (pageId !== null) page = { id: pageId, outdated: true };
      // A missing page may be computed from a source that this reader does not see. Then the text of its blocks is hidden as well.
      const isHidden = pageId !== null && !stored && !organization.rights.viewOpenAPISpecs(context);
      return {
        object: "comment" as const,
        ...(await createPostView(context, comment, users, reactionsByComment[i]!)),
        replies: replyCounts[i]!,
        target: {
          space: comment.space,
          revision,
          ...omitUndefined({
            changeRequest: changeRequest ?? undefined,
            review,
            page,
            node: node === null ? undefined : isHidden ? { ...node, preview: "" } : node,
            tableCell,
          }),
        },
        status,
        ...omitUndefined({
          resolvedAt: resolvedAt ?? undefined,
          resolvedBy: resolver && presentUser(resolver, urls),
        }),
        urls: { location: urls.api(getCommentPath(context, id)) },
        permissions: getPermissions(spaceComment, { ...context, comment }, ["view", "edit", "reply", "delete"]),
      };
    }),
  );
}

export async function createReplyViews(
  context: CommentViewContext & { readonly comment: CommentRecord },
  records: readonly ReplyRecord[],
): Promise<v.InferInput<typeof Reply>[]> {
  const { tx, directory, space, comment, urls } = context;
  const reactionsByReply = await Promise.all(records.map(({ id }) => listReactions(tx, space.id, id)));
  const users = await findUsersById(directory, [
    ...records.map(({ postedBy }) => postedBy),
    ...reactionsByReply.flat().map(({ user }) => user),
  ]);
  return Promise.all(
    records.map(async (reply, i) => ({
      object: "comment-reply" as const,
      ...(await createPostView(context, reply, users, reactionsByReply[i]!)),
      urls: { location: urls.api(`${getCommentPath(context, comment.id)}/replies/${reply.id}`) },
      permissions: getPermissions(spaceReply, { ...context, reply }, ["view", "edit", "reply", "delete"]),
    })),
  );
}

function getCommentPath({ space, changeRequestId }: CommentViewContext, comment: string): string {
  const discussionPath = changeRequestId === null ? "" : `/change-requests/${changeRequestId}`;
  return `/spaces/${space.id}${discussionPath}/comments/${comment}`;
}

/** Returns the part of the view that comments and replies have in common. */
async function createPostView(
  { urls, query }: CommentViewContext,
  { id, postedBy, postedAt, editedAt, body }: CommentRecord | ReplyRecord,
  users: ReadonlyMap<string, Parameters<typeof presentUser>[0]>,
  postReactions: readonly ReactionRecord[],
) {
  const author = users.get(postedBy);
  const reactionsByEmoji = groupBy(postReactions, ({ emoji }) => emoji);
  return {
    id,
    ...omitUndefined({ postedBy: author && presentUser(author, urls) }),
    postedAt,
    ...omitUndefined({ editedAt: editedAt ?? undefined }),
    reactions: Array.from(reactionsByEmoji, ([emoji, sameEmoji]) => ({
      emoji,
      count: sameEmoji.length,
      users: sameEmoji.flatMap(({ user, reactedAt }) => {
        const record = users.get(user);
        return record ? [{ user: presentUser(record, urls), reactedAt }] : [];
      }),
    })),
    body: query?.format === "document" ? { document: await parseDocument(body) } : { markdown: body },
  };
}

async function listReactions(tx: Reader, space: string, subject: string): Promise<ReactionRecord[]> {
  // Reactions are only displayed, so the transaction does not check them.
  const range = { under: [space, subject], limit: MAX_SHOWN_REACTIONS };
  const rows = await reactions.list(await tx.withGuards([]), "ofSubject", range);
  return rows.map(({ record }) => record);
}

async function parseDocument(markdown: string): Promise<Document> {
  const { parseMarkdownInSteps, readDocumentInSteps } = await loadMarkdownReader();
  return (await runSteps(readDocumentInSteps(markdown, await runSteps(parseMarkdownInSteps(markdown))))).document;
}

const MAX_PREVIEW_CHARACTERS = 100;
const BLOCKS_PER_STEP = 200;

/** Returns the beginnings of the blocks of a text by their keys. They are read once for each text. */
export async function loadBlockPreviews(
  objects: Objects,
  body: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (body === undefined) return new Map();
  const key = `blocks ${body}`;
  const cached = objects.cache.get<ReadonlyMap<string, string>>(key);
  if (cached) return cached;
  const previews = new Map<string, string>();
  const document = await parseDocument(await objects.text(body));
  await runSteps(collectPreviewsInSteps(document.nodes, previews));
  objects.cache.set(key, previews, { bytes: previews.size * 200 });
  return previews;
}

type DocumentNode = Partial<Block> & { nodes?: readonly unknown[]; fragments?: readonly unknown[] };

function* collectPreviewsInSteps(nodes: readonly unknown[], previews: Map<string, string>): Steps<void> {
  for (const node of nodes as readonly DocumentNode[]) {
    if (node.object === "block" && node.key !== undefined)
      previews.set(node.key, [...getNodeText(node)].slice(0, MAX_PREVIEW_CHARACTERS).join(""));
    if (previews.size % BLOCKS_PER_STEP === 0) yield;
    if (node.nodes) yield* collectPreviewsInSteps(node.nodes, previews);
    if (node.fragments) yield* collectPreviewsInSteps(node.fragments, previews);
  }
}

/** Returns the plain text of a node, at least up to the length of a preview. */
function getNodeText(node: {
  readonly nodes?: readonly unknown[];
  readonly leaves?: readonly { text: string }[];
}): string {
  let text = (node.leaves ?? []).map((leaf) => leaf.text).join("");
  for (const child of node.nodes ?? []) {
    if (text.length > 4 * MAX_PREVIEW_CHARACTERS) break;
    text += getNodeText(child as never);
  }
  return text;
}
