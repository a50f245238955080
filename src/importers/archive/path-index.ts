// Finds files by names that people and programs wrote: by their exact spelling, or else regardless of case.

export class PathIndex {
  /** Paths that are their own normalized form. Most are, and need nothing more. */
  readonly #normalizedPaths = new Set<string>();
  /** The first path of every other normalized form. */
  readonly #pathsByForm = new Map<string, string>();
  /** Further paths with the same normalized form. */
  readonly #others = new Set<string>();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  /** Adds a path. Of two that differ only in case, the first is found. */
  add(path: string): void {
    const form = path.normalize("NFC").toLowerCase();
    const first = this.#findFirst(form);
    if (first !== undefined) {
      if (first !== path) this.#others.add(path);
    } else if (form === path) this.#normalizedPaths.add(path);
    else this.#pathsByForm.set(form, path);
  }

  /** Returns a path as it is spelled in the index, or undefined if there is none. */
  find(path: string): string | undefined {
    return this.#others.has(path) ? path : this.#findFirst(path.normalize("NFC").toLowerCase());
  }

  #findFirst(form: string): string | undefined {
    return this.#normalizedPaths.has(form) ? form : this.#pathsByForm.get(form);
  }
}
