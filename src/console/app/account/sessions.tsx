// The browsers in which a person is signed in.

import type { Session } from "../../../generated/resources";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { Problem, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { filled, useWords, type Words } from "../words/words";

export function Sessions() {
  const words = useWords();
  const sessions = useList("listSessions", {});
  return (
    <section>
      <h2>{words.sessions}</h2>
      <ShownList of={sessions} empty={null}>
        {(items) => (
          <ul class="rows">
            {items.map((it) => (
              <li key={it.id}>
                <OneSession it={it} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
      <p>
        <Confirm label={words.endAll} question={words.endAllWhy} act={() => write("endSessions", {})} />
      </p>
    </section>
  );
}

function OneSession({ it }: { readonly it: Session }) {
  const words = useWords();
  const end = useAction(() => write("endSession", { params: { sessionId: it.id } }));
  return (
    <div>
      <span>
        {it.current ? <strong>{words.thisBrowser}</strong> : <bdi>{it.userAgent ?? words.unknownBrowser}</bdi>}
        <br />
        <small>
          {filled(words.signedInBy, { how: wayIn(words, it.by) })} · {it.address !== undefined && `${it.address} · `}
          <When at={it.lastSeenAt} sentence={words.lastSeen} /> ·{" "}
          <When at={it.expiresAt} sentence={words.sessionEnds} />
        </small>
      </span>
      {!it.current && (
        <Button isBusy={end.isBusy} onClick={() => void end.run()}>
          {words.endSession}
        </Button>
      )}
      <Problem error={end.error} />
    </div>
  );
}

function wayIn(words: Words, by: Session["by"]): string {
  return { saml: words.bySaml, "openid-connect": words.byOpenId, email: words.byMail, link: words.byLink }[by];
}
