// Reads a snapshot that may be damaged: entries that cannot be read are reported, and all others are still read.

import { Corrupt, type Entry, type Key, type Snapshot } from "../../storage/storage";
import type { ReportFinding } from "./finding";

const BATCH_ENTRIES = 250;

export class DamagedSnapshot {
  constructor(
    readonly snapshot: Snapshot,
    readonly report: ReportFinding,
  ) {}

  /** Yields the entries under a prefix. If one cannot be read, those after it are read from the end. */
  async *entries(prefix: Key): AsyncGenerator<Entry, void> {
    let after: Key | undefined;
    let limit = BATCH_ENTRIES;
    for (;;) {
      const entries = await this.#list({ under: prefix, after, limit });
      // The batch is read again entry by entry, up to the damaged one.
      if (entries instanceof Corrupt && limit > 1) limit = 1;
      else if (entries instanceof Corrupt) {
        await this.report("unreadable", entries.message);
        return yield* this.#readFromEnd(prefix, after, entries.message);
      } else {
        yield* entries;
        if (entries.length < limit) return;
        after = entries.at(-1)!.key;
      }
    }
  }

  async *#readFromEnd(prefix: Key, after: Key | undefined, reported: string): AsyncGenerator<Entry, void> {
    let before: Key | undefined;
    let limit = BATCH_ENTRIES;
    for (;;) {
      const entries = await this.#list({ under: prefix, after, before, limit, reverse: true });
      if (entries instanceof Corrupt && limit > 1) limit = 1;
      else if (entries instanceof Corrupt) {
        if (entries.message !== reported)
          await this.report("unreadable", `${entries.message} What is between is not read.`);
        return;
      } else {
        yield* entries;
        if (entries.length < limit) return;
        before = entries.at(-1)!.key;
      }
    }
  }

  async #list(range: Parameters<Snapshot["list"]>[0]): Promise<readonly Entry[] | Corrupt> {
    try {
      return await this.snapshot.list(range);
    } catch (error) {
      if (error instanceof Corrupt) return error;
      throw error;
    }
  }

  /** Returns the entries under keys. One that cannot be read is `Corrupt`; it is reported by the walk that lists it. */
  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined | Corrupt)[]> {
    try {
      return keys.length === 0 ? [] : await this.snapshot.get(keys);
    } catch (error) {
      if (!(error instanceof Corrupt)) throw error;
      if (keys.length === 1) return [error];
    }
    const entries: (Entry | undefined | Corrupt)[] = [];
    for (const key of keys) entries.push(...(await this.get([key])));
    return entries;
  }
}
