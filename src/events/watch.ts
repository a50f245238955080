// Watches partitions for new versions. There is one look at a partition at a time, however many watch it, and none when nobody
// does. A commit of this process wakes it at once; for those of others the storage is asked, less often while it is quiet.

import type { Store } from "../storage/store";
import type { Reader } from "../storage/transaction";

/** Hears of every look at a partition. */
export type Watcher = (view: Reader) => Promise<void>;

export interface Watches {
  /** Begins to watch. Gives what ends it, and what has the partition looked at after a time. */
  begin(partition: string, watcher: Watcher): { readonly end: () => void; readonly soon: (ms: number) => void };
}

/** A quiet partition is asked less and less often, up to this many times the shortest gap. */
const LONGEST = 4;

export function createWatches(store: Store, shortestMs: number, onError: (error: unknown) => void): Watches {
  const watched = new Map<string, Watched>();

  class Watched {
    readonly watchers = new Set<Watcher>();
    readonly #unwatch: () => void;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #dueAt = Number.POSITIVE_INFINITY;
    #gap = shortestMs;
    #version = -1;
    #isLooking = false;
    /** After what time somebody wants another look, while one is going on. */
    #wanted = Number.POSITIVE_INFINITY;

    constructor(readonly partition: string) {
      this.#unwatch = store.watch(partition, () => this.soon(0));
    }

    /** Looks after a time, unless it is looked at earlier anyway. */
    soon(ms: number): void {
      if (this.#isLooking) {
        this.#wanted = Math.min(this.#wanted, ms);
        return;
      }
      const dueAt = performance.now() + ms;
      if (dueAt >= this.#dueAt) return;
      clearTimeout(this.#timer);
      this.#dueAt = dueAt;
      this.#timer = setTimeout(() => void this.#look(), ms);
    }

    async #look(): Promise<void> {
      this.#isLooking = true;
      this.#wanted = Number.POSITIVE_INFINITY;
      this.#dueAt = Number.POSITIVE_INFINITY;
      try {
        const { view } = await store.look(this.partition);
        const isNew = view.version !== this.#version;
        this.#version = view.version;
        this.#gap = isNew ? shortestMs : Math.min(this.#gap * 1.5, shortestMs * LONGEST);
        for (const watcher of this.watchers) await watcher(view).catch(onError);
      } catch (error) {
        onError(error);
        this.#gap = shortestMs * LONGEST;
      }
      this.#isLooking = false;
      if (this.watchers.size > 0) this.soon(Math.min(this.#wanted, this.#gap));
    }

    leave(watcher: Watcher): void {
      this.watchers.delete(watcher);
      if (this.watchers.size > 0) return;
      clearTimeout(this.#timer);
      this.#unwatch();
      watched.delete(this.partition);
    }
  }

  return {
    begin(partition, watcher) {
      const it = watched.get(partition) ?? new Watched(partition);
      watched.set(partition, it);
      it.watchers.add(watcher);
      it.soon(shortestMs);
      return { end: () => it.leave(watcher), soon: (ms) => it.soon(ms) };
    },
  };
}
