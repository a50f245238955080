// Puts the tables of an earlier day into a database.

import type { QueryClient } from "octavo/postgres";
import { jsonIn, keptFiles } from "../../storage/formats/kept-files";

/** The name that the schema had when it was written. */
const WRITTEN_AS = "octavo_format";

/** Makes a schema as the version of that day has made and filled it. */
export async function putBack(client: QueryClient, schema: string, number: number): Promise<void> {
  const files = await keptFiles(`postgres-${number}`);
  const migration = new TextDecoder().decode(files.get("migration.sql"));
  await client.query(migration.replaceAll(WRITTEN_AS, schema), []);
  for (const path of files.keys()) {
    if (!path.endsWith(".json")) continue;
    const table = `${schema}.${path.slice(0, -".json".length)}`;
    await client.query(`DELETE FROM ${table}`, []);
    const rows = JSON.stringify(jsonIn(files, path));
    await client.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(null::${table}, $1::text::jsonb)`, [
      rows,
    ]);
  }
}
