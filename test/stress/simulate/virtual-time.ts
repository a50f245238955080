// Virtual time that passes only when no task can run: a simulation of minutes takes milliseconds, and the order of all
// events follows from the seed.

/** What `Date.now` gives at the beginning of a day. */
const MIDNIGHT = Date.UTC(2026, 0, 1);

export async function inVirtualTime<T>(
  time: VirtualTime,
  random: (below: number) => number,
  work: () => Promise<T>,
): Promise<T> {
  const { setTimeout, clearTimeout } = globalThis;
  const { now } = Date;
  const { random: chance } = Math;
  const begin = (ring: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const timer = { stop: time.alarm(ms, () => ring(...given)), ref: () => timer, unref: () => timer };
    return timer;
  };
  Object.assign(globalThis, {
    setTimeout: begin,
    clearTimeout: (timer: { stop?: () => void } | undefined) => timer?.stop?.(),
  });
  Date.now = () => MIDNIGHT + Math.floor(time.now());
  Math.random = () => random(1_000_000) / 1_000_000;
  try {
    return await time.run(work());
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    Date.now = now;
    Math.random = chance;
  }
}

export class VirtualTime {
  /** Calls back when all has happened that follows from an event. */
  readonly #afterwards: (back: () => void) => void;
  #now = 0;
  #count = 0;
  readonly #waiting: { readonly at: number; readonly turn: number; readonly wake: () => void }[] = [];

  constructor(afterwards: (back: () => void) => void = setImmediate) {
    this.#afterwards = afterwards;
  }

  now = (): number => this.#now;

  /** Waits so many ms of virtual time. */
  pause = (ms: number): Promise<void> =>
    new Promise((wake) => {
      this.#waiting.push({ at: this.#now + Math.max(0, ms), turn: this.#count++, wake });
    });

  /** Rings after so many ms of virtual time, unless it is taken back. */
  alarm = (ms: number, ring: () => void): (() => void) => {
    const waiting = { at: this.#now + Math.max(0, ms), turn: this.#count++, wake: ring };
    this.#waiting.push(waiting);
    return () => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  };

  /** Lets time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let working = true;
    const finish = () => {
      working = false;
    };
    work.then(finish, finish);
    for (;;) {
      await new Promise<void>(this.#afterwards);
      if (!working) return work;
      const next = this.#take();
      if (!next) throw new Error("Everybody waits for somebody else.");
      this.#now = next.at;
      next.wake();
    }
  }

  #take() {
    let first = 0;
    for (let i = 1; i < this.#waiting.length; i++) {
      const [a, b] = [this.#waiting[i]!, this.#waiting[first]!];
      if (a.at < b.at || (a.at === b.at && a.turn < b.turn)) first = i;
    }
    return this.#waiting.splice(first, 1)[0];
  }
}
