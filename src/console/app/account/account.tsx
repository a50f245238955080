// A person's own things: tokens for programs, the browsers that are signed in, one's data, and the end of the account.

import { useLocation } from "preact-iso/router";
import { useRead } from "../calls/reads";
import { surroundings } from "../calls/surroundings";
import { write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { PageHead } from "../parts/page-head";
import { Shown } from "../parts/shown";
import { addresses } from "../routes";
import { useWords } from "../words/words";
import { Sessions } from "./sessions";
import { Tokens } from "./tokens";

export function Account() {
  const words = useWords();
  const { route } = useLocation();
  const user = useRead("getCurrentUser", {});
  return (
    <Shown of={user}>
      {({ displayName, email }) => (
        <div class="page narrow">
          <PageHead title={displayName} />
          <p>{email}</p>
          <Tokens />
          <Sessions />
          <section>
            <h2>{words.yourData}</h2>
            <p>
              <a href={`${surroundings.api}/v1/user/export`} download>
                {words.downloadYourData}
              </a>
            </p>
          </section>
          <section>
            <h2>{words.endAccount}</h2>
            <div class="buttons">
              <Confirm
                label={words.leaveAll}
                question={words.leaveAllWhy}
                act={async () => {
                  await write("leaveOrganizations", {});
                  route(addresses.home());
                }}
              />
              <Confirm
                label={words.eraseAccount}
                question={words.eraseAccountWhy}
                act={async () => {
                  await write("eraseCurrentUser", {});
                  location.assign(surroundings.signIn);
                }}
              />
            </div>
          </section>
        </div>
      )}
    </Shown>
  );
}
