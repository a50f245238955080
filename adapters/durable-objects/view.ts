// A partition at one version. The object keeps overwritten entries for a while, so a view only consists of a version and holds nothing
// open.

import {
  Corrupt,
  type Entry,
  getKeySpan,
  type Key,
  parseFrozen,
  type Range,
  type Snapshot,
  type Version,
} from "../adapter";
import type { Objects } from "./objects";
import { type EntryTuple, getPartitionObjectName } from "./protocol";

/** Keys that are read together, with the resulting entries. */
interface JoinedFetch {
  readonly keys: Key[];
  readonly entries: Promise<ReadonlyMap<Key, Entry | undefined>>;
}

export class View implements Snapshot {
  readonly version: Version;
  readonly #partition: string;
  readonly #objects: Objects;
  #joined: JoinedFetch | undefined;

  constructor(partition: string, version: Version, objects: Objects) {
    this.#partition = partition;
    this.version = version;
    this.#objects = objects;
  }

  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    this.#objects.assertOpen();
    if (this.version === 0 || keys.length === 0) return keys.map(() => undefined);
    const requested = [...keys];
    // Reads that are requested in the same turn are joined into one call.
    this.#joined ??= this.#startJoinedFetch();
    for (const key of requested) this.#joined.keys.push(key);
    const read = await this.#joined.entries;
    return requested.map((key) => read.get(key));
  }

  #startJoinedFetch(): JoinedFetch {
    const keys: Key[] = [];
    const entries = Promise.resolve().then(() => {
      this.#joined = undefined;
      return this.#fetch([...new Set(keys)]);
    });
    return { keys, entries };
  }

  async #fetch(keys: readonly Key[]): Promise<ReadonlyMap<Key, Entry | undefined>> {
    const found = new Map<Key, Entry | undefined>();
    while (found.size < keys.length) {
      const left = keys.slice(found.size);
      const { entries } = await this.#objects.call(getPartitionObjectName(this.#partition), (stub) =>
        stub.readEntries(this.version, left),
      );
      entries.forEach((entry, i) => {
        found.set(left[i]!, entry ? this.#parseEntry(entry) : undefined);
      });
    }
    return found;
  }

  async list(range: Range): Promise<readonly Entry[]> {
    this.#objects.assertOpen();
    const isReverse = range.reverse === true;
    let { from, to } = getKeySpan(range);
    const found: Entry[] = [];
    if (this.version === 0) return found;
    while (found.length < range.limit && (to === undefined || from < to)) {
      const request = { version: this.version, from, to, isReverse, limit: range.limit - found.length };
      const { entries, isCut } = await this.#objects.call(getPartitionObjectName(this.#partition), (stub) =>
        stub.listEntries(request),
      );
      for (const entry of entries) found.push(this.#parseEntry(entry));
      if (!isCut) break;
      const last = found.at(-1)!.key;
      if (isReverse) to = last;
      else from = `${last}\x00`;
    }
    return found;
  }

  #parseEntry([key, version, text]: EntryTuple): Entry {
    try {
      return Object.freeze({ key, value: parseFrozen(text), version });
    } catch (cause) {
      throw new Corrupt(`The record ${JSON.stringify(key)} of partition ${this.#partition} is damaged.`, { cause });
    }
  }
}
