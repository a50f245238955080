// The limits that keep parsing and writing linear and shallow. Text beyond a limit is read as plain text; nothing throws.

/** The longest text, in UTF-16 units, that callers should accept. */
export const MAX_TEXT_LENGTH = 1 << 20;

/** The maximum depth of nested block quotes, list items and footnotes; markers of deeper ones are text. */
export const MAX_CONTAINERS = 24;

/** The maximum depth of nested tags and `<details>` in a container; deeper ones have no content. */
export const MAX_TAG_DEPTH = 12;

/** The maximum depth of nested emphasis, links and images; delimiters around deeper ones are text. */
export const MAX_INLINE_DEPTH = 24;

/** The longest link or footnote label, as CommonMark defines it. */
export const MAX_LABEL_LENGTH = 999;

/** The maximum depth of nested parentheses in a link destination. */
export const MAX_PARENTHESES = 32;

/** The longest run of `$` that opens a formula. */
export const MAX_DOLLARS = 8;

/**
 * The maximum size of a document: an inline counts once, a block, a row or a cell four times. From the block that exceeds it,
 * the rest of the text is one paragraph of plain text. A megabyte of prose has about 120,000.
 */
export const MAX_NODES = 140_000;
