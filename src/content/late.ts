// The parts of `content` that are loaded when they are first needed: all that reads, writes, merges or searches texts. Most of
// the code that starts with a process does none of this, and the parsers of Markdown and YAML are the largest things in it.
// Resources ask here for what they run, and import only types from these modules.

import { loadLazily } from "../utils/lazy";

/** Markdown into documents, headings and sections. */
export const loadReader = loadLazily(() => import("./markdown/read"));

/** Documents into Markdown. */
export const loadWriter = loadLazily(() => import("./markdown/write"));

/** What is wrong with a document. */
export const loadDocumentCheck = loadLazily(() => import("./document/check"));

/** Texts from documents that were given, checked. */
export const loadBodies = loadLazily(() => import("./revision/document-input"));

/** Expressions, conditions and reusable contents, put into a text. */
export const loadEvaluator = loadLazily(() => import("./evaluate"));

/** Texts of mdBook, with the files that they include. */
export const loadMdBook = loadLazily(() => import("./mdbook/expand"));

/** The batch of changes. */
export const loadChanges = loadLazily(() => import("./revision/changes"));

/** Computed pages: their definitions, and what comes of them. */
export const loadComputed = loadLazily(() => import("./revision/computed"));

/** The merge of revisions. */
export const loadMerge = loadLazily(() => import("./merge"));

/** What changed between two revisions. */
export const loadDifference = loadLazily(() => import("./revision/compare-revisions"));

/** The search index. */
export const loadSearch = loadLazily(() => import("./search"));
