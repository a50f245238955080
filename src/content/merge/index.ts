// The merge of content: two changes of one revision, or of one text.

export type { MergeConflict } from "./conflicts";
export { type MergedRevision, mergeRevisions } from "./revisions";
export type { MergedText, TextConflict } from "./versions";
