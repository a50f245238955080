// The error of reading a book.

/** Thrown if nothing usable was found, or more than can be taken. The message is a sentence for people. */
export class BookError extends Error {}
