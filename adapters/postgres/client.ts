// The client libraries. `pg`, `postgres` and PGlite send a text with parameters and give rows; nothing more is asked of
// them. No session is used: a statement may go over any connection, so a pooler may share connections between
// transactions.

import { omitUndefined } from "../../src/utils/objects";
import { Unavailable } from "../adapter";

/** A row: all columns are text. */
export type PostgresRow = Readonly<Record<string, string | null>>;

/** A `Pool` or `Client` of the package `pg`, a PGlite, or anything else with such a function. */
export interface QueryClient {
  query(text: string, values?: string[]): Promise<{ readonly rows: readonly unknown[] } | readonly unknown[]>;
}

/** What the package `postgres` makes. */
export interface UnsafeClient {
  unsafe(text: string, values?: string[]): PromiseLike<readonly unknown[]>;
}

export type PostgresClient = QueryClient | UnsafeClient;

export interface PostgresConnection {
  readonly query: (text: string, values: (string | null)[]) => Promise<readonly PostgresRow[]>;
  /** Hears a channel until the end that it gives is called, or until the connection is lost; absent: the client cannot. */
  readonly listen?: Listen | undefined;
  readonly close: () => Promise<void>;
}

type Listen = (channel: string, hear: (told: string) => void, lost: () => void) => Promise<() => Promise<void>>;

/** A client of the host, which stays the host's to close. */
export function createConnection(client: PostgresClient | SessionPool, timeoutMs: number): PostgresConnection {
  return {
    async query(text, values) {
      // A null among the values is as good as a text to all of them, though not all of their types say so.
      const given = values.length === 0 ? undefined : (values as string[]);
      const answer =
        "unsafe" in client
          ? await client.unsafe(text, values as string[])
          : "totalCount" in client
            ? await client.query({ text, ...omitUndefined({ values: given }), query_timeout: timeoutMs })
            : await client.query(text, given);
      return ("rows" in answer ? answer.rows : answer) as readonly PostgresRow[];
    },
    listen: createListen(client),
    close: async () => {},
  };
}

/** What the package `postgres` makes, and a PGlite, can listen. The former connects again by itself. */
interface ListeningClient {
  listen(channel: string, hear: (told: string) => void): Promise<(() => Promise<void>) | { unlisten(): Promise<void> }>;
}

/** A `Pool` of `pg` gives a connection to keep. It gives a connection up on which no answer came for so long: otherwise one
 * that has fallen silent would stay in use for ever, and in the end there would be no other. */
interface SessionPool {
  readonly totalCount: number;
  query(statement: {
    readonly text: string;
    readonly values?: string[];
    readonly query_timeout: number;
  }): Promise<{ readonly rows: readonly unknown[] }>;
  connect(): Promise<Session>;
}

interface Session {
  query(text: string): Promise<unknown>;
  on(event: "notification", hear: (told: { readonly payload?: string }) => void): unknown;
  on(event: "error" | "end", hear: () => void): unknown;
  release(isBroken: boolean): void;
}

function createListen(client: PostgresClient | ListeningClient | SessionPool): Listen | undefined {
  if ("listen" in client)
    return async (channel, hear) => {
      const end = await client.listen(channel, hear);
      return typeof end === "function" ? end : () => end.unlisten();
    };
  if (!("totalCount" in client)) return undefined;
  return async (channel, hear, lost) => {
    const session = await client.connect();
    let isOver = false;
    const end = () => {
      if (isOver) return false;
      isOver = true;
      session.release(true);
      return true;
    };
    const cut = () => void (end() && lost());
    session.on("error", cut);
    session.on("end", cut);
    session.on("notification", ({ payload = "" }) => hear(payload));
    try {
      await session.query(`LISTEN "${channel}"`);
    } catch (error) {
      end();
      throw error;
    }
    return async () => void end();
  };
}

interface ConnectOptions {
  readonly connections: number;
  readonly timeoutMs: number;
}

/** The settings of a `Pool` of `pg`. */
export function getPoolSettings({ connections, timeoutMs }: ConnectOptions) {
  return {
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    application_name: "octavo",
    // Whoever listens sends nothing, and would not notice that the other end is gone.
    keepAlive: true,
  };
}

/** A connection to an address, by whichever of the two packages is installed; `pg` comes first. */
export async function connect(url: string, options: ConnectOptions) {
  const pg = await import("pg").catch(() => undefined);
  if (pg) {
    const { Pool } = pg.default ?? pg;
    const pool = new Pool({ connectionString: url, ...getPoolSettings(options) });
    // A connection that ends while nobody uses it is replaced by the next call; without a listener it would end the process.
    pool.on("error", () => {});
    return { ...createConnection(pool, options.timeoutMs), close: () => pool.end() };
  }
  const postgres = await import("postgres").catch((cause) => {
    const message = "Neither of the packages `pg` and `postgres` could be loaded; install one of them beside octavo.";
    throw new Unavailable(message, { outcome: "none", cause });
  });
  const sql = postgres.default(url, {
    max: options.connections,
    connect_timeout: options.timeoutMs / 1000,
    fetch_types: false,
    prepare: false,
    onnotice: () => {},
  });
  return { ...createConnection(sql as UnsafeClient, options.timeoutMs), close: () => sql.end() };
}
