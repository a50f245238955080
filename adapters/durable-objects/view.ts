// A partition at one version. The object keeps what was overwritten for a while, so a view is a number, and nothing is held
// open for it.

import {
  bounds,
  Corrupt,
  type Entry,
  type Key,
  parseFrozen,
  type Range,
  type Snapshot,
  type Version,
} from "../adapter";
import type { Objects } from "./objects";
import { type EntryTuple, getPartitionObjectName } from "./protocol";

/** Keys that are read together, and what comes back. */
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
    const asked = [...keys];
    // Reads that are asked for in one turn travel together.
    this.#joined ??= this.#nextTrip();
    for (const key of asked) this.#joined.keys.push(key);
    const read = await this.#joined.entries;
    return asked.map((key) => read.get(key));
  }

  #nextTrip(): JoinedFetch {
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
        found.set(left[i]!, entry ? this.#entryOf(entry) : undefined);
      });
    }
    return found;
  }

  async list(range: Range): Promise<readonly Entry[]> {
    this.#objects.assertOpen();
    const isReverse = range.reverse === true;
    let { from, to } = bounds(range);
    const found: Entry[] = [];
    if (this.version === 0) return found;
    while (found.length < range.limit && (to === undefined || from < to)) {
      const asked = { version: this.version, from, to, isReverse, limit: range.limit - found.length };
      const { entries, isCut } = await this.#objects.call(getPartitionObjectName(this.#partition), (stub) =>
        stub.listEntries(asked),
      );
      for (const entry of entries) found.push(this.#entryOf(entry));
      if (!isCut) break;
      const last = found.at(-1)!.key;
      if (isReverse) to = last;
      else from = `${last}\x00`;
    }
    return found;
  }

  #entryOf([key, version, text]: EntryTuple): Entry {
    try {
      return Object.freeze({ key, value: parseFrozen(text), version });
    } catch (cause) {
      throw new Corrupt(`The record ${JSON.stringify(key)} of partition ${this.#partition} is damaged.`, { cause });
    }
  }
}
