// The files of a repository, as far as a book may be made of them: plain files with harmless names. Everything else is
// skipped, with a reason.

import { type RunSteps, runStepsAtOnce, type Steps } from "../../utils/concurrency/steps";
import { MAX_TEXT_LENGTH } from "../revision/document-input";
import type { SkippedItem } from "./book";
import { BookError } from "./errors";
import { findPathProblem } from "./paths";

export interface TreeFile {
  /** From the top of the tree, with `/`. */
  readonly path: string;
  /** The Git id of its bytes. */
  readonly oid?: string | undefined;
  /** As Git writes it: `100644`, `100755`, `120000` for a symbolic link, `160000` for a submodule. Default: a plain file. */
  readonly mode?: string | undefined;
  /** In bytes, if it is known without reading the file. */
  readonly size?: number | undefined;
}

/** Something that has files: a commit of a repository, an archive. Folders are not listed. */
export interface FileTree {
  list(): Promise<readonly TreeFile[]>;
  /** Returns the bytes of a file, or undefined if there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** A tree without files. */
export const EMPTY_TREE: FileTree = { list: async () => [], read: async () => undefined };

/** A text, or why there is none, in a sentence. */
export type TextResult = { readonly text: string } | { readonly reason: string };

export const MAX_TREE_FILES = 200_000;
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** The most bytes of a text: those of the longest text in UTF-8. */
const MAX_TEXT_BYTES = MAX_TEXT_LENGTH * 3;
/** The number of files between two yields to the event loop. */
export const FILES_PER_YIELD = 500;
/** The most skipped items that are listed one by one. */
const MAX_SKIPPED_ITEMS = 1000;

/** The usable files of a tree. */
export class RepositoryFiles {
  readonly byPath = new Map<string, TreeFile>();
  readonly skipped: SkippedItem[] = [];
  readonly #skippedPaths = new Set<string>();
  #unlistedCount = 0;

  private constructor(readonly tree: FileTree) {}

  /** Lists the files of a tree. Throws `BookError` if there are too many. */
  static async load(tree: FileTree, runSteps: RunSteps = runStepsAtOnce): Promise<RepositoryFiles> {
    const files = new RepositoryFiles(tree);
    const listed = await tree.list();
    if (listed.length > MAX_TREE_FILES) throw new BookError(`The tree has more than ${MAX_TREE_FILES} files.`);
    await runSteps(files.#addInSteps(listed));
    return files;
  }

  *#addInSteps(listed: readonly TreeFile[]): Steps<void> {
    for (const [i, file] of listed.entries()) {
      if (i % FILES_PER_YIELD === 0) yield;
      const { path, mode = "100644", size = 0 } = file;
      let reason = findPathProblem(path);
      if (reason === undefined) {
        if (/^12/.test(mode)) reason = "It is a symbolic link.";
        else if (/^16/.test(mode)) reason = "It is a submodule.";
        else if (!/^0?10/.test(mode)) reason = "It is not a plain file.";
        else if (size > MAX_FILE_BYTES) reason = `It is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`;
      }
      if (reason === undefined) this.byPath.set(path, file);
      else {
        this.#skippedPaths.add(path);
        this.skip(path, reason);
      }
    }
  }

  has(path: string): boolean {
    return this.byPath.has(path);
  }

  /** Returns an equal path, as the string that the list holds already. A large book names many paths. */
  intern(path: string): string {
    return this.byPath.get(path)?.path ?? path;
  }

  /** Returns whether the tree lists something at a path, also if it was skipped. */
  isListed(path: string): boolean {
    return this.byPath.has(path) || this.#skippedPaths.has(path);
  }

  /** Reports something that is not taken. */
  skip(resource: string, reason: string): void {
    if (this.skipped.length < MAX_SKIPPED_ITEMS) this.skipped.push({ resource: resource.slice(0, 2000), reason });
    else this.#unlistedCount++;
  }

  /** Returns everything that was reported. Items beyond the limit are one item with their number. */
  listSkipped(): SkippedItem[] {
    const rest = { resource: `${this.#unlistedCount} more`, reason: "They were skipped as well." };
    return this.#unlistedCount === 0 ? this.skipped : [...this.skipped, rest];
  }

  /** Returns the bytes of a usable file, or undefined if it cannot be read or is too large. */
  async readBytes(path: string): Promise<Uint8Array | undefined> {
    if (!this.byPath.has(path)) return undefined;
    const bytes = await this.tree.read(path);
    return bytes && bytes.length <= MAX_FILE_BYTES ? bytes : undefined;
  }

  /** Reads a text. A byte order mark stays, so that the text has the same bytes again. */
  async readText(path: string): Promise<TextResult> {
    const bytes = await this.readBytes(path);
    return bytes ? decodeUtf8(bytes) : { reason: "It could not be read." };
  }
}

/** Decodes bytes as a text that has the same bytes again. */
export function decodeUtf8(bytes: Uint8Array): TextResult {
  const tooLong = { reason: `It is longer than ${MAX_TEXT_LENGTH} characters.` };
  if (bytes.length > MAX_TEXT_BYTES) return tooLong;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.length > MAX_TEXT_LENGTH ? tooLong : { text };
  } catch {
    return { reason: "It is not in UTF-8." };
  }
}
