// Storages are copied, kept, restored and checked by commands.

import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { levelStorage } from "octavo/level";
import { expect, test } from "vitest";
import { createTerminal } from "../../cli/framework/terminal";
import { showProgress } from "../../cli/storage/show-progress";
import { encodeKey } from "../../src/storage/key";
import { dump } from "../support/setting";
import { ran } from "./run";
import { stored } from "./servers";

async function contents(data: string) {
  const storage = levelStorage(data);
  const found = await dump(storage);
  await storage.close();
  return found;
}

test("a storage is copied, verified, backed up to a folder and restored with its secret", async () => {
  const { data, env } = await stored(async () => undefined);
  const beside = (name: string) => join(data, "..", `${Date.now()}-${name}`);
  await writeFile(join(data, "secret"), env.SECRET!);
  const wanted = await contents(data);

  const copy = beside("copy");
  const copied = await ran(["copy-storage", "--to-data", copy], env);
  expect([copied.status, copied.stdout]).toEqual([0, expect.stringMatching(/^Copied \d+ entries/)]);
  expect(copied.stderr).toContain("partitions checked");
  expect(await contents(copy)).toEqual(wanted);
  expect(await readFile(join(copy, "secret"), "utf8")).toBe(env.SECRET);
  expect(await ran(["copy-storage", "--to-data", copy], env)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("not empty"),
  });
  expect((await ran(["copy-storage"], env)).stderr).toContain("Specify the target");
  expect((await ran(["verify", "--data", "/nowhere/data"])).stderr).toContain("Folder not found");

  const folder = beside("backups");
  await mkdir(folder);
  const first = JSON.parse((await ran(["backup", folder, "--json"], env)).stdout);
  const second = JSON.parse((await ran(["backup", folder, "--json"], env)).stdout);
  expect([first.needs, second.needs]).toEqual([[], [first.id]]);
  const again = beside("restored");
  expect((await ran(["restore", folder, "--data", again])).stdout).toMatch(/^Restored \d+ entries/);
  expect(await contents(again)).toEqual(wanted);
  const file = beside("alone.octavo");
  expect((await ran(["backup", file], env)).status).toBe(0);
  expect((await ran(["backup", file], env)).stderr).toContain("already exists");
  await truncate(file, 1000);
  expect((await ran(["restore", file, "--data", beside("cut")])).stderr).toContain(
    "The backup is cut: it ends at byte 1000",
  );
  expect((await readdir(folder)).every((name) => name.endsWith(".octavo"))).toBe(true);
});

test("verify reports a whole storage, a damaged one and a repaired one", async () => {
  const { data, env } = await stored(async () => undefined);
  const whole = await ran(["verify"], env);
  expect([whole.status, whole.stdout]).toEqual([0, expect.stringContaining("No problems found.")]);
  const storage = levelStorage(data);
  const [index] = await (await storage.partition("directory").snapshot()).list({ under: encodeKey("i"), limit: 1 });
  await storage.partition("directory").commit({ checks: [], puts: [], deletes: [index!.key], adds: [] });
  await storage.close();
  const damaged = await ran(["verify", "--json"], env);
  expect([damaged.status, JSON.parse(damaged.stdout)]).toMatchObject([1, { whole: false, damaged: 1 }]);
  expect((await ran(["verify", "--repair"], env)).stdout).toContain("repaired  directory: ");
  expect((await ran(["verify"], env)).status).toBe(0);
});

test("progress is a bar on a terminal", () => {
  let written = "";
  const write = (text: string) => {
    written += text;
  };
  const sink = { write, isTTY: true, columns: 200 };
  const { onProgress, end } = showProgress(createTerminal(sink, sink));
  onProgress({ step: "blobs", done: 1, total: 2, entries: 0 });
  onProgress({ step: "entries", done: 1, total: 4, entries: 250, partition: "directory" });
  end();
  expect(written).toContain("] 1/2 blobs");
  expect(written).toContain("[######------------------] 1/4 partitions, 250 entries");
});
