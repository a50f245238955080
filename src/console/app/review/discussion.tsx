// What people say about a change request, or about what a space shows: comments with their replies, open ones first.

import { useState } from "preact/hooks";
import type { Comment } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Problem, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { filled, useWords } from "../words/words";

/** A discussion: of a change request, or without one of the space itself. */
export interface Ids {
  readonly spaceId: string;
  readonly changeRequestId?: string | undefined;
}

type OfRequest = Required<Ids> & { changeRequestId: string };

/** Both kinds of discussions have the same operations, under other names. */
const ofSpace = {
  listChangeRequestComments: "listSpaceComments",
  postCommentOnChangeRequest: "postCommentOnSpace",
  updateChangeRequestComment: "updateSpaceComment",
  deleteChangeRequestComment: "deleteSpaceComment",
  listChangeRequestCommentReplies: "listSpaceCommentReplies",
  replyToChangeRequestComment: "replyToSpaceComment",
} as const;

function named<Name extends keyof typeof ofSpace>(name: Name, { changeRequestId }: Ids): Name {
  return changeRequestId === undefined ? (ofSpace[name] as unknown as Name) : name;
}

function paramsIn({ spaceId, changeRequestId }: Ids): OfRequest {
  return (changeRequestId === undefined ? { spaceId } : { spaceId, changeRequestId }) as OfRequest;
}

/** What a comment is about: a page, or a block of it. */
export interface About {
  readonly page: string;
  readonly node?: string | undefined;
}

/** The comments of a discussion, or of a page of it. */
export function useComments(params: Ids | undefined, status: "open" | "resolved" | "all", page?: string) {
  const query = { status, format: "markdown", ...omitUndefined({ targetPage: page }) } as const;
  const name = named("listChangeRequestComments", params ?? { spaceId: "" });
  return useList(name, params && { params: paramsIn(params), query });
}

export function Discussion({
  params,
  mayComment,
  about,
}: {
  readonly params: Ids;
  readonly mayComment: boolean;
  /** Only what was said about this. */
  readonly about?: About | undefined;
}) {
  const words = useWords();
  const [status, setStatus] = useState<"open" | "resolved" | "all">("open");
  const all = useComments(params, status, about?.page);
  const isMeant = ({ target: { node } }: Comment) => about?.node === undefined || node?.id === about.node;
  const { reading } = all;
  const comments =
    reading.state === "had" ? { ...all, reading: { ...reading, value: reading.value.filter(isMeant) } } : all;
  return (
    <section>
      <div class="section-head">
        <h2>{words.comments}</h2>
        <Choice
          label={words.show}
          value={status}
          onChange={setStatus}
          options={[
            ["open", words.openComments],
            ["resolved", words.resolvedComments],
            ["all", words.allComments],
          ]}
        />
      </div>
      <ShownList of={comments} empty={<p>{words.noComments}</p>}>
        {(items) => (
          <ul class="comments">
            {items.map((it) => (
              <li key={it.id}>
                <OneComment params={params} it={it} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      {mayComment && <NewComment params={params} about={about} />}
    </section>
  );
}

/** A text with a button that sends it. */
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
      <TextField label={label} value={text} onInput={setText} rows={3} required />
    </Form>
  );
}

function NewComment({ params, about }: { readonly params: Ids; readonly about: About | undefined }) {
  const words = useWords();
  return (
    <Writing
      label={words.newComment}
      submit={words.postComment}
      send={(markdown) =>
        write(named("postCommentOnChangeRequest", params), {
          params: paramsIn(params),
          body: {
            body: { markdown },
            ...omitUndefined({ page: about?.page, node: about?.node === undefined ? undefined : about.node }),
          },
        })
      }
    />
  );
}

function OneComment({ params, it }: { readonly params: Ids; readonly it: Comment }) {
  const words = useWords();
  const [isReplying, setReplying] = useState(false);
  const ids = { ...paramsIn(params), commentId: it.id };
  const resolve = useAction(() =>
    write(named("updateChangeRequestComment", params), { params: ids, body: { resolved: it.status === "open" } }),
  );
  const remove = useAction(() => write(named("deleteChangeRequestComment", params), { params: ids }));
  return (
    <article class="comment" data-status={it.status}>
      <Said by={it.postedBy?.displayName} at={it.postedAt} body={it.body.markdown ?? ""} on={aboutOf(it)} />
      {it.replies > 0 && <Replies params={params} comment={it.id} />}
      <div class="buttons">
        {it.permissions.reply && <Button onClick={() => setReplying(!isReplying)}>{words.reply}</Button>}
        {it.permissions.reply && (
          <Button isBusy={resolve.isBusy} onClick={() => void resolve.run()}>
            {it.status === "open" ? words.resolve : words.openAgain}
          </Button>
        )}
        {it.permissions.delete && (
          <Button kind="danger" isBusy={remove.isBusy} onClick={() => void remove.run()}>
            {words.delete}
          </Button>
        )}
      </div>
      <Problem error={resolve.error ?? remove.error} />
      {isReplying && (
        <Writing
          label={words.reply}
          submit={words.reply}
          onCancel={() => setReplying(false)}
          send={async (markdown) => {
            await write(named("replyToChangeRequestComment", params), { params: ids, body: { body: { markdown } } });
            setReplying(false);
          }}
        />
      )}
    </article>
  );
}

/** The page, and the first words of the block, that a comment is about. */
function aboutOf({ target: { page, node } }: Comment): string | undefined {
  if (!page) return undefined;
  return node ? `${page.title ?? ""}: “${node.preview}”` : page.title;
}

function Said({
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
  const words = useWords();
  return (
    <>
      <p class="by">
        <strong>
          <bdi>{by ?? words.formerMember}</bdi>
        </strong>{" "}
        <small>
          <When at={at} />
          {on && ` · ${filled(words.onPage, { page: on })}`}
        </small>
      </p>
      <p class="said" dir="auto">
        {body}
      </p>
    </>
  );
}

function Replies({ params, comment }: { readonly params: Ids; readonly comment: string }) {
  const replies = useList(named("listChangeRequestCommentReplies", params), {
    params: { ...paramsIn(params), commentId: comment },
    query: { format: "markdown" },
  });
  return (
    <ShownList of={replies} empty={null}>
      {(items) => (
        <ul class="replies">
          {items.map(({ id, postedBy, postedAt, body }) => (
            <li key={id}>
              <Said by={postedBy?.displayName} at={postedAt} body={body.markdown ?? ""} />
            </li>
          ))}
        </ul>
      )}
    </ShownList>
  );
}
