// Reports a lost connection or an ended session. The page stays as it is, so that nothing typed is lost.

import { connectionStore } from "../api/client";
import { pageConfig } from "../api/page-config";
import { refreshAllQueries } from "../api/queries";
import { useStore } from "../api/value-store";
import { Button } from "../components/button";
import { useMessages } from "../messages/messages";

export function ConnectionNotice() {
  const messages = useMessages();
  const state = useStore(connectionStore);
  if (state === "good") return null;
  const again = (
    <Button onClick={() => void refreshAllQueries()}>{state === "lost" ? messages.tryAgain : messages.goOn}</Button>
  );
  return (
    <div class="notice" role="alert">
      {state === "lost" ? (
        <p>{messages.connectionLost}</p>
      ) : (
        <p>
          <strong>{messages.signedOut}.</strong> {messages.signedOutWhy}{" "}
          <a href={pageConfig.signIn} target="_blank" rel="noopener">
            {messages.signInAgain}
          </a>
        </p>
      )}
      {again}
    </div>
  );
}
