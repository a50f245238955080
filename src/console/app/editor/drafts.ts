// Unsaved drafts of pages, stored in this browser. They survive a closed tab, a crash and an ended session.

import type { ContentPlace } from "../space/content-place";

/** The fields of a page that the editor shows beside the text. */
export interface PageFieldValues {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly emoji: string;
  readonly icon: string;
  readonly condition: string;
  readonly hidden: boolean;
  readonly noIndex: boolean;
}

/** An edited page, and the version that it is based on. */
export interface PageDraft {
  readonly base: { readonly markdown: string; readonly fields: PageFieldValues };
  readonly head: string;
  readonly body: string;
  readonly fields: PageFieldValues;
}

const getDraftKey = ({ space, changeRequest = "" }: ContentPlace, pageId: string) =>
  `octavo-draft ${space} ${changeRequest} ${pageId}`;

/** The drafts in the storage of the browser. */
export const drafts = {
  /** Stores a draft. Returns false if the browser has no room for it. */
  save(place: ContentPlace, pageId: string, draft: PageDraft): boolean {
    try {
      localStorage.setItem(getDraftKey(place, pageId), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  },

  load(place: ContentPlace, pageId: string): PageDraft | undefined {
    try {
      const stored = localStorage.getItem(getDraftKey(place, pageId));
      return stored === null ? undefined : (JSON.parse(stored) as PageDraft);
    } catch {
      return undefined;
    }
  },

  delete(place: ContentPlace, pageId: string): void {
    try {
      localStorage.removeItem(getDraftKey(place, pageId));
    } catch {
      // A browser without storage has nothing to delete.
    }
  },
};
