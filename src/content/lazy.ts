// Loads the modules of `content` that read, write, merge or search texts when they are first needed. Most processes never run
// them, and the parsers of Markdown and YAML are the largest modules of `content`. Resources call these functions to run a
// module, and import only types from it.

import { loadLazily } from "../utils/lazy";

export const loadMarkdownReader = loadLazily(() => import("./markdown/read"));

export const loadMarkdownWriter = loadLazily(() => import("./markdown/write"));

export const loadDocumentChecker = loadLazily(() => import("./document/check-document"));

/** Loads the conversion of submitted documents to texts. */
export const loadBodies = loadLazily(() => import("./revision/document-input"));

/** Loads the evaluation of a text's expressions, conditions and reusable contents. */
export const loadEvaluator = loadLazily(() => import("./evaluate"));

/** Loads the expansion of mdBook texts with the files that they include. */
export const loadMdBook = loadLazily(() => import("./mdbook/expand"));

export const loadContentChanges = loadLazily(() => import("./revision/changes"));

export const loadComputedPages = loadLazily(() => import("./revision/computed"));

export const loadMerge = loadLazily(() => import("./merge"));

export const loadRevisionDiff = loadLazily(() => import("./revision/compare-revisions"));

export const loadSearch = loadLazily(() => import("./search"));
