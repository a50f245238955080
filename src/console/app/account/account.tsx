// A person's own things: tokens for programs, and the browsers that are signed in.

import { useState } from "preact/hooks";
import { useList, useRead } from "../calls/reads";
import { surroundings } from "../calls/surroundings";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { ShownOnce } from "../parts/once";
import { PageHead } from "../parts/page-head";
import { Problem, Shown, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { useWords } from "../words/words";

export function Account() {
  const words = useWords();
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
        </div>
      )}
    </Shown>
  );
}

function Tokens() {
  const words = useWords();
  const tokens = useList("listTokens", {});
  const [label, setLabel] = useState("");
  const [made, setMade] = useState<string>();
  const make = useAction(async () => {
    const { token } = await write("createToken", { body: { label } });
    setMade(token);
    setLabel("");
  });
  return (
    <section>
      <h2>{words.tokens}</h2>
      <p>{words.tokensWhy}</p>
      {made !== undefined && <ShownOnce label={words.newToken} value={made} />}
      <ShownList of={tokens} empty={<p>{words.noTokens}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map(({ id, label: name, createdAt, expiresAt }) => (
              <li key={id}>
                <div>
                  <span>
                    <strong>
                      <bdi>{name}</bdi>
                    </strong>{" "}
                    <small>
                      <When at={createdAt} />
                      {expiresAt !== null && (
                        <>
                          {" · "}
                          <When at={expiresAt} sentence={words.ends} />
                        </>
                      )}
                    </small>
                  </span>
                  <Confirm
                    label={words.revoke}
                    question={words.revokeWhy}
                    act={() => write("revokeToken", { params: { tokenId: id } })}
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      <Form action={make} submit={words.create}>
        <TextField label={words.newTokenLabel} value={label} onInput={setLabel} required maxLength={255} />
      </Form>
    </section>
  );
}

function Sessions() {
  const words = useWords();
  const sessions = useList("listSessions", {});
  const end = useAction((id: string) => write("endSession", { params: { sessionId: id } }));
  return (
    <section>
      <h2>{words.sessions}</h2>
      <Problem error={end.error} />
      <ShownList of={sessions} empty={null}>
        {(items) => (
          <ul class="rows">
            {items.map(({ id, current, lastSeenAt, userAgent, address }) => (
              <li key={id}>
                <div>
                  <span>
                    {current ? <strong>{words.thisBrowser}</strong> : <bdi>{userAgent ?? words.unknownBrowser}</bdi>}{" "}
                    <small>
                      {address} · <When at={lastSeenAt} sentence={words.lastSeen} />
                    </small>
                  </span>
                  {!current && (
                    <Button isBusy={end.isBusy} onClick={() => void end.run(id)}>
                      {words.endSession}
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      <Confirm label={words.endAll} question={words.endAllWhy} act={() => write("endSessions", {})} />
    </section>
  );
}
