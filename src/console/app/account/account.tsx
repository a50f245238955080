// The account page: API tokens, sessions, the export of personal data, and the end of the account.

import { useLocation } from "preact-iso/router";
import type { Session } from "../../../generated/resources";
import { runMutation, useAction } from "../api/mutations";
import { pageConfig } from "../api/page-config";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { ActionError, Loaded, LoadedList } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { fillMessage, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { Tokens } from "./tokens";

export function Account() {
  const messages = useMessages();
  const { route } = useLocation();
  const user = useQuery("getCurrentUser", {});
  return (
    <Loaded of={user}>
      {({ displayName, email }) => (
        <div class="page narrow">
          <PageHead title={displayName} />
          <p>{email}</p>
          <Tokens />
          <Sessions />
          <section>
            <h2>{messages.yourData}</h2>
            <p>
              <a href={`${pageConfig.api}/v1/user/export`} download>
                {messages.downloadYourData}
              </a>
            </p>
          </section>
          <section>
            <h2>{messages.endAccount}</h2>
            <div class="buttons">
              <Confirm
                label={messages.leaveAll}
                question={messages.leaveAllWhy}
                act={async () => {
                  await runMutation("leaveOrganizations", {});
                  route(addresses.home());
                }}
              />
              <Confirm
                label={messages.eraseAccount}
                question={messages.eraseAccountWhy}
                act={async () => {
                  await runMutation("eraseCurrentUser", {});
                  location.assign(pageConfig.signIn);
                }}
              />
            </div>
          </section>
        </div>
      )}
    </Loaded>
  );
}

/** The browsers in which the user is signed in. */
function Sessions() {
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
