// Announcements between processes that work is due at a time. PostgreSQL delivers them to the listening processes. Nothing depends on
// them: a process that misses one finds the work when it looks for it.

import type { Database } from "./database";

const MAX_RECONNECT_MS = 30_000;

export class Announcements {
  readonly #database: Database;
  /** Identifies this process, which ignores its own announcements. */
  readonly #self = crypto.randomUUID();
  readonly #stops = new Set<() => Promise<void>>();

  constructor(database: Database) {
    this.#database = database;
  }

  async announce(when: Date): Promise<void> {
    const payload = `${this.#self} ${when.toISOString()}`;
    await this.#database.query("SELECT pg_notify($1, $2)::text", [this.#database.schema, payload]);
  }

  /** Listens, and reconnects after a connection was lost. An announcement may have been missed then, so `hear` is called with the current time. */
  listen(hear: (when: Date) => void): () => Promise<void> {
    let end = async () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    let losses = 0;
    const receive = (payload: string) => {
      const [from, when] = payload.split(" ");
      // An announcement may still arrive after the listener has stopped.
      if (!isStopped && from !== this.#self && !Number.isNaN(Date.parse(when ?? ""))) hear(new Date(when!));
    };
    const reconnect = () => {
      end = async () => {};
      if (isStopped) return;
      timer = setTimeout(connect, Math.min(MAX_RECONNECT_MS, 50 * 2 ** losses++));
      (timer as { unref?: () => void }).unref?.();
    };
    const connect = async () => {
      try {
        const ending = await this.#database.listen(receive, reconnect);
        if (isStopped) return await ending?.();
        if (ending) end = ending;
        if (losses > 0) hear(new Date());
        losses = 0;
      } catch {
        reconnect();
      }
    };
    const connecting = connect();
    const stop = async () => {
      isStopped = true;
      clearTimeout(timer);
      this.#stops.delete(stop);
      await connecting;
      await end();
    };
    this.#stops.add(stop);
    return stop;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#stops].map((stop) => stop()));
  }
}
