// A compact set of object hashes. A partition may have a million objects: in a `Set` of strings each hash takes about 120 bytes
// of the garbage-collected heap; here it takes 32 to 64 bytes outside of it.

/** The number of 32-bit words in a hash. */
const WORDS = 8;
/** The table grows when more than three of four slots are taken, so that a free one is always near. */
const MAX_LOAD = 3 / 4;

/** A set of hashes of 64 hexadecimal digits. Any other text is mapped to some hash, always the same one. */
export class HashSet {
  #slots = new Uint32Array(64 * WORDS);
  #size = 0;
  /** A slot of zeros is free, so the hash that consists of zeros is stored here. */
  #hasZero = false;
  readonly #hash = new Uint32Array(WORDS);

  get size(): number {
    return this.#size + (this.#hasZero ? 1 : 0);
  }

  has(hash: string): boolean {
    return this.#parse(hash) ? this.#hasZero : !isSlotFree(this.#slots, findSlot(this.#slots, this.#hash));
  }

  add(hash: string): void {
    if (this.#parse(hash)) {
      this.#hasZero = true;
      return;
    }
    const slot = findSlot(this.#slots, this.#hash);
    if (!isSlotFree(this.#slots, slot)) return;
    this.#slots.set(this.#hash, slot);
    this.#size++;
    if (this.#size > (this.#slots.length / WORDS) * MAX_LOAD) this.#grow();
  }

  /** Parses a hash into `#hash`. Returns whether all of its words are zero. */
  #parse(hash: string): boolean {
    let bits = 0;
    for (let word = 0; word < WORDS; word++) {
      let value = 0;
      for (let i = 8 * word; i < 8 * word + 8; i++) {
        const code = hash.charCodeAt(i);
        const digit = (code & 15) + (code > 57 ? 9 : 0);
        value = (value << 4) | digit;
      }
      this.#hash[word] = value;
      bits |= value;
    }
    return bits === 0;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    for (let slot = 0; slot < before.length; slot += WORDS) {
      if (isSlotFree(before, slot)) continue;
      const hash = before.subarray(slot, slot + WORDS);
      this.#slots.set(hash, findSlot(this.#slots, hash));
    }
  }
}

/** Returns the slot of a hash, or the free slot to put it into. Hashes are digests, so their first bits are evenly distributed. */
function findSlot(slots: Uint32Array, hash: Uint32Array): number {
  // The number of slots is a power of two, so `last` is a bit mask.
  const last = slots.length / WORDS - 1;
  for (let n = hash[0]! & last; ; n = (n + 1) & last) {
    const slot = n * WORDS;
    if (isSlotFree(slots, slot)) return slot;
    let word = 0;
    while (word < WORDS && slots[slot + word] === hash[word]) word++;
    if (word === WORDS) return slot;
  }
}

function isSlotFree(slots: Uint32Array, slot: number): boolean {
  for (let word = 0; word < WORDS; word++) if (slots[slot + word] !== 0) return false;
  return true;
}
