// How large a document may be that comes from outside.

/** How deep nodes may stand inside one another. */
export const MAX_DOCUMENT_DEPTH = 64;

/** How many nodes there may be: blocks, fragments, inlines, texts and leaves. */
export const MAX_DOCUMENT_NODES = 50_000;

/** How many columns a table may have. */
export const MAX_COLUMNS = 500;
