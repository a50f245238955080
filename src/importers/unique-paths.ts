// Derives unique paths from titles and names, for pages and files whose source has no paths.

import { createSlug } from "../content/slugs";

/** A page in a folder with a longer path gets a path at the top. */
const MAX_FOLDER_LENGTH = 300;

/** Assigns paths. No two of them are equal, also regardless of case. */
export class UniquePaths {
  readonly #taken = new Set<string>();
  /** The next numbers by path, so that many equal paths take linear time. */
  readonly #nextNumbers = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    for (const path of taken) this.#taken.add(path.toLowerCase());
  }

  /** Returns a path for a page with a title, in a folder without a slash at its end. Default: at the top. */
  claimForTitle(title: string, folder = ""): string {
    const isInFolder = folder !== "" && folder.length <= MAX_FOLDER_LENGTH;
    return this.claim((isInFolder ? `${folder}/` : "") + createSlug(title), ".md");
  }

  /** Returns a path that is not taken, with a number before its ending if necessary. */
  claim(stem: string, ending: string): string {
    let path = stem + ending;
    for (let number = this.#nextNumbers.get(path) ?? 1; this.#taken.has(path.toLowerCase()); number++) {
      path = `${stem}-${number}${ending}`;
      this.#nextNumbers.set(stem + ending, number);
    }
    this.#taken.add(path.toLowerCase());
    return path;
  }
}
