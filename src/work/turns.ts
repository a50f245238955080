// Calls about one thing, one after the other within this process. Correctness never rests on it, commits see to that: it
// spares the work of preparing again what another caller in the same process has just made out of date.

/** Runs what belongs to one name in the order of the calls. A turn ends with its run, or before that with `leave`. */
export type Turns = <T>(name: string, run: (leave: () => void) => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
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
