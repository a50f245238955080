// The clock: an object whose alarm has the work done that waits, at the time that this work itself has named. There is
// always a next alarm, also when the work fails or is stopped in the middle by the limits of a Worker.

import { type ObjectStorageLike, queryRows } from "./sqlite";

/** Does the work that waits, and says when it wants to be called next: `maintain()` of an API. */
export type Maintain = () => Promise<{ readonly next: Date }>;

/** Work that was stopped in the middle goes on after so long, in ms. */
const AGAIN_MS = 60_000;

export class Clock {
  readonly #storage: ObjectStorageLike;
  readonly #maintain: Maintain;

  constructor(storage: ObjectStorageLike, maintain: Maintain) {
    this.#storage = storage;
    this.#maintain = maintain;
  }

  /** Whether the object is a clock: one that was woken once. */
  static existsIn({ sql }: ObjectStorageLike): boolean {
    return queryRows(sql, "SELECT name FROM sqlite_master WHERE name = 'clock'").length > 0;
  }

  /** Sets the alarm to this time, unless it rings earlier. */
  async wake(at: number): Promise<void> {
    this.#storage.sql.exec("CREATE TABLE IF NOT EXISTS clock (one INTEGER PRIMARY KEY)");
    const set = await this.#storage.getAlarm();
    if (set === null || set > at) await this.#storage.setAlarm(at);
  }

  async ring(): Promise<void> {
    await this.#storage.setAlarm(Date.now() + AGAIN_MS);
    const { next } = await this.#maintain();
    await this.wake(next.getTime());
  }
}
