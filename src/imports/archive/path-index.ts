// Finds files by names that people and programs wrote: by their exact spelling, else ignoring case.

/** Paths, found by themselves or in another case. */
export class PathIndex {
  readonly #exact: ReadonlySet<string>;
  readonly #folded = new Map<string, string>();

  constructor(paths: Iterable<string>) {
    this.#exact = new Set(paths);
    for (const path of this.#exact) if (!this.#folded.has(folded(path))) this.#folded.set(folded(path), path);
  }

  /** The path as it is spelled here; undefined when there is none. */
  find(path: string): string | undefined {
    return this.#exact.has(path) ? path : this.#folded.get(folded(path));
  }
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
