// The library has no types of its own; these are of what is used of it.

declare module "linebreak" {
  /** Finds where lines may be broken, by UAX #14. */
  export default class LineBreaker {
    constructor(text: string);
    /** The next place, or null at the end. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
