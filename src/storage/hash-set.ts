// A set of the names of objects. A partition may have a million of them. As texts in a set they would take 120 bytes each, of the
// memory that is collected; here they take 32 to 64, beside it.

/** How many numbers of 32 bits a name is. */
const WORDS = 8;
/** Of four places at most three are taken, so that a free one is near. */
const FULLEST = 3 / 4;

/** Names of objects: 64 hexadecimal digits each. Another text is some name, too, and always the same one. */
export class HashSet {
  #places = new Uint32Array(64 * WORDS);
  #size = 0;
  /** Nothing but zeros marks a free place. */
  #hasZero = false;
  readonly #name = new Uint32Array(WORDS);

  get size(): number {
    return this.#size + (this.#hasZero ? 1 : 0);
  }

  has(hash: string): boolean {
    return this.#read(hash) ? this.#hasZero : !isSlotFree(this.#places, findSlot(this.#places, this.#name));
  }

  add(hash: string): void {
    if (this.#read(hash)) {
      this.#hasZero = true;
      return;
    }
    const place = findSlot(this.#places, this.#name);
    if (!isSlotFree(this.#places, place)) return;
    this.#places.set(this.#name, place);
    this.#size++;
    if (this.#size > (this.#places.length / WORDS) * FULLEST) this.#grow();
  }

  /** Reads the name of an object into numbers. True: all of them are zero. */
  #read(hash: string): boolean {
    let all = 0;
    for (let word = 0; word < WORDS; word++) {
      let value = 0;
      for (let at = 8 * word; at < 8 * word + 8; at++) value = (value << 4) | digitOf(hash.charCodeAt(at));
      this.#name[word] = value;
      all |= value;
    }
    return all === 0;
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Uint32Array(2 * before.length);
    for (let place = 0; place < before.length; place += WORDS) {
      if (isSlotFree(before, place)) continue;
      const name = before.subarray(place, place + WORDS);
      this.#places.set(name, findSlot(this.#places, name));
    }
  }
}

/** The value of a hexadecimal digit, by its code. */
function digitOf(code: number): number {
  return (code & 15) + (code > 57 ? 9 : 0);
}

/** Where a name is, or where it would be. Names are digests, so their first bits spread them evenly. */
function findSlot(places: Uint32Array, name: Uint32Array): number {
  // A power of two, less one.
  const last = places.length / WORDS - 1;
  for (let n = name[0]! & last; ; n = (n + 1) & last) {
    const place = n * WORDS;
    if (isSlotFree(places, place) || isAt(places, place, name)) return place;
  }
}

function isSlotFree(places: Uint32Array, place: number): boolean {
  for (let word = 0; word < WORDS; word++) if (places[place + word] !== 0) return false;
  return true;
}

function isAt(places: Uint32Array, place: number, name: Uint32Array): boolean {
  for (let word = 0; word < WORDS; word++) if (places[place + word] !== name[word]) return false;
  return true;
}
