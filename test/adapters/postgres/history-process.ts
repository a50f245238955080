// A process of a history on the PostgreSQL that it is told, in a schema.

import pg from "pg";
import { postgresStorage, type QueryClient } from "../../../adapters/postgres";
import { isCareless, work } from "../../support/history-worker";

const [url, schema] = process.argv.slice(2) as [string, string];
const pool = new pg.Pool({ connectionString: url, max: 4 });
pool.on("error", () => {});

/** The control: no check arrives. */
const careless: QueryClient = {
  query: (text, values) =>
    pool.query(text, values?.length === 12 ? values.map((it, i) => (i === 4 || i === 5 ? "{}" : it)) : values),
};
// What was overwritten goes soon, so that readers miss it.
await work(postgresStorage(isCareless ? careless : pool, { schema, cacheBytes: 16 * 1024, retentionMs: 100 }));
