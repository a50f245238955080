// The limits of a specification. One that exceeds them is refused with a sentence; nothing is cut.

/** The most bytes of one document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** The most bytes of a specification with all that it refers to. */
export const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
/** The most characters of a document as JSON, with its aliases written out. */
export const MAX_WRITTEN_OUT = 64 * 1024 * 1024;
/** The most documents of a specification, itself included. */
export const MAX_DOCUMENTS = 200;
/** The most references that lead from the specification to a document, one from the other. */
export const MAX_HOPS = 32;
/** The most values inside each other. */
export const MAX_DEPTH = 200;
/** The most lines and commas of one YAML document: the time depends on the number of values, not on their length. */
export const MAX_ENTRIES = 320_000;
/** The most of them that are read without a pause: a text that is cut into pieces has no more in one piece. */
export const MAX_ENTRIES_AT_ONCE = 30_000;
/** The most aliases of one YAML document. */
export const MAX_ALIASES = 10_000;
