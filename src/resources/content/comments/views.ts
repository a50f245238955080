// Comments and replies on the wire. The target of a comment follows its block as long as the block exists.

import type * as v from "valibot";
import type { Block, Document } from "../../../content/document";
import { loadMarkdownReader } from "../../../content/lazy";
import type { RevisionView } from "../../../content/revision/view";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { organization } from "../../people/organizations/rules";
import { findUsersById, presentUser } from "../../people/users/records";
import { type ComputedReadContext, getShownContent, type ShownContent } from "../revisions/computed-content";
import { type CommentRecord, type ReactionRecord, type ReplyRecord, reactions, replies } from "./records";
import { type InDiscussion, spaceComment, spaceReply } from "./rules";
import type { Comment, Reply } from "./schema";

/** What the views need. */
export interface Showing extends InDiscussion, Omit<ComputedReadContext, "query"> {
  readonly directory: Reader;
  readonly urls: Urls;
  readonly query?: { readonly format?: "document" | "markdown" | undefined };
}

/** The content that comments are about, with what is computed. */
export function contentOf({ query: _, ...context }: Showing): ShownContent {
  return getShownContent(context, context.revision);
}

type People = ReadonlyMap<string, Parameters<typeof presentUser>[0]>;

/** The most reactions of one comment that are shown with user and time. */
const MAX_REACTIONS = 1000;

/** Comments on the wire, in the order given. */
export async function commentViews(
  context: Showing,
  found: readonly CommentRecord[],
): Promise<v.InferInput<typeof Comment>[]> {
  const { tx, directory, space, urls } = context;
  const reacted = await Promise.all(found.map(({ id }) => reactionsTo(tx, space.id, id)));
  const people = await findUsersById(directory, [
    ...found.flatMap(({ postedBy, resolvedBy }) => (resolvedBy === null ? [postedBy] : [postedBy, resolvedBy])),
    ...reacted.flat().map(({ user }) => user),
  ]);
  const counts = await replies.totals(
    tx,
    "ofComment",
    found.map(({ id }) => [space.id, id]),
  );
  const shown = contentOf(context);
  return Promise.all(
    found.map(async (comment, i) => {
      const resolver = comment.resolvedBy === null ? undefined : people.get(comment.resolvedBy);
      return {
        object: "comment" as const,
        ...(await writtenView(context, comment, people, reacted[i]!)),
        replies: counts[i]!,
        target: await targetOf(context, shown, comment),
        status: comment.status,
        ...omitUndefined({
          resolvedAt: comment.resolvedAt === null ? undefined : comment.resolvedAt,
          resolvedBy: resolver ? presentUser(resolver, urls) : undefined,
        }),
        urls: { location: urls.api(pathTo(context, comment.id)) },
        permissions: getPermissions(spaceComment, { ...context, comment }, ["view", "edit", "reply", "delete"]),
      };
    }),
  );
}

/** Replies to one comment on the wire, in the order given. */
export async function replyViews(
  context: Showing & { readonly comment: CommentRecord },
  found: readonly ReplyRecord[],
): Promise<v.InferInput<typeof Reply>[]> {
  const { tx, directory, space, comment, urls } = context;
  const reacted = await Promise.all(found.map(({ id }) => reactionsTo(tx, space.id, id)));
  const people = await findUsersById(directory, [
    ...found.map(({ postedBy }) => postedBy),
    ...reacted.flat().map(({ user }) => user),
  ]);
  return Promise.all(
    found.map(async (reply, i) => ({
      object: "comment-reply" as const,
      ...(await writtenView(context, reply, people, reacted[i]!)),
      urls: { location: urls.api(`${pathTo(context, comment.id)}/replies/${reply.id}`) },
      permissions: getPermissions(spaceReply, { ...context, reply }, ["view", "edit", "reply", "delete"]),
    })),
  );
}

function pathTo({ space, place }: Showing, comment: string): string {
  const above = place === null ? "" : `/change-requests/${place}`;
  return `/spaces/${space.id}${above}/comments/${comment}`;
}

async function writtenView(
  { urls, query }: Showing,
  it: CommentRecord | ReplyRecord,
  people: People,
  reacted: readonly ReactionRecord[],
) {
  const author = people.get(it.postedBy);
  return {
    id: it.id,
    ...omitUndefined({ postedBy: author ? presentUser(author, urls) : undefined }),
    postedAt: it.postedAt,
    ...omitUndefined({ editedAt: it.editedAt === null ? undefined : it.editedAt }),
    reactions: reactionViews(reacted, people, urls),
    body: query?.format === "document" ? { document: await documentOf(it.body) } : { markdown: it.body },
  };
}

