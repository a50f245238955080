// The budget for everything that multiplies. A short text can include, repeat, pad or evaluate to millions of times its own
// length. Code that builds such a result computes its size first and takes that from the budget of the page.

/**
 * The most characters that rendering a page may add to its document: the URLs of its links and files, icons, empty cells of
 * tables, and specifications. Large reference pages take a tenth of it.
 */
export const MAX_EXPANSION_CHARACTERS = 4 << 20;

/** The number of characters by which a page may still grow. */
export class ExpansionBudget {
  #remaining: number;

  constructor(characters: number) {
    this.#remaining = Math.max(0, characters);
  }

  /** The characters that may still be taken. */
  get remaining(): number {
    return this.#remaining;
  }

  /**
   * Takes characters before they are built. If too few are left, returns false and takes nothing: then they must not be
   * built.
   */
  take(characters: number): boolean {
    // Negated, so that NaN is refused as well.
    if (!(characters <= this.#remaining)) return false;
    this.#remaining -= Math.max(0, characters);
    return true;
  }
}
