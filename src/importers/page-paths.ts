// Paths for pages that come from something which has none: made of their titles, each one once.

import { createSlug } from "../content/slugs";

/** Folders with longer paths are not made. Pages that are so deep get a path at the top. */
const MAX_FOLDER = 300;

/** Gives out paths; no two are the same, whatever the case of their letters. */
export class UniquePaths {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    for (const path of taken) this.#taken.add(path.toLowerCase());
  }

  /** A path for a page with this title, in a folder without a slash at its end. Default: at the top. */
  forTitle(title: string, folder = ""): string {
    const isPart = folder !== "" && folder.length <= MAX_FOLDER;
    const stem = (isPart ? `${folder}/` : "") + createSlug(title);
    return this.free(stem, ".md");
  }

  /** A path that is free, with a number before its ending if need be. */
  free(stem: string, ending: string): string {
    let path = stem + ending;
    for (let number = this.#next.get(path) ?? 1; this.#taken.has(path.toLowerCase()); number++) {
      path = `${stem}-${number}${ending}`;
      this.#next.set(stem + ending, number);
    }
    this.#taken.add(path.toLowerCase());
    return path;
  }
}
