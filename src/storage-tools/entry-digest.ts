// A digest of entries in order, whatever the pages that they are read in.

import type { Key } from "../storage/storage";
import { sha256Hex } from "../utils/sha256";

/** Characters that are hashed together. */
const STRETCH = 64 * 1024;

export class EntryDigest {
  count = 0;
  #hash = "";
  #waiting = "";

  /** Takes the next entry; `text` is the JSON of its value. */
  add(key: Key, text: string): void {
    this.count++;
    // A key has no characters above 255, so no entry reads like two.
    this.#waiting += `${key.length} ${key}${text.length} ${text}`;
    if (this.#waiting.length >= STRETCH) this.#fold();
  }

  /** The digest of all entries so far. */
  hex(): string {
    this.#fold();
    return this.#hash;
  }

  #fold(): void {
    if (this.#waiting === "") return;
    this.#hash = sha256Hex(`${this.#hash}\n${this.#waiting}`);
    this.#waiting = "";
  }
}
