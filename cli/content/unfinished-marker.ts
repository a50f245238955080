// The file that marks a folder while an export writes into it.

export const UNFINISHED_MARKER = ".octavo-unfinished";
