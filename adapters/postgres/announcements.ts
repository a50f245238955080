// What processes tell each other: that work is wanted at a time. PostgreSQL passes it on to those that listen. Nothing
// depends on it: whoever hears nothing finds the work by looking for it.

import type { Database } from "./database";

const LONGEST_GAP_MS = 30_000;

export class Announcements {
  readonly #database: Database;
  /** Whoever announces something need not hear it. */
  readonly #self = crypto.randomUUID();
  readonly #stops = new Set<() => Promise<void>>();

  constructor(database: Database) {
    this.#database = database;
  }

  async announce(when: Date): Promise<void> {
    const told = `${this.#self} ${when.toISOString()}`;
    await this.#database.query("SELECT pg_notify($1, $2)::text", [this.#database.schema, told]);
  }

  /** A connection that was lost is made again. Then something may have been missed, so it is as if work were wanted now. */
  listen(hear: (when: Date) => void): () => Promise<void> {
    let end = async () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    let losses = 0;
    const heard = (told: string) => {
      const [from, when] = told.split(" ");
      // What is on its way when somebody stops listening is not told them any more.
      if (!isStopped && from !== this.#self && !Number.isNaN(Date.parse(when ?? ""))) hear(new Date(when!));
    };
    const lost = () => {
      end = async () => {};
      if (isStopped) return;
      timer = setTimeout(begin, Math.min(LONGEST_GAP_MS, 50 * 2 ** losses++));
      (timer as { unref?: () => void }).unref?.();
    };
    const begin = async () => {
      try {
        const ending = await this.#database.listen(heard, lost);
        if (isStopped) return await ending?.();
        if (ending) end = ending;
        if (losses > 0) hear(new Date());
        losses = 0;
      } catch {
        lost();
      }
    };
    const beginning = begin();
    const stop = async () => {
      isStopped = true;
      clearTimeout(timer);
      this.#stops.delete(stop);
      await beginning;
      await end();
    };
    this.#stops.add(stop);
    return stop;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#stops].map((stop) => stop()));
  }
}
