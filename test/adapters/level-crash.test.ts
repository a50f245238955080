// Kills a process that writes to LevelDB at a random moment, many times over the same directory. Afterwards every
// acknowledged commit must be there, and every batch entirely or not at all. This does not simulate a power cut; for
// that, `level.test.ts` checks that every write asks for a sync.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { levelStorage } from "octavo/level";
import { build } from "tsup";
import { expect, test } from "vitest";
import { createSeededRandom } from "../../adapters/conformance/cases";
import type { Entry, Partition, Storage } from "../../src/storage/storage";
import { historySeed, runs } from "../support/test-length";
import { accountKey, accounts, markerKeys, opening, partitions, transferOf } from "./crash-ledger";

const ROUNDS = runs(60);

interface Acknowledged {
  readonly partition: string;
  readonly id: string;
  readonly version: number;
}

/** The writer as plain JavaScript, since a hundred processes that each compile it take minutes. */
async function compileWriter(): Promise<{ script: string; remove: () => Promise<void> }> {
  // Below node_modules, so that its own imports are found, and under a name that no other run has.
  const outDir = join("node_modules", ".cache", `octavo-crashing-writer-${process.pid}`);
  const entry = { writer: "test/adapters/crashing-writer.ts" };
  await build({ entry, outDir, format: "esm", external: ["level"], config: false, silent: true });
  return { script: join(outDir, "writer.js"), remove: () => rm(outDir, { recursive: true, force: true }) };
}

type Writer = ChildProcessByStdio<Writable, Readable, null>;

/** Lets a writer that waits begin, kills it some time after its first acknowledgement, and gives all that it got. */
async function runAndKill(writer: Writer, delay: number): Promise<Acknowledged[]> {
  let output = "";
  const exited = once(writer, "close");
  writer.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (output === "") setTimeout(() => writer.kill("SIGKILL"), delay);
    output += text;
  });
  writer.stdin.write("go\n");
  const [code, signal] = await exited;
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  // Behind the last line end is at most a part of a line.
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [partition, id, version] = line.split(" ") as [string, string, string];
      return { partition, id, version: Number(version) };
    });
}

async function openBank(storage: Storage): Promise<void> {
  for (const name of partitions) {
    const puts = Array.from({ length: accounts }, (_, i) => ({ key: accountKey(i), value: opening }));
    await storage.partition(name).commit({ checks: [], puts, deletes: [], adds: [] });
  }
}

/** The acknowledged commits of which not every marker is there, with the version that was acknowledged. */
async function lost(storage: Storage, acknowledged: readonly Acknowledged[]): Promise<Acknowledged[]> {
  const missing: Acknowledged[] = [];
  for (const name of partitions) {
    const own = acknowledged.filter(({ partition }) => partition === name);
    const found = await (await storage.partition(name).snapshot()).get(own.flatMap(({ id }) => markerKeys(id)));
    own.forEach((commit, i) => {
      const markers = found.slice(i * 3, i * 3 + 3);
      if (!markers.every((marker) => marker?.version === commit.version)) missing.push(commit);
    });
  }
  return missing;
}

async function entriesUnder(partition: Partition, under: string): Promise<readonly Entry[]> {
  return (await partition.snapshot()).list({ under, limit: Number.POSITIVE_INFINITY });
}

const sum = (entries: readonly Entry[]) => entries.reduce((total, { value }) => total + (value as number), 0);

test("a killed process never loses an acknowledged commit or leaves a torn batch", async () => {
  const began = performance.now();
  const random = createSeededRandom(historySeed);
  const directory = await mkdtemp(join(tmpdir(), "octavo-crash-"));
  const { script, remove } = await compileWriter();
  const spawnWriter = (round: number) =>
    spawn(process.execPath, [script, directory, String(round)], { stdio: ["pipe", "pipe", "inherit"] });

  let storage = levelStorage(directory);
  await openBank(storage);
  await storage.close();

  const acknowledged: Acknowledged[] = [];
  // The next writer starts up while its predecessor is at work, and waits.
  let next = spawnWriter(0);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const writer = next;
      next = spawnWriter(round + 1);
      const own = await runAndKill(writer, 20 + random(231));
      acknowledged.push(...own);
      storage = levelStorage(directory);
      expect(await lost(storage, own), `lost in round ${round} of seed ${historySeed}`).toEqual([]);
      await storage.close();
    }
  } finally {
    next.kill("SIGKILL");
    await remove();
  }

  storage = levelStorage(directory);
  let present = 0;
  let torn = 0;
  for (const name of partitions) {
    const partition = storage.partition(name);
    const transfers = new Map<string, Entry[]>();
    for (const marker of await entriesUnder(partition, "marker/")) {
      const id = transferOf(marker.key);
      transfers.set(id, [...(transfers.get(id) ?? []), marker]);
    }
    const versions = new Set<number>();
    for (const markers of transfers.values()) {
      if (markers.length !== 3 || new Set(markers.map(({ version }) => version)).size !== 1) torn++;
      versions.add(markers[0]!.version);
    }
    present += transfers.size;
    // Money and counters moved with the markers or not at all, and no two transfers have a version in common.
    expect(sum(await entriesUnder(partition, "account/"))).toBe(accounts * opening);
    expect(sum(await entriesUnder(partition, "transfers"))).toBe(transfers.size);
    expect(versions.size).toBe(transfers.size);
    expect(versions.has(transfers.size + 1)).toBe(true);
    expect((await partition.snapshot()).version).toBe(transfers.size + 1);
    // Versions grow from each process to the next.
    const rounds = acknowledged.filter((commit) => commit.partition === name);
    for (let i = 1; i < rounds.length; i++)
      if (roundOf(rounds[i]!) !== roundOf(rounds[i - 1]!))
        expect(rounds[i]!.version).toBeGreaterThan(rounds[i - 1]!.version);
  }
  const missing = await lost(storage, acknowledged);
  await storage.close();
  await rm(directory, { recursive: true, force: true });

  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `LevelDB killed ${ROUNDS} times in ${seconds} s (seed ${historySeed}): ${acknowledged.length} commits acknowledged, ` +
      `${present - acknowledged.length} present without an acknowledgement, torn=${torn}, lost=${missing.length}`,
  );
  expect({ torn, lost: missing.length }).toEqual({ torn: 0, lost: 0 });
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
});

function roundOf({ id }: Acknowledged): string {
  return id.slice(0, id.indexOf("-"));
}
