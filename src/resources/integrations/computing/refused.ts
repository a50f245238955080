// Why what a content source answers is not shown.

/** An answer that is not shown; the message is told to those who run the source. */
export class InvalidReplyError extends Error {}
