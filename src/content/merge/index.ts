// Merging content: two changes of one revision, or of one text.

export type { MergeConflict } from "./conflicts";
export { type Merged, mergeRevisions } from "./revisions";
export { mergeTexts } from "./texts";
export { addConflicts, limitConflicts, removeWrittenConflicts, type WrittenContent } from "./unsettled";
export type { MergedText, TextConflict } from "./versions";
