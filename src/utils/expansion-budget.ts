// The budget for everything that multiplies. What a short text includes, repeats, pads or evaluates can be millions of times as
// long as the text. Whoever builds such a thing computes its size first and takes it from the budget of the page.

/**
 * What drawing a page may add to its document, in characters: the addresses of its links and files, icons, empty cells of
 * tables, and specifications. Large reference pages take a tenth of it.
 */
export const MAX_EXPANSION_CHARACTERS = 4 << 20;

/** How much a page may still grow by, in characters of the result. */
export class ExpansionBudget {
  #left: number;

  constructor(characters: number) {
    this.#left = Math.max(0, characters);
  }

  /** The characters that may still be taken. */
  get remaining(): number {
    return this.#left;
  }

  /**
   * Takes characters before they are built. Returns false and takes nothing if there are not enough left: then they must not
   * be built.
   */
  take(characters: number): boolean {
    // Written so that NaN is refused as well.
    if (!(characters <= this.#left)) return false;
    this.#left -= Math.max(0, characters);
    return true;
  }
}
