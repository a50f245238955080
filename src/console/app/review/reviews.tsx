// The requested reviewers of a change request, and their reviews.

import { runMutation, useAction, useList } from "../api/api";
import { useField } from "../api/fields";
import { Button } from "../components/button";
import { ActionButton } from "../components/confirm";
import { Choice, Form, TextField } from "../components/fields";
import { ActionError, LoadedRows, RelativeTime } from "../components/page";
import { useMessages } from "../messages/messages";

interface ReviewParams {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

export function Reviews({
  organization,
  params,
  may,
  isOpen,
}: {
  readonly organization: string;
  readonly params: ReviewParams;
  readonly may: { readonly edit: boolean; readonly review: boolean };
  readonly isOpen: boolean;
}) {
  const messages = useMessages();
  const reviews = useList("listReviews", { params });
  const requestedReviewers = useList("listRequestedReviewers", { params });
  const candidates = useList(
    "listMembers",
    isOpen && may.edit ? { params: { organizationId: organization } } : undefined,
  );
  const user = useField("");
  const ask = useAction(async () => {
    await runMutation("requestReviewers", { params, body: { users: [user.value] } });
    user.onChange("");
  });
  const text = useField("");
  const send = useAction(async (status: "approved" | "changes-requested") => {
    const comment = text.value.trim() === "" ? {} : { comment: { markdown: text.value } };
    await runMutation("reviewChangeRequest", { params, body: { status, ...comment } });
    text.onChange("");
  });
  return (
    <section>
      <h2>{messages.reviews}</h2>
      <LoadedRows of={reviews} empty={messages.noReviews}>
        {({ status, reviewer, createdAt, outdated }) => (
          <div>
            <strong>
              <bdi>{reviewer.displayName}</bdi>
            </strong>
            <small>
              <RelativeTime at={createdAt} /> {outdated && `· ${messages.outdatedReview}`}
            </small>
            <span class={`status ${status === "approved" ? "merged" : "draft"}`}>
              {status === "approved" ? messages.approved : messages.changesRequested}
            </span>
          </div>
        )}
      </LoadedRows>
      <LoadedRows of={requestedReviewers} getKey={({ user: reviewer }) => reviewer.id} label={messages.askedReviewers}>
        {({ user: reviewer }) => (
          <div>
            <span>
              <bdi>{reviewer.displayName}</bdi> <small>{messages.isAsked}</small>
            </span>
            {may.edit && (
              <ActionButton
                kind="quiet"
                act={() => runMutation("removeRequestedReviewer", { params: { ...params, userId: reviewer.id } })}
              >
                {messages.remove}
              </ActionButton>
            )}
          </div>
        )}
      </LoadedRows>
      {isOpen && may.edit && candidates.reading.state === "loaded" && (
        <Form action={ask} submit={messages.askForReview}>
          <Choice
            label={messages.reviewer}
            {...user}
            options={[["", "—"], ...candidates.reading.value.map((it) => [it.user.id, it.user.displayName] as const)]}
          />
        </Form>
      )}
      {isOpen && may.review && (
        <div class="form">
          <TextField label={messages.yourReview} hint={messages.yourReviewHint} {...text} rows={3} />
          <ActionError error={send.error} />
          <div class="buttons">
            <Button kind="first" isBusy={send.isBusy} onClick={() => void send.run("approved")}>
              {messages.approve}
            </Button>
            <Button isBusy={send.isBusy} onClick={() => void send.run("changes-requested")}>
              {messages.requestChanges}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
