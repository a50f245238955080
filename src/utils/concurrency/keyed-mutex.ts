// Runs calls with the same key one after the other within this process. Correctness does not depend on it, because commits are
// checked. It avoids preparing work that another call in the same process would make outdated.

/** Runs the calls of one key in their order. A call releases the key when its function ends, or earlier with `release`. */
export type KeyedMutex = <T>(key: string, run: (release: () => void) => Promise<T>) => Promise<T>;

export function createKeyedMutex(): KeyedMutex {
  const lastCalls = new Map<string, Promise<void>>();
  return async (key, run) => {
    const previousCall = lastCalls.get(key);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    lastCalls.set(key, released);
    try {
      await previousCall;
      return await run(release);
    } finally {
      release();
      if (lastCalls.get(key) === released) lastCalls.delete(key);
    }
  };
}
