// A text that is held compressed. All pages of a site are held until the last one is known, for only then it is clear where
// their links lead.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";

/** Shorter texts are hardly shorter when they are compressed. */
const SHORTEST = 1024;
/** Longer ones, which are few, would keep others waiting. */
const LONGEST = 1024 * 1024;

export class HeldText {
  readonly #held: string | Uint8Array;

  constructor(text: string) {
    const isPacked = text.length >= SHORTEST && text.length <= LONGEST;
    this.#held = isPacked ? deflateSync(strToU8(text), { level: 1 }) : text;
  }

  read(): string {
    return typeof this.#held === "string" ? this.#held : strFromU8(inflateSync(this.#held));
  }
}
