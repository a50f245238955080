// Files that pages of an import name: each taken once, under a path of its own.

import type { BookFile } from "../content/book/book";
import { describeFile, safeFileName } from "../content/files";
import { stemOf } from "./archive/paths";
import { UniquePaths } from "./page-paths";

/** Where files are put that had no place of their own. */
const FOLDER = ".gitbook/assets/";

/** The files of an import. */
export class Assets {
  readonly files = new Map<string, BookFile>();
  readonly #paths = new UniquePaths();
  readonly #taken = new Map<string, string | undefined>();

  /** The path of a file by what its source calls it; undefined when it cannot be read. It is read when first asked for. */
  take(source: string, name: string, read: () => Uint8Array | undefined): string | undefined {
    if (!this.#taken.has(source)) this.#taken.set(source, this.#add(name, read()));
    return this.#taken.get(source);
  }

  /** Whether a file was asked for. */
  has(source: string): boolean {
    return this.#taken.has(source);
  }

  #add(name: string, bytes: Uint8Array | undefined): string | undefined {
    if (!bytes) return undefined;
    const safe = safeFileName(name);
    const stem = stemOf(safe);
    const path = this.#paths.free(FOLDER + stem, safe.slice(stem.length));
    this.files.set(path, { bytes, contentType: describeFile(bytes, { name: safe }).contentType });
    return path;
  }
}
