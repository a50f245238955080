// The parts of `content` that are loaded when they are first needed: all that reads, writes, merges or searches texts. Most of
// the code that starts with a process does none of this, and the parsers of Markdown and YAML are the largest things in it.
// Resources ask here for what they run, and import only types from these modules.

import { late } from "../utils/lazy";

/** Markdown into documents, headings and sections. */
export const loadReader = late(() => import("./markdown/read"));

/** Documents into Markdown. */
export const loadWriter = late(() => import("./markdown/write"));

/** What is wrong with a document. */
export const loadDocumentCheck = late(() => import("./document/check"));

/** Texts from documents that were given, checked. */
export const loadBodies = late(() => import("./revision/bodies"));

/** Expressions, conditions and reusable contents, put into a text. */
export const loadEvaluator = late(() => import("./evaluate"));

/** Texts of mdBook, with the files that they include. */
export const loadMdBook = late(() => import("./mdbook/expand"));

/** The batch of changes. */
export const loadChanges = late(() => import("./revision/changes"));

/** Computed pages: their definitions, and what comes of them. */
export const loadComputed = late(() => import("./revision/computed"));

/** The merge of revisions. */
export const loadMerge = late(() => import("./merge"));

/** What changed between two revisions. */
export const loadDifference = late(() => import("./revision/difference"));

/** The search index. */
export const loadSearch = late(() => import("./search"));
