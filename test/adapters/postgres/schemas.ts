// Storages that each have a schema of their own on one server.

import type { Candidate } from "octavo/conformance";
import { type PostgresClient, type PostgresOptions, postgresStorage } from "octavo/postgres";

/** Who removes a schema. */
interface Cleaner {
  query(text: string): Promise<unknown>;
}

let made = 0;

/** A name that no other schema of this server has. */
export function newSchema(): string {
  return `octavo_${process.pid}_${++made}`;
}

/** Storages in a schema that is gone afterwards. */
export async function inSchema(
  location: string | PostgresClient,
  cleaner: Cleaner,
  options: PostgresOptions = {},
): Promise<Candidate> {
  const schema = newSchema();
  const open = () => postgresStorage(location, { ...options, schema });
  let storage = open();
  return {
    storage,
    another: async () => open(),
    reopen: async () => {
      await storage.close();
      storage = open();
      return storage;
    },
    cleanup: async () => void (await cleaner.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)),
  };
}
