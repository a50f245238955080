// Calls about one thing, one after the other within this process. Correctness never rests on it, commits see to that: it
// spares the work of preparing again what another caller in the same process has just made out of date.

/** Runs what belongs to one name in the order of the calls. */
export type Turns = <T>(name: string, run: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return async (name, run) => {
    const before = last.get(name);
    const mine = (async () => {
      await before?.catch(() => undefined);
      return run();
    })();
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
