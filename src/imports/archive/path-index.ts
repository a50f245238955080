// Finds files by names that people and programs wrote: by their exact spelling, else ignoring case.

/** Paths, found by themselves or in another case. */
export class PathIndex {
  readonly #folded = new Map<string, string>();
  /** Further paths with the same folded form. */
  readonly #others = new Set<string>();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  /** One more path. Of two that differ in case alone, the first is found. */
  add(path: string): void {
    const form = folded(path);
    const first = this.#folded.get(form);
    // The same text is not held twice.
    if (first === undefined) this.#folded.set(form === path ? path : form, path);
    else if (first !== path) this.#others.add(path);
  }

  /** The path as it is spelled here; undefined when there is none. */
  find(path: string): string | undefined {
    return this.#others.has(path) ? path : this.#folded.get(folded(path));
  }
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
