// How an import puts bytes away that are too much to be held: files of a website, pieces of an archive.

/** Stores bytes; the function that it gives reads them again. */
export type SetAside = (bytes: Uint8Array) => Promise<() => Promise<Uint8Array>>;
