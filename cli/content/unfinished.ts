// How a folder says that an export into it has not ended.

/** Stands in a folder while an export writes into it. */
export const UNFINISHED = ".octavo-unfinished";
