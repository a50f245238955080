// Runs calls about one thing one after the other within this process. Correctness does not depend on it, because
// commits are checked. It avoids preparing work that another call in the same process makes out of date.

/** Runs the calls of one name in their order. A turn ends when its function ends, or earlier with `leave`. */
export type KeyedMutex = <T>(name: string, run: (leave: () => void) => Promise<T>) => Promise<T>;

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<void>>();
  return async (name, run) => {
    const before = last.get(name);
    let leave = () => {};
    const turn = new Promise<void>((over) => {
      leave = over;
    });
    last.set(name, turn);
    try {
      await before;
      return await run(leave);
    } finally {
      leave();
      if (last.get(name) === turn) last.delete(name);
    }
  };
}
