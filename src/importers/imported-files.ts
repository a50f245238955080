// The files that pages of an import name: each taken once, at its own path.

import type { BookFile } from "../content/book/book";
import { describeFile, sanitizeFileName } from "../content/files";
import { getStem } from "./archive/paths";
import { UniquePaths } from "./unique-paths";

/** The folder of files that had no place in a folder. */
const FOLDER = ".gitbook/assets/";

export class ImportedFiles {
  readonly files = new Map<string, BookFile>();
  readonly #uniquePaths = new UniquePaths();
  readonly #pathsBySource = new Map<string, string | undefined>();

  /**
   * Adds a file when it is first asked for, and returns its path, or undefined if it cannot be read. `source` is its name in the
   * source of the import.
   */
  add(source: string, name: string, read: () => Uint8Array | undefined): string | undefined {
    if (this.#pathsBySource.has(source)) return this.#pathsBySource.get(source);
    const bytes = read();
    let path: string | undefined;
    if (bytes) {
      const fileName = sanitizeFileName(name);
      const stem = getStem(fileName);
      path = this.#uniquePaths.claim(FOLDER + stem, fileName.slice(stem.length));
      this.files.set(path, { bytes, contentType: describeFile(bytes, { name: fileName }).contentType });
    }
    this.#pathsBySource.set(source, path);
    return path;
  }

  has(source: string): boolean {
    return this.#pathsBySource.has(source);
  }
}
