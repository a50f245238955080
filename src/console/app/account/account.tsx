// The account page: API tokens, sessions, the export of personal data, and the end of the account.

import { useLocation } from "preact-iso/router";
import { runMutation } from "../api/mutations";
import { pageConfig } from "../api/page-config";
import { useQuery } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { Sessions } from "./sessions";
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
