// The requested reviewers of a change request, and their reviews.

import { useState } from "preact/hooks";
import { useCompleteList } from "../api/complete-list";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { ActionButton } from "../components/action-button";
import { Button } from "../components/button";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError, LoadedRows } from "../components/loaded";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";

/** The roles on a space that include reviewing. */
const REVIEWER_ROLES: ReadonlySet<string> = new Set(["review", "create", "admin"]);

interface ReviewParams {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

export function Reviews({
  params,
  may,
  isOpen,
}: {
  readonly params: ReviewParams;
  readonly may: { readonly edit: boolean; readonly review: boolean };
  readonly isOpen: boolean;
}) {
  const messages = useMessages();
  const reviews = useList("listReviews", { params });
  const requestedReviewers = useList("listRequestedReviewers", { params });
  const people = useCompleteList(
    "listAccessToSpace",
    isOpen && may.edit ? { params: { spaceId: params.spaceId } } : undefined,
  );
  const candidates = people.filter(({ permission }) => REVIEWER_ROLES.has(permission));
  const [user, setUser] = useState("");
  const ask = useAction(async () => {
    await runMutation("requestReviewers", { params, body: { users: [user] } });
    setUser("");
  });
  const [text, setText] = useState("");
  const send = useAction(async (status: "approved" | "changes-requested") => {
    const comment = text.trim() === "" ? {} : { comment: { markdown: text } };
    await runMutation("reviewChangeRequest", { params, body: { status, ...comment } });
    setText("");
  });
  return (
    <section>
      <h2>{messages.reviews.reviews}</h2>
      <LoadedRows of={reviews} empty={messages.reviews.noReviews}>
        {({ status, reviewer, createdAt, outdated }) => (
          <div>
            <strong>
              <bdi>{reviewer.displayName}</bdi>
            </strong>
            <small>
              <RelativeTime at={createdAt} /> {outdated && `· ${messages.reviews.outdatedReview}`}
            </small>
            <span class={`status ${status === "approved" ? "merged" : "draft"}`}>
              {status === "approved" ? messages.reviews.approved : messages.reviews.changesRequested}
            </span>
          </div>
        )}
      </LoadedRows>
      <LoadedRows
        of={requestedReviewers}
        getKey={({ user: reviewer }) => reviewer.id}
        label={messages.reviews.askedReviewers}
      >
        {({ user: reviewer }) => (
          <div>
            <span>
              <bdi>{reviewer.displayName}</bdi> <small>{messages.reviews.isAsked}</small>
            </span>
            {may.edit && (
              <ActionButton
                kind="quiet"
                act={() => runMutation("removeRequestedReviewer", { params: { ...params, userId: reviewer.id } })}
              >
                {messages.reviews.remove}
              </ActionButton>
            )}
          </div>
        )}
      </LoadedRows>
      {isOpen && may.edit && candidates.length > 0 && (
        <Form action={ask} submit={messages.reviews.addReviewer}>
          <Choice
            label={messages.reviews.reviewer}
            value={user}
            onChange={setUser}
            options={[["", "—"], ...candidates.map((it) => [it.user.id, it.user.displayName] as const)]}
            required
          />
        </Form>
      )}
      {isOpen && may.review && (
        <div class="form">
          <TextField
            label={messages.reviews.yourReview}
            hint={messages.reviews.yourReviewHint}
            value={text}
            onChange={setText}
            rows={3}
          />
          <ActionError error={send.error} />
          <div class="buttons">
            <Button kind="first" isBusy={send.isBusy} onClick={() => void send.run("approved")}>
              {messages.changeRequests.approve}
            </Button>
            <Button isBusy={send.isBusy} onClick={() => void send.run("changes-requested")}>
              {messages.changeRequests.requestChanges}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
