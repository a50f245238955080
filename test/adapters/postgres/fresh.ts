// Storages on the PostgreSQL of this process, each in a schema of its own that is gone afterwards.

import { postgresStorage } from "octavo/postgres";
import pg from "pg";
import type { Opened } from "../../support/storages";
import { newSchema } from "./schemas";
import { postgresServer } from "./server";

const TABLES = ["partition", "entry", "past", "round", "upload", "chunk", "blob"];

let opening: Promise<pg.Pool> | undefined;

/** Idle connections keep no process from ending. */
async function pool(): Promise<pg.Pool> {
  const server = await postgresServer();
  if ("leftOut" in server) throw new Error(server.leftOut);
  return new pg.Pool({ connectionString: server.url, allowExitOnIdle: true });
}

/** An empty storage, or one with all that another schema holds. */
export async function freshPostgres(original?: string): Promise<Opened & { readonly schema: string }> {
  opening ??= pool();
  const client = await opening;
  const schema = newSchema();
  const storage = postgresStorage(client, { schema });
  if (original !== undefined) {
    await storage.migrate();
    for (const table of TABLES) await client.query(`INSERT INTO ${schema}.${table} SELECT * FROM ${original}.${table}`);
  }
  return { storage, schema, cleanUp: async () => void (await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)) };
}
