// The browsers in which the user is signed in.

import type { Session } from "../../../generated/resources";
import { runMutation, useAction } from "../api/mutations";
import { useList } from "../api/queries";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { ActionError, LoadedList } from "../components/loaded";
import { RelativeTime } from "../components/relative-time";
import { fillMessage, useMessages } from "../messages/messages";

export function Sessions() {
  const messages = useMessages();
  const sessions = useList("listSessions", {});
  return (
    <section>
      <h2>{messages.sessions}</h2>
      <LoadedList of={sessions} empty={null}>
        {(items) => (
          <ul class="rows">
            {items.map((it) => (
              <li key={it.id}>
                <SessionRow it={it} />
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
      <p>
        <Confirm label={messages.endAll} question={messages.endAllWhy} act={() => runMutation("endSessions", {})} />
      </p>
    </section>
  );
}

function SessionRow({ it }: { readonly it: Session }) {
  const messages = useMessages();
  const signInMethods: Readonly<Record<Session["by"], string>> = {
    saml: messages.bySaml,
    "openid-connect": messages.byOpenId,
    email: messages.byMail,
    link: messages.byLink,
  };
  const end = useAction(() => runMutation("endSession", { params: { sessionId: it.id } }));
  return (
    <div>
      <span>
        {it.current ? <strong>{messages.thisBrowser}</strong> : <bdi>{it.userAgent ?? messages.unknownBrowser}</bdi>}
        <br />
        <small>
          {fillMessage(messages.signedInBy, { how: signInMethods[it.by] })} ·{" "}
          {it.address !== undefined && `${it.address} · `}
          <RelativeTime at={it.lastSeenAt} sentence={messages.lastSeen} /> ·{" "}
          <RelativeTime at={it.expiresAt} sentence={messages.sessionEnds} />
        </small>
      </span>
      {!it.current && (
        <Button isBusy={end.isBusy} onClick={() => void end.run()}>
          {messages.endSession}
        </Button>
      )}
      <ActionError error={end.error} />
    </div>
  );
}
