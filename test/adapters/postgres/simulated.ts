// Processes of a simulation on one PostgreSQL: each has a storage and a pool of the real client library, whose connections
// are wires to a PGlite in this process.

import type { Partition } from "octavo";
import { type PostgresOptions, type PostgresStorage, postgresStorage, type QueryClient } from "octavo/postgres";
import pg from "pg";
import { getPoolSettings } from "../../../adapters/postgres/client";
import { buildMigration } from "../../../adapters/postgres/schema";
import { Mortal, PARTITION, type SimulatedProcess } from "../../stress/simulate/day";
import { newPglite } from "./pglite";
import { ProtocolServer, Wire, type Wires } from "./wire";

export const SCHEMA = "octavo";
const TABLES = ["partition", "entry", "past", "round", "upload", "chunk", "blob"].map((table) => `${SCHEMA}.${table}`);

let starting: Promise<ProtocolServer> | undefined;
let days = 0;

/** The server of all days, with empty tables, or without any. What earlier days leave in its catalogue is cleaned up now
 * and then. */
export async function emptyServer(hasTables: boolean): Promise<ProtocolServer> {
  starting ??= newPglite().then((pglite) => new ProtocolServer(pglite));
  const server = await starting;
  if (++days % 100 === 0) server.run("VACUUM pg_catalog.pg_class");
  if (!hasTables) server.run(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  else {
    server.run(buildMigration(SCHEMA));
    server.run(`TRUNCATE ${TABLES.join(", ")}`);
  }
  return server;
}

/** A way to break the protocol in a process. */
export interface BrokenProcess {
  /** What the storage sees instead of its client. */
  readonly client?: (client: QueryClient) => QueryClient;
  /** What is seen of the storage. */
  readonly partition?: (partition: Partition) => Partition;
}

export class PostgresProcess extends Mortal implements SimulatedProcess {
  readonly storage: PostgresStorage;
  readonly partition: Partition;
  readonly #wires: Wires & { readonly random: (below: number) => number };
  readonly #lines: Wire[] = [];
  readonly #pool: pg.Pool;

  constructor(
    wires: Wires & { readonly random: (below: number) => number },
    { connections = 3, timeoutMs = 10_000, ...options }: PostgresOptions,
    broken: BrokenProcess = {},
  ) {
    super();
    this.#wires = wires;
    const pool = new pg.Pool({
      ...getPoolSettings({ connections, timeoutMs }),
      // The storage does not know a pool behind a broken client, and cannot say it itself.
      ...(broken.client ? { query_timeout: timeoutMs } : {}),
      user: "postgres",
      database: "postgres",
      stream: () => this.#newLine(),
    });
    // As where an address was given.
    pool.on("error", () => {});
    this.#pool = pool;
    this.storage = postgresStorage(broken.client?.(pool) ?? pool, { ...options, timeoutMs, schema: SCHEMA });
    const partition = this.storage.partition(PARTITION);
    this.partition = broken.partition?.(partition) ?? partition;
  }

  #newLine(): Wire {
    const line = new Wire(this.#wires);
    if (!this.isAlive) line.die(true);
    this.#lines.push(line);
    return line;
  }

  /** How many connections it has made. */
  get connections(): number {
    return this.#lines.length;
  }

  override crash(): void {
    super.crash();
    for (const line of this.#lines) line.die(this.#wires.random(2) === 0);
  }

  /** The server ends all connections. */
  shutDown(): void {
    for (const line of this.#lines) line.shutDown();
  }

  async tidy(): Promise<void> {
    await this.storage.maintain();
  }

  async close(): Promise<void> {
    await this.storage.close();
    await this.#pool.end();
  }
}
