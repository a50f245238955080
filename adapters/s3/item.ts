// An item of a head or segment: one line of text, `version TAB key [TAB value]`, with the key and the value as JSON. JSON contains no raw
// tabs and line breaks, so lines need no escapes. A line without a value means that the key was deleted.

import { Corrupt, type Entry, type Json, type Key, parseFrozen, type Version } from "../adapter";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The approximate memory that an item takes besides its line. */
const OVERHEAD = 150;

/**
 * The content of a key after one commit. The line is kept, so that writing it again costs nothing. The value is parsed each time that it
 * is read, unless the item was created from a write: many items are kept for long, and a value takes more memory than its line.
 */
export class Item {
  readonly key: Key;
  readonly version: Version;
  readonly line: string;
  /** The offset of the value in the line; 0 if the key was deleted. */
  readonly #valueAt: number;
  readonly #entry: Entry | undefined;

  private constructor(key: Key, version: Version, line: string, valueAt: number, entry?: Entry) {
    this.key = key;
    this.version = version;
    this.line = line;
    this.#valueAt = valueAt;
    this.#entry = entry;
  }

  /** Creates the item of a write: the entry with the JSON text of its value, or neither for a delete. */
  static fromWrite(key: Key, version: Version, entry: Entry | undefined, text: string | undefined): Item {
    const start = `${version}\t${JSON.stringify(key)}`;
    return text === undefined
      ? new Item(key, version, start, 0)
      : new Item(key, version, `${start}\t${text}`, start.length + 1, entry);
  }

  /** Parses a line. Throws if it is not an item. */
  static parse(line: string): Item {
    const keyAt = line.indexOf("\t") + 1;
    const tab = line.indexOf("\t", keyAt);
    const version = Number(line.slice(0, keyAt - 1));
    const key: unknown = JSON.parse(line.slice(keyAt, tab < 0 ? undefined : tab));
    if (keyAt === 0 || !Number.isSafeInteger(version) || version < 1 || typeof key !== "string")
      throw new Error("A line is no item.");
    return new Item(key, version, line, tab < 0 ? 0 : tab + 1);
  }

  /** Returns a copy of the item whose line does not keep other lines in memory. */
  detach(): Item {
    const line = decoder.decode(encoder.encode(this.line));
    return new Item(this.key, this.version, line, this.#valueAt, this.#entry);
  }

  /** True if the key was deleted. */
  get isGone(): boolean {
    return this.#valueAt === 0;
  }

  /** The frozen entry; undefined if the key was deleted. */
  get entry(): Entry | undefined {
    if (this.#valueAt === 0) return undefined;
    return this.#entry ?? Object.freeze({ key: this.key, value: this.#parseValue(), version: this.version });
  }

  #parseValue(): Json {
    try {
      return parseFrozen(this.line.slice(this.#valueAt));
    } catch (cause) {
      throw new Corrupt(`The value of the key ${JSON.stringify(this.key)} is damaged.`, { cause });
    }
  }

  /** The approximate memory that the item takes. */
  get weight(): number {
    return this.line.length + OVERHEAD;
  }
}