async function reactionsTo(tx: Reader, space: string, subject: string): Promise<ReactionRecord[]> {
  // They are only displayed, so they need no check.
  const rows = await reactions.list(await tx.guardedBy([]), "ofSubject", {
    under: [space, subject],
    limit: MAX_REACTIONS,
  });
  return rows.map(({ record }) => record);
}

function reactionViews(all: readonly ReactionRecord[], people: People, urls: Urls) {
  const byEmoji = new Map<string, ReactionRecord[]>();
  for (const it of all) byEmoji.set(it.emoji, [...(byEmoji.get(it.emoji) ?? []), it]);
  return [...byEmoji].map(([emoji, given]) => ({
    emoji,
    count: given.length,
    users: given.flatMap(({ user, reactedAt }) => {
      const person = people.get(user);
      return person ? [{ user: presentUser(person, urls), reactedAt }] : [];
    }),
  }));
}

async function targetOf(reader: Showing, { view, objects }: ShownContent, comment: CommentRecord) {
  const { space, revision, changeRequest, review, tableCell } = comment;
  const page = comment.page === null ? undefined : await pageTarget(objects, view, comment.page, comment.node?.id);
  // A page that is not there may be computed from what this reader does not see, and so may the words of its blocks.
  const isHidden = page !== undefined && !("title" in page) && !organization.rights.viewOpenAPISpecs(reader);
  const node = comment.node && isHidden ? { ...comment.node, preview: "" } : comment.node;
  return {
    space,
    revision,
    ...omitUndefined({
      changeRequest: changeRequest === null ? undefined : changeRequest,
      review,
      page,
      node: node === null ? undefined : node,
      tableCell,
    }),
  };
}

async function pageTarget(objects: Objects, view: RevisionView, id: string, node: string | undefined) {
  const page = await view.getPage(id);
  if (!page) return { id, outdated: true };
  const { title, emoji, icon, createdAt, updatedAt, body } = page;
  const isThere = node === undefined || (await blocksOf(objects, body)).has(node);
  return {
    id,
    title,
    ...omitUndefined({ emoji, icon }),
    createdAt,
    updatedAt,
    path: (await view.getPagePath(id)) ?? "",
    outdated: !isThere,
  };
}

async function documentOf(markdown: string): Promise<Document> {
  const { documentInSteps } = await loadMarkdownReader();
  return runSteps(documentInSteps(markdown));
}

/** The blocks of a text by their keys, with how each begins. */
export async function blocksOf(objects: Objects, body: string | undefined): Promise<ReadonlyMap<string, string>> {
  if (body === undefined) return new Map();
  const name = `blocks ${body}`;
  const known = objects.cache.get(name)?.value as ReadonlyMap<string, string> | undefined;
  if (known) return known;
  const found = new Map<string, string>();
  await runSteps(collect((await documentOf(await objects.text(body))).nodes, found));
  objects.cache.set(name, { value: found, bytes: found.size * 200 });
  return found;
}

const PREVIEW_LENGTH = 100;
/** How many blocks are gone through in one step. */
const STEP = 200;

function* collect(nodes: readonly unknown[], found: Map<string, string>): Generator<void, void> {
  for (const node of nodes as readonly (Partial<Block> & {
    nodes?: readonly unknown[];
    fragments?: readonly unknown[];
  })[]) {
    if (node.object === "block" && node.key !== undefined)
      found.set(node.key, [...textIn(node)].slice(0, PREVIEW_LENGTH).join(""));
    if (found.size % STEP === 0) yield;
    if (node.nodes) yield* collect(node.nodes, found);
    if (node.fragments) yield* collect(node.fragments, found);
  }
}

/** The plain text of a block, up to the length of a preview. */
function textIn(node: { readonly nodes?: readonly unknown[]; readonly leaves?: readonly { text: string }[] }): string {
  let text = (node.leaves ?? []).map((leaf) => leaf.text).join("");
  for (const inner of node.nodes ?? []) {
    if (text.length > 4 * PREVIEW_LENGTH) break;
    text += textIn(inner as never);
  }
  return text;
}
