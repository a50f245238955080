// Says that somebody else has changed the page which is read. What is shown is new by then.

import { useEffect, useState } from "preact/hooks";
import { useRead } from "../calls/reads";
import { onEvent } from "../live/stream";
import { Button } from "../parts/button";
import { useWords } from "../words/words";
import type { Place } from "./place";

export function JustChanged({ place, pageId }: { readonly place: Place; readonly pageId: string }) {
  const words = useWords();
  const me = useRead("getCurrentUser", {});
  const own = me.state === "had" ? me.value.id : undefined;
  const [isTold, tell] = useState(false);
  useEffect(
    () =>
      onEvent((event) => {
        const isHere =
          "content" in event && event.content?.space === place.space && event.content.pages.includes(pageId);
        const isOfRequest = "content" in event && event.content?.changeRequest !== undefined;
        const isOwn = event.type === "changed" && event.by.id === own;
        if (isHere && isOfRequest === (place.changeRequest !== undefined) && !isOwn) tell(true);
      }),
    [pageId, own],
  );
  return (
    <div role="status">
      {isTold && (
        <div class="notice">
          <p>{words.changedJustNow}</p>
          <Button onClick={() => tell(false)}>{words.close}</Button>
        </div>
      )}
    </div>
  );
}
