// Announces that another user changed the page on the screen, which is already up to date by then.

import { useEffect, useState } from "preact/hooks";
import { useQuery } from "../api/queries";
import { Button } from "../components/button";
import { onEvent } from "../live/event-stream";
import { useMessages } from "../messages/messages";
import type { ContentPlace } from "./content-place";

export function JustChanged({ place, pageId }: { readonly place: ContentPlace; readonly pageId: string }) {
  const messages = useMessages();
  const me = useQuery("getCurrentUser", {});
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
          <p>{messages.changedJustNow}</p>
          <Button onClick={() => tell(false)}>{messages.close}</Button>
        </div>
      )}
    </div>
  );
}
