// Clients and roles that are against the adapter wherever PostgreSQL lets them be.

import type { QueryClient } from "octavo/postgres";
import pg from "pg";

/** Settings of which none may matter. */
const settings = {
  default_transaction_isolation: "serializable",
  synchronous_commit: "off",
  extra_float_digits: "-5",
  search_path: '""',
  standard_conforming_strings: "off",
  bytea_output: "escape",
  IntervalStyle: "sql_standard",
  DateStyle: "German",
  TimeZone: "Pacific/Kiritimati",
  enable_indexscan: "off",
  enable_bitmapscan: "off",
};

/** The address of a server for a role with these settings, which is made where it is missing. */
export async function hostileRole(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "DO $$ BEGIN IF to_regrole('hostile') IS NULL THEN CREATE ROLE hostile LOGIN; GRANT CREATE ON DATABASE postgres TO hostile; END IF; END $$",
  );
  for (const [name, value] of Object.entries(settings))
    await client.query(`ALTER ROLE hostile SET ${name} = ${value.startsWith('"') ? "''" : `'${value}'`}`);
  await client.end();
  const address = new URL(url);
  address.username = "hostile";
  return address.href;
}

/** A pooler that shares connections between transactions: every statement may have another one, which forgets it after. */
export function pooled(pool: pg.Pool): QueryClient {
  return {
    async query(text, values) {
      const client = await pool.connect();
      try {
        return await client.query(text, values);
      } finally {
        await client.query("DISCARD ALL").catch(() => {});
        client.release();
      }
    },
  };
}
