// Announces a page that was opened, and moves the focus to it if the focused element is gone, so that the next key works there.

import { announce } from "./announcements";

let isFirstPage = true;

/** Sets the title of the document and announces the page to screen readers. */
export function notifyPageChange(title: string): void {
  document.title = `${title} · Octavo`;
  // The browser itself announces the first page.
  if (!isFirstPage) {
    announce(title);
    if (document.activeElement === document.body) document.getElementById("content")?.focus();
  }
  isFirstPage = false;
}
