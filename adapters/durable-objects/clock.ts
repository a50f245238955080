// The clock: an object whose alarm runs the background work at the time that the work itself has requested. The next alarm is always set,
// even if the work fails or is stopped by the limits of a Worker.

import { type ObjectStorageLike, queryRows } from "./sqlite";

/** Runs the background work, and returns when it should run next: `maintain()` of an API. */
export type Maintain = () => Promise<{ readonly next: Date }>;

/** The time after which interrupted work continues, in milliseconds. */
const RETRY_MS = 60_000;

export class Clock {
  readonly #storage: ObjectStorageLike;
  readonly #maintain: Maintain;

  constructor(storage: ObjectStorageLike, maintain: Maintain) {
    this.#storage = storage;
    this.#maintain = maintain;
  }

  /** Returns whether the object is a clock, which means that `wake` has been called on it. */
  static existsIn({ sql }: ObjectStorageLike): boolean {
    return queryRows(sql, "SELECT name FROM sqlite_master WHERE name = 'clock'").length > 0;
  }

  /** Sets the alarm to a time, unless it is already set to an earlier one. */
  async wake(at: number): Promise<void> {
    this.#storage.sql.exec("CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY)");
    const current = await this.#storage.getAlarm();
    if (current === null || current > at) await this.#storage.setAlarm(at);
  }

  /** Runs the work and sets the next alarm. */
  async ring(): Promise<void> {
    await this.#storage.setAlarm(Date.now() + RETRY_MS);
    const { next } = await this.#maintain();
    await this.wake(next.getTime());
  }
}
