// The doctor says what is well and what to do about the rest.

import { chmod, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { levelStorage } from "octavo/level";
import { expect, test } from "vitest";
import { inspectNodeVersion } from "../../cli/commands/doctor/inspect-machine";
import { afterwards, listen } from "../node/servers";
import { freePort } from "../support/listening";
import { ran } from "./run";
import { served, stored } from "./servers";

interface Report {
  readonly healthy: boolean;
  readonly found: readonly { readonly state: string; readonly what: string; readonly says: string }[];
}

async function report(args: readonly string[], env: Record<string, string>) {
  const { status, stdout } = await ran(["doctor", "--json", ...args], env);
  const { healthy, found } = JSON.parse(stdout) as Report;
  expect(status).toBe(healthy ? 0 : 1);
  const of = (what: string) => found.find((it) => it.what === what);
  return { healthy, of, all: found };
}

test("doctor reports a healthy storage, one with open permissions, one that a server holds and one without its secret", async () => {
  const { data, env } = await stored(async () => undefined);
  const port = ["--port", String(await freePort())];
  await chmod(data, 0o700);
  const well = await report(port, env);
  expect(well.all.map(({ state, what }) => `${state} ${what}`)).toEqual(
    expect.arrayContaining(["ok Node", "ok level", "ok data", "ok disk", "ok secret", "ok storage"]),
  );
  expect(well.healthy).toBe(true);

  await chmod(data, 0o755);
  expect((await report(port, env)).of("data")).toMatchObject({
    state: "warn",
    says: expect.stringContaining("chmod 700"),
  });

  const held = levelStorage(data);
  for await (const _ of held.partitions()) break;
  afterwards(() => held.close());
  expect((await report(port, env)).of("storage")).toMatchObject({ state: "warn" });
  await held.close();

  await rm(join(data, "secret"), { force: true });
  const ill = await report(port, { DATA_DIR: data });
  expect([ill.healthy, ill.of("secret")?.state]).toEqual([false, "fail"]);
  expect((await report(port, { DATA_DIR: "/nowhere/data" })).of("data")).toMatchObject({ state: "fail" });
});

test("doctor reports a server that answers, a token it rejects, a port in use and no server at all", async () => {
  const { env } = await served();
  const well = await report([], env);
  expect(well.of("token")).toMatchObject({ state: "ok", says: "belongs to ada@example.com" });
  expect(well.of("clock")).toMatchObject({ state: "ok" });
  const refused = await report([], { ...env, OCTAVO_TOKEN: "somebody-elses-token" });
  expect([refused.healthy, refused.of("token")?.state]).toEqual([false, "fail"]);
  const away = await report([], { OCTAVO_URL: "http://127.0.0.1:1" });
  expect([away.healthy, away.of("server")?.state]).toEqual([false, "fail"]);
  const port = await listen(createServer());
  expect((await report(["--port", String(port)], {})).of(`port ${port}`)).toMatchObject({ state: "warn" });
});

test("doctor reports an address that requests may not reach", async () => {
  const { of } = await report(["--fetch", "http://127.0.0.1:1/"], { PORT: String(await freePort()) });
  expect(of("outbound")).toMatchObject({ state: "warn" });
});

test.each([
  ["v20.18.9", "fail"],
  ["v20.19.0", "ok"],
  ["v24.0.0", "ok"],
  ["v18.20.0", "fail"],
])("doctor rates Node %s as %s", (version, state) => {
  expect(inspectNodeVersion(version)).toMatchObject({ state });
});
