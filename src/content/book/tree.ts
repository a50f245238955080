// A repository's files, as far as a book may be made of them: plain files with harmless names. Everything else is passed
// over, with a reason.

import { type RunSteps, runStepsAtOnce, type Steps } from "../markdown/steps";
import { MAX_TEXT_LENGTH } from "../revision/document-input";
import type { Skipped } from "./book";
import { unusable } from "./paths";
import { BookRefused } from "./refused";

/** A file of a tree. */
export interface TreeFile {
  /** From the top of the tree, with `/`. */
  readonly path: string;
  /** The name that Git has for its bytes. */
  readonly oid?: string | undefined;
  /** As Git writes it: `100644`, `100755`, `120000` for a symbolic link, `160000` for a submodule. Default: a plain file. */
  readonly mode?: string | undefined;
  /** In bytes, if it is known without reading it. */
  readonly size?: number | undefined;
}

/** Something that has files: a commit of a repository, an archive. Folders are not listed. */
export interface FileTree {
  list(): Promise<readonly TreeFile[]>;
  /** The bytes of a file; undefined when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** A tree without files. */
export const emptyTree: FileTree = { list: async () => [], read: async () => undefined };

/** The most files of a tree that are looked at. */
export const MAX_TREE = 200_000;
/** The most bytes of a file. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** The most bytes of a text: what the longest one takes in UTF-8. */
const MAX_TEXT_BYTES = MAX_TEXT_LENGTH * 3;
/** Files that are looked at before others may have their turn. */
export const FILES_A_TURN = 500;
/** The most reasons that are given one by one. */
const MAX_SKIPPED = 1000;

/** Why a file cannot be taken; undefined when it can. */
export type Reason = string | undefined;

/** A tree that was looked through. */
export class Files {
  /** Plain files by path. */
  readonly plain = new Map<string, TreeFile>();
  /** The paths of what is listed and not taken. */
  readonly #passedOver = new Set<string>();
  readonly skipped: Skipped[] = [];
  #more = 0;

  private constructor(readonly tree: FileTree) {}

  static async of(tree: FileTree, inTurns: RunSteps = runStepsAtOnce): Promise<Files> {
    const files = new Files(tree);
    const listed = await tree.list();
    if (listed.length > MAX_TREE) throw new BookRefused(`The tree has more than ${MAX_TREE} files.`);
    await inTurns(files.#enter(listed));
    return files;
  }

  *#enter(listed: readonly TreeFile[]): Steps<void> {
    for (const [i, file] of listed.entries()) {
      if (i % FILES_A_TURN === 0) yield;
      const reason = unusable(file.path) ?? reasonOf(file);
      if (reason === undefined) this.plain.set(file.path, file);
      else {
        this.#passedOver.add(file.path);
        this.skip(file.path, reason);
      }
    }
  }

  has(path: string): boolean {
    return this.plain.has(path);
  }

  /** The same path, as the text that is held already if there is such a file: a large book has many. */
  held(path: string): string {
    return this.plain.get(path)?.path ?? path;
  }

  /** Whether something is listed at a path, also what is not taken. */
  isListed(path: string): boolean {
    return this.plain.has(path) || this.#passedOver.has(path);
  }

  skip(resource: string, reason: string): void {
    if (this.skipped.length < MAX_SKIPPED) this.skipped.push({ resource: resource.slice(0, 2000), reason });
    else this.#more++;
  }

  /** What was not taken; what is beyond the list is counted. */
  allSkipped(): Skipped[] {
    const more = { resource: `${this.#more} more`, reason: "They were not taken either." };
    return this.#more === 0 ? this.skipped : [...this.skipped, more];
  }

  /** The bytes of a plain file that is not too large. */
  async bytes(path: string): Promise<Uint8Array | undefined> {
    if (!this.plain.has(path)) return undefined;
    const bytes = await this.tree.read(path);
    return bytes && bytes.length <= MAX_FILE_BYTES ? bytes : undefined;
  }

  /** A text as it is, or why it is not a text. A byte order mark is kept, so that the text gives the same bytes
   * again. */
  async text(path: string): Promise<{ readonly text: string } | { readonly reason: string }> {
    const bytes = await this.bytes(path);
    if (!bytes) return { reason: "It could not be read." };
    return utf8Text(bytes);
  }
}

function reasonOf({ mode, size }: TreeFile): Reason {
  if (mode !== undefined && /^12/.test(mode)) return "It is a symbolic link.";
  if (mode !== undefined && /^16/.test(mode)) return "It is a submodule.";
  if (mode !== undefined && !/^0?10/.test(mode)) return "It is not a plain file.";
  return (size ?? 0) > MAX_FILE_BYTES ? `It is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.` : undefined;
}

/** Bytes as a text that gives the same bytes again, or why they are not text. */
export function utf8Text(bytes: Uint8Array): { readonly text: string } | { readonly reason: string } {
  const tooLong = { reason: `It is longer than ${MAX_TEXT_LENGTH} characters.` };
  if (bytes.length > MAX_TEXT_BYTES) return tooLong;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.length > MAX_TEXT_LENGTH ? tooLong : { text };
  } catch {
    return { reason: "It is not in UTF-8." };
  }
}
