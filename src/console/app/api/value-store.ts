// A value that components subscribe to.

import { useEffect, useState } from "preact/hooks";

export interface ValueStore<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls `watcher` after every change. Returns a function that unsubscribes it. */
  readonly watch: (watcher: () => void) => () => void;
}

export function createStore<Value>(first: Value): ValueStore<Value> {
  let value = first;
  const watchers = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const watcher of [...watchers]) watcher();
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

/** Returns the value of a store, and renders the component again when it changes. */
export function useStore<Value>(store: ValueStore<Value>): Value {
  const [, draw] = useState({});
  useEffect(() => store.watch(() => draw({})), [store]);
  return store.get();
}
