// Books: read from the files of a repository, laid onto a revision or added to it, and written as files again.

export { type Added, type AddWhere, addBook } from "./add";
export type { Book, BookFile, BookText, Chapter, Skipped } from "./book";
export { keepWritten } from "./keep";
export { type BookTools, type Counts, type Laid, layBook } from "./lay";
export { blobOid } from "./oid";
export { type Known, type ReadOptions, readBook } from "./read";
export { BookRefused } from "./refused";
export { knownIn, rowsUnder } from "./standings";
export type { FileTree, TreeFile } from "./tree";
export { type StoredContents, type WriteOptions, type Written, writeBook } from "./write";
export { bytesToWrite, type Stand, type WrittenFile } from "./written";
