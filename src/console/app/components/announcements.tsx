// Announcements for screen readers, one sentence at a time, in one live region of the page.

import { createStore, useStore } from "../api/value-store";

const announcement = createStore("");

/** Announces a sentence. */
export const announce = (sentence: string): void => announcement.set(sentence);

/** The live region. It exists once per page. */
export function Announcements() {
  return (
    <p class="unseen" role="status">
      {useStore(announcement)}
    </p>
  );
}
