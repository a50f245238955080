// The client libraries. `pg`, `postgres` and PGlite only have to send a text with parameters and return rows. No session state is used:
// each statement may use another connection, so a pooler can share connections between transactions.

import { omitUndefined } from "../../src/utils/objects";
import { Unavailable } from "../adapter";

/** A row. All columns are text. */
export type PostgresRow = Readonly<Record<string, string | null>>;

/** A `Pool` or `Client` of the package `pg`, a PGlite, or any other object with such a function. */
export interface QueryClient {
  query(text: string, values?: string[]): Promise<{ readonly rows: readonly unknown[] } | readonly unknown[]>;
}

/** A client of the package `postgres`. */
export interface UnsafeClient {
  unsafe(text: string, values?: string[]): PromiseLike<readonly unknown[]>;
}

export type PostgresClient = QueryClient | UnsafeClient;

export interface PostgresConnection {
  readonly query: (text: string, values: (string | null)[]) => Promise<readonly PostgresRow[]>;
  /** Listens on a channel until the returned function is called or the connection is lost. Absent if the client cannot listen. */
  readonly listen?: Listen | undefined;
  readonly close: () => Promise<void>;
}

type Listen = (channel: string, hear: (payload: string) => void, lost: () => void) => Promise<() => Promise<void>>;

/** Creates a connection from a client of the host, which the host closes. */
export function createConnection(client: PostgresClient | SessionPool, timeoutMs: number): PostgresConnection {
  return {
    async query(text, values) {
      // All clients accept null among the values, although not all of their types say so.
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

/** A client of the package `postgres`, or a PGlite. The former reconnects by itself. */
interface ListeningClient {
  listen(
    channel: string,
    hear: (payload: string) => void,
  ): Promise<(() => Promise<void>) | { unlisten(): Promise<void> }>;
}

/**
 * A `Pool` of `pg`, which provides connections for listening. `query_timeout` makes it drop a connection that does not respond:
 * otherwise such connections would remain in use forever until none is left.
 */
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
  on(event: "notification", hear: (notification: { readonly payload?: string }) => void): unknown;
  on(event: "error" | "end", hear: () => void): unknown;
  release(isBroken: boolean): void;
}

/** Returns the function with which a client listens; undefined if it cannot. */
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

/** Returns the settings of a `Pool` of `pg`. */
export function getPoolSettings({ connections, timeoutMs }: ConnectOptions) {
  return {
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    application_name: "octavo",
    // A listening connection sends nothing, so it would not notice that the server is gone.
    keepAlive: true,
  };
}

/** Connects to an address, using the one of the two packages that is installed. `pg` is preferred. */
export async function connect(url: string, options: ConnectOptions) {
  const pg = await import("pg").catch(() => undefined);
  if (pg) {
    const { Pool } = pg.default ?? pg;
    const pool = new Pool({ connectionString: url, ...getPoolSettings(options) });
    // The next call replaces an idle connection that has ended. Without a listener, the error would end the process.
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
