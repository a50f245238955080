// The comments on a change request or on a space, with their replies. Open comments come first.

import { useState } from "preact/hooks";
import type { Comment } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Button } from "../components/button";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedRows } from "../components/loaded";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";

/** The ids of a discussion: that of a change request, or without one that of the space. */
export interface DiscussionIds {
  readonly spaceId: string;
  readonly changeRequestId?: string | undefined;
}

type ChangeRequestDiscussionIds = Required<DiscussionIds> & { changeRequestId: string };

/** The operations of spaces that correspond to those of change requests. */
const SPACE_OPERATIONS = {
  listChangeRequestComments: "listSpaceComments",
  postCommentOnChangeRequest: "postCommentOnSpace",
  updateChangeRequestComment: "updateSpaceComment",
  deleteChangeRequestComment: "deleteSpaceComment",
  listChangeRequestCommentReplies: "listSpaceCommentReplies",
  replyToChangeRequestComment: "replyToSpaceComment",
} as const;

function selectOperation<Name extends keyof typeof SPACE_OPERATIONS>(
  name: Name,
  { changeRequestId }: DiscussionIds,
): Name {
  return changeRequestId === undefined ? (SPACE_OPERATIONS[name] as unknown as Name) : name;
}

function getDiscussionParams({ spaceId, changeRequestId }: DiscussionIds): ChangeRequestDiscussionIds {
  return (changeRequestId === undefined ? { spaceId } : { spaceId, changeRequestId }) as ChangeRequestDiscussionIds;
}

/** The subject of a comment: a page or a block. */
export interface CommentSubject {
  readonly page: string;
  readonly node?: string | undefined;
}

/** Returns the comments of a discussion, or of one of its pages. */
export function useComments(params: DiscussionIds | undefined, status: "open" | "resolved" | "all", page?: string) {
  const query = { status, format: "markdown", ...omitUndefined({ targetPage: page }) } as const;
  const name = selectOperation("listChangeRequestComments", params ?? { spaceId: "" });
  return useList(name, params && { params: getDiscussionParams(params), query });
}

export function Discussion({
  params,
  mayComment,
  about,
}: {
  readonly params: DiscussionIds;
  readonly mayComment: boolean;
  /** Shows only the comments on this subject. */
  readonly about?: CommentSubject | undefined;
}) {
  const messages = useMessages();
  const [status, setStatus] = useState<"open" | "resolved" | "all">("open");
  const all = useComments(params, status, about?.page);
  const isMeant = ({ target: { node } }: Comment) => about?.node === undefined || node?.id === about.node;
  const { reading } = all;
  const comments =
    reading.state === "loaded" ? { ...all, reading: { ...reading, value: reading.value.filter(isMeant) } } : all;
  return (
    <section>
      <div class="section-head">
        <h2>{messages.comments.comments}</h2>
        <Choice
          label={messages.comments.show}
          value={status}
          onChange={setStatus}
          options={[
            ["open", messages.comments.openComments],
            ["resolved", messages.comments.resolvedComments],
            ["all", messages.comments.allComments],
          ]}
        />
      </div>
      <LoadedRows of={comments} empty={messages.comments.noComments} class="comments">
        {(it) => <CommentThread params={params} it={it} />}
      </LoadedRows>
      {mayComment && (
        <Writing
          label={messages.comments.newComment}
          submit={messages.comments.postComment}
          send={(markdown) =>
            runMutation(selectOperation("postCommentOnChangeRequest", params), {
              params: getDiscussionParams(params),
              body: {
                body: { markdown },
                ...omitUndefined({ page: about?.page, node: about?.node === undefined ? undefined : about.node }),
              },
            })
          }
        />
      )}
    </section>
  );
}

/** A text field with a button that posts it. */
function Writing({
  label,
  submit,
  send,
  onCancel,
}: {
  readonly label: string;
  readonly submit: string;
  readonly send: (markdown: string) => Promise<unknown>;
  readonly onCancel?: () => void;
}) {
  const [text, setText] = useState("");
  const post = useAction(async () => {
    await send(text);
    setText("");
  });
  return (
    <Form action={post} submit={submit} {...(onCancel ? { onCancel } : {})}>
      <TextField label={label} value={text} onChange={setText} rows={3} required />
    </Form>
  );
}

function CommentThread({ params, it }: { readonly params: DiscussionIds; readonly it: Comment }) {
  const messages = useMessages();
  const [isReplying, setReplying] = useState(false);
  const ids = { ...getDiscussionParams(params), commentId: it.id };
  const replies = useList(
    selectOperation("listChangeRequestCommentReplies", params),
    it.replies > 0 ? { params: ids, query: { format: "markdown" } } : undefined,
  );
  const { page, node } = it.target;
  const subject = page && node ? `${page.title ?? ""}: “${node.preview}”` : page?.title;
  const resolve = useAction(() =>
    runMutation(selectOperation("updateChangeRequestComment", params), {
      params: ids,
      body: { resolved: it.status === "open" },
    }),
  );
  const remove = useAction(() => runMutation(selectOperation("deleteChangeRequestComment", params), { params: ids }));
  return (
    <article class="comment" data-status={it.status}>
      <CommentBody by={it.postedBy?.displayName} at={it.postedAt} body={it.body.markdown ?? ""} on={subject} />
      {it.replies > 0 && (
        <LoadedRows of={replies} class="replies">
          {({ postedBy, postedAt, body }) => (
            <CommentBody by={postedBy?.displayName} at={postedAt} body={body.markdown ?? ""} />
          )}
        </LoadedRows>
      )}
      <div class="buttons">
        {it.permissions.reply && <Button onClick={() => setReplying(!isReplying)}>{messages.comments.reply}</Button>}
        {it.permissions.reply && (
          <Button action={resolve}>
            {it.status === "open" ? messages.comments.resolve : messages.comments.openAgain}
          </Button>
        )}
        {it.permissions.delete && (
          <Button kind="danger" action={remove}>
            {messages.general.delete}
          </Button>
        )}
      </div>
      <ActionError error={resolve.error ?? remove.error} />
      {isReplying && (
        <Writing
          label={messages.comments.reply}
          submit={messages.comments.reply}
          onCancel={() => setReplying(false)}
          send={async (markdown) => {
            await runMutation(selectOperation("replyToChangeRequestComment", params), {
              params: ids,
              body: { body: { markdown } },
            });
            setReplying(false);
          }}
        />
      )}
    </article>
  );
}

function CommentBody({
  by,
  at,
  body,
  on,
}: {
  readonly by: string | undefined;
  readonly at: string;
  readonly body: string;
  readonly on?: string | undefined;
}) {
  const messages = useMessages();
  return (
    <>
      <p class="by">
        <strong>
          <bdi>{by ?? messages.comments.formerMember}</bdi>
        </strong>{" "}
        <small>
          <RelativeTime at={at} />
          {on && ` · ${formatMessage(messages.comments.onPage, { page: on })}`}
        </small>
      </p>
      <p class="said" dir="auto">
        {body}
      </p>
    </>
  );
}
