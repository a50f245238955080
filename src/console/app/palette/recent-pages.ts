// The pages that a user opened last, stored in this browser for the command palette.

export interface RecentPage {
  readonly href: string;
  readonly title: string;
}

/** The most pages that are remembered for a user. */
const MAX_PAGES = 12;

const getStorageKey = (user: string) => `octavo-recent ${user}`;

/** Returns the pages that a user opened last, the most recent first. */
export function listRecentPages(user: string): readonly RecentPage[] {
  try {
    return JSON.parse(localStorage.getItem(getStorageKey(user)) ?? "[]") as RecentPage[];
  } catch {
    return [];
  }
}

/** Puts a page in front of the recent pages of a user. */
export function rememberPage(user: string, page: RecentPage): void {
  const pages = [page, ...listRecentPages(user).filter(({ href }) => href !== page.href)];
  try {
    localStorage.setItem(getStorageKey(user), JSON.stringify(pages.slice(0, MAX_PAGES)));
  } catch {
    // A browser without storage has no recent pages.
  }
}
