// Merging content: two changes of one revision, or of one text.

export type { Conflict } from "./conflicts";
export type { MergedText, TextConflict } from "./lines";
export { type Merged, mergeRevisions } from "./revisions";
export { mergeTexts } from "./texts";
export { joined, leftAfter, shownAtOnce, type Written } from "./unsettled";
