// A clock that counts the work of the processor and the waits for a distant storage, and nothing else: what other programs do
// on the machine takes no time. So a measurement on a busy machine says what an idle one would.

import { hasPausedTasks } from "../../../src/utils/concurrency/event-loop";

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Turns of the event loop in which nothing may happen before the clock is set forward. */
const IDLE_TURNS = 4;

/** To ask for the time of the processor takes time: so often the last answer serves again. */
const MOST_REPEATED = 50;

export class ModelClock {
  readonly #sleepers: Sleeper[] = [];
  #skipped = 0;
  #worked = processorMs();
  #repeated = 0;
  #isWatching = false;
  #changes = 0;
  #busyUntil = 0;

  /** `countsWork`: whether the time of the processor counts. Without that, the clock shows the waits alone. */
  constructor(private readonly countsWork = true) {}

  /** Milliseconds. */
  now(): number {
    if (!this.countsWork) return this.#skipped;
    if (this.#repeated++ === MOST_REPEATED) this.#measure();
    return this.#skipped + this.#worked;
  }

  #measure(): number {
    this.#repeated = 0;
    this.#worked = processorMs();
    return this.#worked;
  }

  /** Resolves when so many milliseconds have passed on this clock. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ until: this.now() + ms, wake });
      this.#changes++;
      if (!this.#isWatching) void this.#watch();
    });
  }

  /** Resolves when the only processor of the model has worked for so long on this, after all that came before. */
  work(ms: number): Promise<void> {
    this.#busyUntil = Math.max(this.#busyUntil, this.now()) + ms;
    return this.sleep(this.#busyUntil - this.now());
  }

  /** Wakes whoever is due. Where nothing happens, the time until then is skipped. */
  async #watch(): Promise<void> {
    this.#isWatching = true;
    let idle = 0;
    while (this.#sleepers.length > 0) {
      const changes = this.#changes;
      const before = this.#worked;
      await new Promise((resolve) => setImmediate(resolve));
      const isIdle = this.#measure() - before < 0.3 && changes === this.#changes && !hasPausedTasks() && !isReading();
      idle = isIdle ? idle + 1 : 0;
      const first = Math.min(...this.#sleepers.map(({ until }) => until));
      if (idle >= IDLE_TURNS) this.#skipped += Math.max(0, first - this.now());
      if (first > this.now()) continue;
      idle = 0;
      const now = this.now();
      const due = this.#sleepers.filter(({ until }) => until <= now).sort((a, b) => a.until - b.until);
      for (const sleeper of due) {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        sleeper.wake();
      }
    }
    this.#isWatching = false;
  }
}

/** The milliseconds of the processor that this process has used. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Whether a file is read: modules that are loaded when they are first needed. */
function isReading(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));
}
