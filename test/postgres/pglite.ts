// PostgreSQL as a library in this process. One serves all tests of a worker.

import { PGlite } from "@electric-sql/pglite";

let starting: Promise<PGlite> | undefined;

export function pglite(): Promise<PGlite> {
  starting ??= PGlite.create();
  return starting;
}
