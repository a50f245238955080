// How an import puts files away that are too much to be held.

/** Stores bytes; the function that it gives reads them again. */
export type SetAside = (bytes: Uint8Array) => Promise<() => Promise<Uint8Array>>;
