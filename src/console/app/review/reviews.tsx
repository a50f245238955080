// Who is asked to look at a change request, and what they said.

import { useState } from "preact/hooks";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Problem, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { useWords } from "../words/words";

interface Ids {
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
  readonly params: Ids;
  readonly may: { readonly edit: boolean; readonly review: boolean };
  readonly isOpen: boolean;
}) {
  const words = useWords();
  const reviews = useList("listReviews", { params });
  const asked = useList("listRequestedReviewers", { params });
  return (
    <section>
      <h2>{words.reviews}</h2>
      <ShownList of={reviews} empty={<p>{words.noReviews}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ id, status, reviewer, createdAt, outdated }) => (
              <li key={id}>
                <div>
                  <strong>
                    <bdi>{reviewer.displayName}</bdi>
                  </strong>
                  <small>
                    <When at={createdAt} /> {outdated && `· ${words.outdatedReview}`}
                  </small>
                  <span class={`status ${status === "approved" ? "merged" : "draft"}`}>
                    {status === "approved" ? words.approved : words.changesRequested}
                  </span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      <ShownList of={asked} empty={null}>
        {(items) => (
          <ul class="rows" aria-label={words.askedReviewers}>
            {items.map(({ user }) => (
              <li key={user.id}>
                <Asked params={params} user={user} mayEdit={may.edit} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      {isOpen && may.edit && <AskSomebody organization={organization} params={params} />}
      {isOpen && may.review && <OwnReview params={params} />}
    </section>
  );
}

function Asked({
  params,
  user,
  mayEdit,
}: {
  readonly params: Ids;
  readonly user: { readonly id: string; readonly displayName: string };
  readonly mayEdit: boolean;
}) {
  const words = useWords();
  const remove = useAction(() => write("removeRequestedReviewer", { params: { ...params, userId: user.id } }));
  return (
    <div>
      <span>
        <bdi>{user.displayName}</bdi> <small>{words.isAsked}</small>
      </span>
      {mayEdit && (
        <Button kind="quiet" isBusy={remove.isBusy} onClick={() => void remove.run()}>
          {words.remove}
        </Button>
      )}
      <Problem error={remove.error} />
    </div>
  );
}

function AskSomebody({ organization, params }: { readonly organization: string; readonly params: Ids }) {
  const words = useWords();
  const { reading } = useList("listMembers", { params: { organizationId: organization } });
  const [user, setUser] = useState("");
  const ask = useAction(async () => {
    await write("requestReviewers", { params, body: { users: [user] } });
    setUser("");
  });
  if (reading.state !== "had") return null;
  return (
    <Form action={ask} submit={words.askForReview}>
      <Choice
        label={words.reviewer}
        value={user}
        onChange={setUser}
        options={[["", "—"], ...reading.value.map((it) => [it.user.id, it.user.displayName] as const)]}
      />
    </Form>
  );
}

function OwnReview({ params }: { readonly params: Ids }) {
  const words = useWords();
  const [text, setText] = useState("");
  const send = useAction(async (status: "approved" | "changes-requested") => {
    const comment = text.trim() === "" ? {} : { comment: { markdown: text } };
    await write("reviewChangeRequest", { params, body: { status, ...comment } });
    setText("");
  });
  return (
    <div class="form">
      <TextField label={words.yourReview} hint={words.yourReviewHint} value={text} onInput={setText} rows={3} />
      <Problem error={send.error} />
      <div class="buttons">
        <Button kind="first" isBusy={send.isBusy} onClick={() => void send.run("approved")}>
          {words.approve}
        </Button>
        <Button isBusy={send.isBusy} onClick={() => void send.run("changes-requested")}>
          {words.requestChanges}
        </Button>
      </div>
    </div>
  );
}
