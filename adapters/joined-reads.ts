// Joins reads: keys that are requested in the same turn are fetched together, each once.

import type { Entry, Key } from "../src/storage/storage";

type FetchEntries = (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Entry | undefined>>;

/** Returns a function that reads at least the given keys, with one `fetch` for all calls of a turn. */
export function joinReads(fetch: FetchEntries): FetchEntries {
  let joined: { readonly keys: Set<Key>; readonly entries: ReturnType<FetchEntries> } | undefined;
  return (requested) => {
    if (!joined) {
      const keys = new Set<Key>();
      const entries = Promise.resolve().then(() => {
        joined = undefined;
        return fetch([...keys]);
      });
      joined = { keys, entries };
    }
    for (const key of requested) joined.keys.add(key);
    return joined.entries;
  };
}
