// The name of the search index, for pages that load it. The index itself is only loaded for an export.

/** The file of the search index of an export. */
export const SEARCH_INDEX_FILE = "search.js";
