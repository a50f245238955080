// A digest of entries in order. It does not depend on the batches in which they are read.

import type { Key } from "../storage/storage";
import { sha256Hex } from "../utils/sha256";

/** The characters that are hashed together. */
const BLOCK_LENGTH = 64 * 1024;

export class EntryDigest {
  count = 0;
  #hash = "";
  #buffer = "";

  /** Adds the next entry. `text` is the JSON of its value. */
  add(key: Key, text: string): void {
    this.count++;
    // A key has no characters above 255, so no entry reads like two.
    this.#buffer += `${key.length} ${key}${text.length} ${text}`;
    if (this.#buffer.length >= BLOCK_LENGTH) this.#hashBuffer();
  }

  /** Returns the digest of all entries so far. */
  toHex(): string {
    this.#hashBuffer();
    return this.#hash;
  }

  #hashBuffer(): void {
    if (this.#buffer === "") return;
    this.#hash = sha256Hex(`${this.#hash}\n${this.#buffer}`);
    this.#buffer = "";
  }
}
