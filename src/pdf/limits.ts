// The limits of a printed document. Exceeding one ends with a note in the document, never with an error.

/** Sheets of paper in one file, the title and the contents among them. */
export const MAX_SHEETS = 2_000;

/** Sheets of one page of the content. */
export const MAX_PAGE_SHEETS = 120;

/** Bytes of the file, without its fonts. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** Pages and groups that are printed. */
export const MAX_PAGES = 10_000;

/** The depth of nested blocks. Deeper blocks are printed as plain text. */
export const MAX_DEPTH = 24;

/** Characters of a block that is printed as plain text. */
export const MAX_PLAIN = 20_000;

/** Lines of a paragraph or of a block of code: more than fit on all sheets. */
export const MAX_LINES = 150_000;

/** Characters of a title, a name or a label: of a page, a column, a tab, a file. */
export const MAX_TITLE = 500;

/** Columns of a table that are printed. */
export const MAX_COLUMNS = 100;

/** Distinct pictures in one file. */
export const MAX_IMAGES = 2_000;

/** Bytes of one picture as it is stored. */
export const MAX_IMAGE_BYTES = 24 * 1024 * 1024;

/** Bytes of one picture and of its opacity, unpacked. A picture is never in memory as a whole, unless it is interlaced. */
export const MAX_IMAGE_RASTER = 96 * 1024 * 1024;

/** Bytes of one picture that is interlaced: its rows come in seven passes, so all of them are in memory at once. */
export const MAX_INTERLACED_RASTER = 16 * 1024 * 1024;

/**
 * Bytes that are processed for the pictures of one page: those that are unpacked, and again those that are filtered or
 * packed anew. Strangers can cause this work, because a published site prints single pages.
 */
export const MAX_PAGE_PICTURE_WORK = 640 * 1024 * 1024;

/** Bytes that are processed for all pictures of a file. */
export const MAX_FILE_PICTURE_WORK = 8 * 1024 * 1024 * 1024;

/** Pixels along one side of a picture. */
export const MAX_IMAGE_SIDE = 65_535;

/** Characters of a URL; readers refuse longer ones. */
export const MAX_URL = 2_048;
