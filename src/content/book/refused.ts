// Why there is no book where one was looked for.

/** Nothing usable was found, or more than can be taken; the message is a sentence for people. */
export class BookRefused extends Error {}
