// What was written of a revision: files, and where things stand in them.

/** A file that is to be written, and the name that Git has for it. Those that are stored, or many, are read when they are
 * needed. */
export type WrittenFile = { readonly oid: string } & (
  | { readonly text: string }
  | { readonly later: () => Promise<Uint8Array> }
);

/** The bytes of a file. */
export async function bytesToWrite(file: WrittenFile): Promise<Uint8Array> {
  return "later" in file ? file.later() : new TextEncoder().encode(file.text);
}

/** Where something of a revision stands in the tree that was written. */
export interface Stand {
  readonly kind: "page" | "file" | "reusable";
  readonly id: string;
  /** From the book's root. */
  readonly path: string;
  /** The name that Git has for it there. */
  readonly oid: string;
  /** What it is stored under in the revision. */
  readonly hash: string;
  /** Its text in the tree, where that is another one than the one that is stored. */
  readonly text?: () => Promise<string>;
}
