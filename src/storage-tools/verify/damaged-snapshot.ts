// Reads of a snapshot that may be damaged: what cannot be read is told, and the rest is read all the same.

import { Corrupt, type Entry, type Key, type Snapshot } from "../../storage/storage";
import type { ReportFinding } from "./finding";

const PAGE = 250;

export class DamagedSnapshot {
  constructor(
    readonly snapshot: Snapshot,
    readonly report: ReportFinding,
  ) {}

  /** The entries under a beginning of keys. Where one cannot be read, those behind it are read from the end. */
  async *entries(under: Key): AsyncGenerator<Entry, void> {
    let after: Key | undefined;
    let limit = PAGE;
    for (;;) {
      const entries = await this.#list({ under, after, limit });
      if (entries instanceof Corrupt && limit > 1) limit = 1;
      else if (entries instanceof Corrupt) {
        await this.report("unreadable", entries.message);
        return yield* this.#fromTheEnd(under, after, entries.message);
      } else {
        yield* entries;
        if (entries.length < limit) return;
        after = entries.at(-1)!.key;
      }
    }
  }

  async *#fromTheEnd(under: Key, after: Key | undefined, told: string): AsyncGenerator<Entry, void> {
    let before: Key | undefined;
    let limit = PAGE;
    for (;;) {
      const entries = await this.#list({ under, after, before, limit, reverse: true });
      if (entries instanceof Corrupt && limit > 1) limit = 1;
      else if (entries instanceof Corrupt) {
        if (entries.message !== told)
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

  /** The entries under keys. What cannot be read is `Corrupt`: whoever lists it tells. */
  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined | Corrupt)[]> {
    try {
      return keys.length === 0 ? [] : await this.snapshot.get(keys);
    } catch (error) {
      if (!(error instanceof Corrupt)) throw error;
      if (keys.length === 1) return [error];
    }
    const found: (Entry | undefined | Corrupt)[] = [];
    for (const key of keys) found.push(...(await this.get([key])));
    return found;
  }
}
