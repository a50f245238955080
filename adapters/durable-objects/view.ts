// A partition at one version. The object keeps overwritten entries for a while, so a view only consists of a version and holds nothing
// open.

import {
  type Entry,
  getKeySpan,
  joinReads,
  type Key,
  parseEntry,
  type Range,
  type Snapshot,
  type Version,
} from "../adapter";
import type { Objects } from "./objects";
import { type EntryTuple, getPartitionObjectName } from "./protocol";

export class View implements Snapshot {
  readonly version: Version;
  readonly #partition: string;
  readonly #objects: Objects;
  readonly #read = joinReads((keys) => this.#fetch(keys));

  constructor(partition: string, version: Version, objects: Objects) {
    this.#partition = partition;
    this.version = version;
    this.#objects = objects;
  }

  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    this.#objects.assertOpen();
    if (this.version === 0 || keys.length === 0) return keys.map(() => undefined);
    const requested = [...keys];
    const read = await this.#read(requested);
    return requested.map((key) => read.get(key));
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
    return parseEntry(this.#partition, key, version, text);
  }
}
