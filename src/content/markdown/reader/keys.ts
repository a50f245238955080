// Keys of blocks: made of what a block says and of its number among those that say the same, so that a change elsewhere in
// the text leaves them as they are.

/** Gives out the keys of one text. */
export class Keys {
  readonly #given = new Map<string, number>();

  /** The key of a block of a type that was written like this. */
  keyOf(type: string, source: string): string {
    const hash = hashOf(`${type}\n${source.trim()}`);
    const number = this.#given.get(hash) ?? 0;
    this.#given.set(hash, number + 1);
    return number === 0 ? hash : `${hash}-${number}`;
  }
}

/** 64 bits in two lanes after FNV-1a, as 13 letters and digits. It is not a protection: somebody who makes two equal
 * keys harms only their own page. */
export function hashOf(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 13) continue;
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code ^ (low >>> 15), 0x85ebca6b);
  }
  const bits = (BigInt(high >>> 0) << 32n) | BigInt((low ^ (high >>> 13)) >>> 0);
  return bits.toString(36).padStart(13, "0");
}
