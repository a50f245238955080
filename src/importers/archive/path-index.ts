// Finds files by names that people and programs wrote: by their exact spelling, else ignoring case.

/** Paths, found by themselves or in another case. */
export class PathIndex {
  /** Paths that are their own folded form. Most are, and need nothing more. */
  readonly #plain = new Set<string>();
  /** The first path of each other form. */
  readonly #folded = new Map<string, string>();
  /** Further paths with the same folded form. */
  readonly #others = new Set<string>();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  /** One more path. Of two that differ in case alone, the first is found. */
  add(path: string): void {
    const form = folded(path);
    const first = this.#first(form);
    if (first !== undefined) {
      if (first !== path) this.#others.add(path);
    } else if (form === path) this.#plain.add(path);
    else this.#folded.set(form, path);
  }

  /** The path as it is spelled here; undefined when there is none. */
  find(path: string): string | undefined {
    return this.#others.has(path) ? path : this.#first(folded(path));
  }

  #first(form: string): string | undefined {
    return this.#plain.has(form) ? form : this.#folded.get(form);
  }
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
