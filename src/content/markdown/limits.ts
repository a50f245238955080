// The limits that keep reading and writing linear and shallow. What goes beyond one is read as plain text; nothing throws.

/** The longest text, in UTF-16 units, that callers should let in. */
export const MAX_TEXT_LENGTH = 1 << 20;

/** Quotes, list items and footnotes that may be open inside one another; markers of deeper ones are text. */
export const MAX_CONTAINERS = 24;

/** Tags and `<details>` that may be open inside one another between two containers; deeper ones stand alone. */
export const MAX_TAG_DEPTH = 12;

/** Emphasis, links and images inside one another; marks around deeper ones are text. */
export const MAX_INLINE_DEPTH = 24;

/** The longest label of a link or a footnote, as CommonMark has it. */
export const MAX_LABEL_LENGTH = 999;

/** Open parentheses in a link's target. */
export const MAX_PARENTHESES = 32;

/** The longest run of `$` that opens a formula. */
export const MAX_DOLLARS = 8;

/**
 * How much of a text becomes a document: an inline counts once, a block, a row or a cell four times. From the block on that
 * is beyond, the rest is one paragraph of plain text. A megabyte of prose has about 120,000.
 */
export const MAX_NODES = 140_000;
