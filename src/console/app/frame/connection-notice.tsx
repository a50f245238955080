// What is wrong with the connection or with the session. Neither takes anything from the page, so nothing typed is lost.

import { connection } from "../calls/client";
import { refreshAll } from "../calls/reads";
import { useStore } from "../calls/store";
import { surroundings } from "../calls/surroundings";
import { Button } from "../parts/button";
import { useWords } from "../words/words";

export function ConnectionNotice() {
  const words = useWords();
  const state = useStore(connection);
  if (state === "good") return null;
  const again = <Button onClick={() => void refreshAll()}>{state === "lost" ? words.tryAgain : words.goOn}</Button>;
  return (
    <div class="notice" role="alert">
      {state === "lost" ? (
        <p>{words.connectionLost}</p>
      ) : (
        <p>
          <strong>{words.signedOut}.</strong> {words.signedOutWhy}{" "}
          <a href={surroundings.signIn} target="_blank" rel="noopener">
            {words.signInAgain}
          </a>
        </p>
      )}
      {again}
    </div>
  );
}
