// What somebody has typed and not saved yet, kept in this browser. It outlives a closed tab, a crash and an ended session.

import type { Place } from "../space/place";

/** The fields of a page that the editor has beside the text. */
export interface Fields {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly emoji: string;
  readonly icon: string;
  readonly condition: string;
  readonly hidden: boolean;
  readonly noIndex: boolean;
}

/** What was typed, and what it was typed on. */
export interface Draft {
  readonly base: { readonly markdown: string; readonly fields: Fields };
  readonly head: string;
  readonly body: string;
  readonly fields: Fields;
}

const keyOf = ({ space, changeRequest = "" }: Place, pageId: string) =>
  `octavo-draft ${space} ${changeRequest} ${pageId}`;

/** Keeps a draft. False: the browser has no room for it. */
export function keepDraft(place: Place, pageId: string, draft: Draft): boolean {
  try {
    localStorage.setItem(keyOf(place, pageId), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function draftOf(place: Place, pageId: string): Draft | undefined {
  try {
    const kept = localStorage.getItem(keyOf(place, pageId));
    return kept === null ? undefined : (JSON.parse(kept) as Draft);
  } catch {
    return undefined;
  }
}

export function dropDraft(place: Place, pageId: string): void {
  try {
    localStorage.removeItem(keyOf(place, pageId));
  } catch {
    // A browser that keeps nothing has nothing to drop.
  }
}
