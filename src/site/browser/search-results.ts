// The results of a search as the search dialog gets them, and the pages that an exported site searches without a server.

export interface SearchResultSection {
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

export interface SearchResult extends SearchResultSection {
  readonly space: string;
  readonly sections: readonly SearchResultSection[];
}

/** A page of the index. `href` is the URL of its file below the site, and `space` the title of its site-space. */
export type SearchIndexPage = readonly [
  title: string,
  href: string,
  space: string,
  sections: readonly SearchIndexSection[],
];

/** The text below a heading. The text before the first heading has the title of the page and no anchor. */
export type SearchIndexSection = readonly [title: string, anchor: string, text: string];

/** The names by which an export, the script that searches it and the search dialog find each other. */
export interface StaticSearchGlobals {
  readonly octavoPages: readonly SearchIndexPage[];
  octavoSearch: (query: string) => readonly SearchResult[];
}
