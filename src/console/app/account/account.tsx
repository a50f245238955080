// The account page: API tokens, sessions, the export of personal data, and the end of the account.

import { useLocation } from "preact-iso/router";
import type { Session } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { runMutation } from "../api/mutations";
import { pageConfig } from "../api/page-config";
import { useList, useQuery } from "../api/queries";
import { ActionButton } from "../components/action-button";
import { Confirm } from "../components/confirm";
import { Loaded, LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { Tokens } from "./tokens";

export function Account() {
  const messages = useMessages();
  const { route } = useLocation();
  const user = useQuery("getCurrentUser", {});
  const sessions = useList("listSessions", {});
  const signInMethods: Readonly<Record<Session["by"], string>> = {
    saml: messages.account.bySaml,
    "openid-connect": messages.account.byOpenId,
    email: messages.account.byMail,
    link: messages.account.byLink,
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
            <h2>{messages.account.sessions}</h2>
            <LoadedRows of={sessions}>
              {(it) => (
                <div>
                  <span>
                    {it.current ? (
                      <strong>{messages.account.thisBrowser}</strong>
                    ) : (
                      <bdi>{it.userAgent ?? messages.account.unknownBrowser}</bdi>
                    )}
                    <br />
                    <small>
                      {formatMessage(messages.account.signedInBy, { how: signInMethods[it.by] })} ·{" "}
                      {it.address !== undefined && `${it.address} · `}
                      <RelativeTime at={it.lastSeenAt} sentence={messages.people.lastSeen} /> ·{" "}
                      <RelativeTime at={it.expiresAt} sentence={messages.account.sessionEnds} />
                    </small>
                  </span>
                  {!it.current && (
                    <ActionButton act={() => runMutation("endSession", { params: { sessionId: it.id } })}>
                      {messages.account.endSession}
                    </ActionButton>
                  )}
                </div>
              )}
            </LoadedRows>
            <p>
              <Confirm
                label={messages.account.endAll}
                question={messages.account.endAllWhy}
                act={() => runMutation("endSessions", {})}
              />
            </p>
          </section>
          <section>
            <h2>{messages.account.yourData}</h2>
            <p>
              <a href={`${pageConfig.api}/v1/user/export`} download>
                {messages.account.downloadYourData}
              </a>
            </p>
          </section>
          <section>
            <h2>{messages.account.endAccount}</h2>
            <div class="buttons">
              <Confirm
                label={messages.account.leaveAll}
                question={messages.account.leaveAllWhy}
                act={async () => {
                  await runMutation("leaveOrganizations", {});
                  route(addresses.home());
                }}
              />
              <Confirm
                label={messages.account.eraseAccount}
                question={messages.account.eraseAccountWhy}
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
