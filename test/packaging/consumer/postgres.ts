// A program with a database that is not there: the door opens without any client library, and the first use says what went
// wrong.

import { postgresStorage, type QueryClient } from "octavo/postgres";

const client: QueryClient = {
  async query() {
    throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  },
};
const error: unknown = await postgresStorage(client)
  .partition("directory")
  .snapshot()
  .catch((reason: unknown) => reason);
if (!(error instanceof Error) || error.name !== "Unavailable") throw new Error(`A database that is away: ${error}`);
