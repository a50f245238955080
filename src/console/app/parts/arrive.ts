// What happens to the focus when another page is opened. What was pressed may be gone with the page before: then the new page
// has the focus, so that the next key goes on there and not at the top.

import { tell } from "./told";

let isFirst = true;

/** A page of this title is there. */
export function arriveAt(title: string): void {
  document.title = `${title} · Octavo`;
  // The browser itself tells of the page that it opens.
  if (!isFirst) {
    tell(title);
    if (document.activeElement === document.body) document.getElementById("content")?.focus();
  }
  isFirst = false;
}
