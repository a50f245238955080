// Announcements for screen readers, one sentence at a time, in one live region of the page. A page that was opened is announced, and
// gets the focus if the focused element is gone, so that the next key works there.

import { createStore, useStore } from "../api/value-store";

const announcement = createStore("");
/** The title of the open page. */
export const pageTitleStore = createStore("");

/** The live region. It exists once per page. */
export function Announcements() {
  return (
    <p class="unseen" role="status">
      {useStore(announcement)}
    </p>
  );
}

let isFirstPage = true;

/** Sets the title of the document and announces the page to screen readers. */
export function notifyPageChange(title: string): void {
  document.title = `${title} · Octavo`;
  pageTitleStore.set(title);
  // The browser itself announces the first page.
  if (!isFirstPage) {
    announcement.set(title);
    if (document.activeElement === document.body) document.getElementById("content")?.focus();
  }
  isFirstPage = false;
}
