// Two servers on one database, started as people start them, behave as one.

import { expect, test } from "vitest";
import { octavo, start } from "../cli/processes";
import { newSchema } from "./schemas";
import { postgresServer } from "./server";

const server = await postgresServer();

if ("leftOut" in server) console.log(`Two processes on one PostgreSQL were left out: ${server.leftOut}.`);
else {
  const secret = "a secret of more than thirty-two characters";

  test("two processes on one database see each other's writes at once, and refuse conflicts", async () => {
    const token = "an-operators-own-token";
    const common = { STORAGE: "postgres", DATABASE_URL: server.url, POSTGRES_SCHEMA: newSchema(), SECRET: secret };
    const environment = { ...common, ADMIN_TOKEN: token };
    const one = await start(environment);
    const other = await start(environment);
    const org = one.output.stdout.match(/org_\w+/)![0];
    expect(other.output.stdout).not.toContain("The organization's id");

    const put = (of: typeof one, title: string) =>
      of.ask(`/orgs/${org}/teams`, token, { method: "PUT", body: JSON.stringify({ title }) });
    for (let round = 0; round < 4; round++) {
      const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one];
      expect((await put(writer, `Team ${round}`)).status).toBe(201);
      const list = await (await reader.ask(`/orgs/${org}/teams`, token)).json();
      expect(list.count).toBe(round + 1);
      expect((await put(reader, `TEAM ${round}`)).status).toBe(409);
    }
    const answers = await Promise.all([one, other, one, other].map((of) => put(of, "The same")));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);

    one.child.kill("SIGTERM");
    expect(await one.exited).toBe(0);
    expect((await put(other, "Alone")).status).toBe(201);
    const doctor = octavo(["doctor"], common);
    expect([await doctor.exited, doctor.output.stdout]).toEqual([0, expect.stringMatching(/storage +can be opened/)]);
  });

  test("a server whose database is away refuses to start with a sentence that holds no password", async () => {
    const url = server.url.replace("octavo@", "octavo:hush@").replace(/postgres$/, "absent");
    const failing = octavo(["serve"], { STORAGE: "postgres", DATABASE_URL: url, SECRET: secret, PORT: "39996" });
    expect(await failing.exited).toBe(1);
    expect(failing.output.stderr).toMatch(/The database does not exist; create it first/);
    expect(failing.output.stderr).not.toMatch(/hush|^ +at /m);
  });
}
