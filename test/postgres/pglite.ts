// PostgreSQL as a library in this process. One serves all tests of a worker; each storage has a schema of its own.

import { PGlite } from "@electric-sql/pglite";
import type { Candidate } from "octavo/conformance";
import { type PostgresClient, type PostgresOptions, postgresStorage } from "octavo/postgres";

let starting: Promise<PGlite> | undefined;

export function pglite(): Promise<PGlite> {
  starting ??= PGlite.create();
  return starting;
}

let schemas = 0;

/** Storages in a schema of their own, which is gone afterwards. */
export async function inSchema(
  client: PostgresClient & { query(text: string): Promise<unknown> },
  options: PostgresOptions = {},
): Promise<Candidate> {
  const schema = `octavo_${process.pid}_${++schemas}`;
  const open = () => postgresStorage(client, { ...options, schema });
  let storage = open();
  return {
    storage,
    another: async () => open(),
    reopen: async () => {
      await storage.close();
      storage = open();
      return storage;
    },
    cleanup: async () => void (await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)),
  };
}
