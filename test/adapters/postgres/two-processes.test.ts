// Two servers on one database, started as people start them, behave as one.

import { expect, test } from "vitest";
import { octavo } from "../../cli/processes";
import { SECRET, twoServersAreOne } from "../../support/two-servers";
import { newSchema } from "./schemas";
import { postgresServer } from "./server";

const server = await postgresServer();

if ("leftOut" in server) console.log(`Two processes on one PostgreSQL were left out: ${server.leftOut}.`);
else {
  test("two processes that start at once on an empty database create one organization and share it", async () => {
    const common = { STORAGE: "postgres", DATABASE_URL: server.url, POSTGRES_SCHEMA: newSchema() };
    await twoServersAreOne(common);
    const doctor = octavo(["doctor"], { ...common, SECRET });
    expect([await doctor.exited, doctor.output.stdout]).toEqual([
      0,
      expect.stringMatching(/storage +opened, read and written/),
    ]);
  });

  test("a server without its database refuses to start with a message that has no password", async () => {
    const url = server.url.replace("octavo@", "octavo:hush@").replace(/postgres$/, "absent");
    const failing = octavo(["serve"], { STORAGE: "postgres", DATABASE_URL: url, SECRET, PORT: "39996" });
    expect(await failing.exited).toBe(1);
    expect(failing.output.stderr).toMatch(/The database does not exist; create it first/);
    expect(failing.output.stderr).not.toMatch(/hush|^ +at /m);
  });
}
