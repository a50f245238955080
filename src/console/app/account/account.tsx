// The account page: API tokens, sessions, the export of personal data, and the end of the account.

import { useLocation } from "preact-iso/router";
import type { Session } from "../../../generated/resources";
import { pageConfig, runMutation, useList, useQuery } from "../api/api";
import { ActionButton, Confirm } from "../components/confirm";
import { Loaded, LoadedRows, PageHead, RelativeTime } from "../components/page";
import { fillMessage, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { Tokens } from "./tokens";

export function Account() {
  const messages = useMessages();
  const { route } = useLocation();
  const user = useQuery("getCurrentUser", {});
  const sessions = useList("listSessions", {});
  const signInMethods: Readonly<Record<Session["by"], string>> = {
    saml: messages.bySaml,
    "openid-connect": messages.byOpenId,
    email: messages.byMail,
    link: messages.byLink,
  };
  return (
    <Loaded of={user}>
      {({ displayName, email }) => (
        <div class="page narrow">
          <PageHead title={displayName} />
          <p>{email}</p>
          <Tokens />
          <section>
            {/* The browsers in which the user is signed in. */}
            <h2>{messages.sessions}</h2>
            <LoadedRows of={sessions}>
              {(it) => (
                <div>
                  <span>
                    {it.current ? (
                      <strong>{messages.thisBrowser}</strong>
                    ) : (
                      <bdi>{it.userAgent ?? messages.unknownBrowser}</bdi>
                    )}
                    <br />
                    <small>
                      {fillMessage(messages.signedInBy, { how: signInMethods[it.by] })} ·{" "}
                      {it.address !== undefined && `${it.address} · `}
                      <RelativeTime at={it.lastSeenAt} sentence={messages.lastSeen} /> ·{" "}
                      <RelativeTime at={it.expiresAt} sentence={messages.sessionEnds} />
                    </small>
                  </span>
                  {!it.current && (
                    <ActionButton act={() => runMutation("endSession", { params: { sessionId: it.id } })}>
                      {messages.endSession}
                    </ActionButton>
                  )}
                </div>
              )}
            </LoadedRows>
            <p>
              <Confirm
                label={messages.endAll}
                question={messages.endAllWhy}
                act={() => runMutation("endSessions", {})}
              />
            </p>
          </section>
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
