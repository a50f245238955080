// What people say about a change request: comments with their replies, open ones first.

import { useState } from "preact/hooks";
import type { Comment } from "../../../generated/resources";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Problem, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { filled, useWords } from "../words/words";

interface Ids {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

export function Discussion({ params, mayComment }: { readonly params: Ids; readonly mayComment: boolean }) {
  const words = useWords();
  const [status, setStatus] = useState<"open" | "resolved" | "all">("open");
  const comments = useList("listChangeRequestComments", { params, query: { status, format: "markdown" } });
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
      {mayComment && <NewComment params={params} />}
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

function NewComment({ params }: { readonly params: Ids }) {
  const words = useWords();
  return (
    <Writing
      label={words.newComment}
      submit={words.postComment}
      send={(markdown) => write("postCommentOnChangeRequest", { params, body: { body: { markdown } } })}
    />
  );
}

function OneComment({ params, it }: { readonly params: Ids; readonly it: Comment }) {
  const words = useWords();
  const [isReplying, setReplying] = useState(false);
  const ids = { ...params, commentId: it.id };
  const resolve = useAction(() =>
    write("updateChangeRequestComment", { params: ids, body: { resolved: it.status === "open" } }),
  );
  const remove = useAction(() => write("deleteChangeRequestComment", { params: ids }));
  return (
    <article class="comment" data-status={it.status}>
      <Said by={it.postedBy?.displayName} at={it.postedAt} body={it.body.markdown ?? ""} on={aboutOf(it)} />
      {it.replies > 0 && <Replies ids={ids} />}
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
            await write("replyToChangeRequestComment", { params: ids, body: { body: { markdown } } });
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

function Replies({ ids }: { readonly ids: Ids & { readonly commentId: string } }) {
  const replies = useList("listChangeRequestCommentReplies", { params: ids, query: { format: "markdown" } });
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
