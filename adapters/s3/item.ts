// A key as heads and segments write it down: one line of text, `version TAB key [TAB value]`, key and value as JSON.
// JSON holds no raw tab and no raw line break, so lines need no escapes; a line without a value says that the key is gone.

import { Corrupt, type Entry, type Json, type Key, parseFrozen, type Version } from "../adapter";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What an item costs in memory beside its line, about. */
const OVERHEAD = 150;

/** What one commit made of one key. Its line is kept, so that writing it again costs nothing. The value is parsed each time it
 * is asked for, unless it came with a write: many items are held for long, and a value takes more than its line. */
export class Item {
  readonly key: Key;
  readonly version: Version;
  readonly line: string;
  /** Where the value begins in the line; 0: the key was deleted. */
  readonly #valueAt: number;
  readonly #entry: Entry | undefined;

  private constructor(key: Key, version: Version, line: string, valueAt: number, entry?: Entry) {
    this.key = key;
    this.version = version;
    this.line = line;
    this.#valueAt = valueAt;
    this.#entry = entry;
  }

  /** The item of a write: the entry with its JSON text, or neither for a delete. */
  static fromWrite(key: Key, version: Version, entry: Entry | undefined, text: string | undefined): Item {
    const start = `${version}\t${JSON.stringify(key)}`;
    return text === undefined
      ? new Item(key, version, start, 0)
      : new Item(key, version, `${start}\t${text}`, start.length + 1, entry);
  }

  /** The item of a line. Throws when it is none. */
  static parse(line: string): Item {
    const keyAt = line.indexOf("\t") + 1;
    const tab = line.indexOf("\t", keyAt);
    const version = Number(line.slice(0, keyAt - 1));
    const key: unknown = JSON.parse(line.slice(keyAt, tab < 0 ? undefined : tab));
    if (keyAt === 0 || !Number.isSafeInteger(version) || version < 1 || typeof key !== "string")
      throw new Error("A line is no item.");
    return new Item(key, version, line, tab < 0 ? 0 : tab + 1);
  }

  /** The same item with a line of its own, which holds no other lines in memory. */
  detach(): Item {
    const line = decoder.decode(encoder.encode(this.line));
    return new Item(this.key, this.version, line, this.#valueAt, this.#entry);
  }

  /** Whether the item says that the key is gone. */
  get isGone(): boolean {
    return this.#valueAt === 0;
  }

  /** The entry, frozen; `undefined` when the key is gone. */
  get entry(): Entry | undefined {
    if (this.#valueAt === 0) return undefined;
    return this.#entry ?? Object.freeze({ key: this.key, value: this.#value(), version: this.version });
  }

  #value(): Json {
    try {
      return parseFrozen(this.line.slice(this.#valueAt));
    } catch (cause) {
      throw new Corrupt(`The value of the key ${JSON.stringify(this.key)} is damaged.`, { cause });
    }
  }

  /** What it takes in memory, about. */
  get weight(): number {
    return this.line.length + OVERHEAD;
  }
}
