// Creates the keys of blocks from the source of a block and its number among the blocks with the same source, so that a change
// elsewhere in the text does not affect them.

/** Creates the keys of one text. */
export class Keys {
  readonly #given = new Map<string, number>();

  /** Creates the key of a block from its type and its source. */
  createKey(type: string, source: string): string {
    const hash = hashText(`${type}\n${source.trim()}`);
    const number = this.#given.get(hash) ?? 0;
    this.#given.set(hash, number + 1);
    return number === 0 ? hash : `${hash}-${number}`;
  }
}

/**
 * Returns a 64-bit hash in two lanes after FNV-1a, as 13 letters and digits. It is not a protection: an author who creates
 * two equal keys harms only their own page.
 */
export function hashText(text: string): string {
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
