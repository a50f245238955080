// What the design promises beyond the contract: what a call costs, what is kept and for how long, and what a caller is told
// when an object does not answer.

import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type DurableObjectOptions,
  durableObjectClass,
  durableObjectStorage,
  type ObjectNamespaceLike,
} from "octavo/durable-objects";
import { memoryStorage } from "octavo/memory";
import { r2Blobs } from "octavo/r2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildBatch } from "../../../adapters/conformance/cases";
import type { SentRound } from "../../../adapters/durable-objects/protocol";
import { keptFiles, visit } from "../../storage/formats/visit";
import { PATIENCE_MS } from "../../support/patience";
import { runFolder } from "../../support/run-folder";
import { startWorkerd, type Workerd } from "./workerd";

describe("in workerd", () => {
  let workerd: Workerd;
  beforeAll(async () => {
    workerd = await startWorkerd();
  });
  afterAll(() => workerd.stop());
  const run = (script: string) => workerd.run({ task: "script", prefix: script, script });

  test("overwritten values are kept for the grace period, and then an alarm removes them", async () => {
    expect(await run("pruning")).toEqual({
      seen: [
        { key: "a", value: 1, version: 1 },
        { key: "b", value: 1, version: 1 },
      ],
      kept: 3,
      tooOld: ["Unavailable", "none", expect.stringContaining("take a new one")],
      version: 2,
      left: [{ key: "a", value: 2, version: 2 }],
    });
  });

  test("reading a partition that does not exist creates nothing", async () => {
    expect(await run("looking")).toEqual({ found: [0, [null], [], []], tables: [] });
  });

  test("a partition is listed only after its first commit", async () => {
    const rows = ["begun", "done", "refused"].map((name) => ({ name, isSure: name === "refused" ? 0 : 1 }));
    expect(await run("naming")).toEqual([["done"], ["begun", "done"], rows]);
  });

  test("an object that was reset is detected by clients that saw a later state", async () => {
    expect(await run("restoring")).toEqual(["Corrupt", expect.stringContaining("at version 1 and was at 2")]);
  });

  test("data of format 1 opens undamaged and can be written", async () => {
    const folder = await mkdtemp(join(runFolder(), "kept-objects-"));
    const files = await keptFiles("durable-objects-1");
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    const opened = await startWorkerd({ folder });
    const { bucket } = opened;
    for (const [path, bytes] of files)
      if (path.startsWith("bucket/")) await bucket.put(path.slice("bucket/".length), bytes);
    await visit(durableObjectStorage(opened.objects, { blobs: r2Blobs(bucket), timeoutMs: PATIENCE_MS }), 1);
    await opened.stop();
  });

  test("an object of a later format is refused by its format number", async () => {
    expect(await run("later")).toEqual(["Corrupt", expect.stringContaining("of the format 2; this version reads 1")]);
  });

  test("alarms run waiting jobs again and again, even after a failure", async () => {
    expect(await run("waking")).toEqual({ isFar: true });
  });
});

interface Round {
  readonly kind: string;
  readonly given: readonly unknown[];
}

/** A binding to objects that answer as a test wants. */
function objects(answer: (call: Round, nth: number) => unknown): ObjectNamespaceLike & { readonly calls: Round[] } {
  const calls: Round[] = [];
  return {
    calls,
    idFromName: (name) => name,
    get: () =>
      new Proxy(
        {},
        {
          get:
            (_, kind) =>
            async (...given: unknown[]) => {
              const call = { kind: String(kind), given };
              calls.push(call);
              return answer(call, calls.length);
            },
        },
      ),
  };
}

function storageOn(binding: ObjectNamespaceLike, options: Partial<DurableObjectOptions> = {}) {
  return durableObjectStorage(binding, { blobs: memoryStorage().blobs, ...options });
}

const told = ({ given: [round] }: Round, version = 7) => ({
  told: (round as SentRound).batches.map((_, at) => ({ version: version + at })),
});

describe("calls to an object", () => {
  test("commits of one tick are one call, a snapshot is one call, and all reads of one tick are one call", async () => {
    const binding = objects((call) => {
      if (call.kind === "writeRound") return told(call);
      if (call.kind === "currentVersion") return { version: 9 };
      return { entries: (call.given[1] as string[]).map((key) => [key, 1, "1"]) };
    });
    const partition = storageOn(binding).partition("p");
    const put = (key: string) => partition.commit(buildBatch({ puts: { [key]: 1 } }));
    expect(await Promise.all(["a", "b", "c"].map(put))).toEqual([7, 8, 9].map((version) => ({ ok: true, version })));
    const [view] = await Promise.all([partition.snapshot(), partition.snapshot()]);
    await Promise.all([view.get(["a", "b"]), view.get(["b", "c"])]);
    expect(binding.calls.map(({ kind }) => kind)).toEqual(["writeRound", "currentVersion", "readEntries"]);
    expect(binding.calls.at(-1)!.given).toEqual([9, ["a", "b", "c"]]);
  });

  test("the first commit of a partition registers its name, and later commits do not", async () => {
    const binding = objects((call, nth) =>
      nth === 1 ? { mustRegister: true } : call.kind === "register" ? undefined : told(call),
    );
    const partition = storageOn(binding).partition("p");
    for (let i = 0; i < 2; i++) await partition.commit(buildBatch({ puts: { a: 1 } }));
    expect(binding.calls.map(({ kind }) => kind)).toEqual(["writeRound", "register", "writeRound", "writeRound"]);
  });

  test("a call without a response is sent again with its token and marked as a retry", async () => {
    const binding = objects((call, nth) => {
      if (nth < 3) throw new Error("Network connection lost.");
      return told(call);
    });
    expect(
      await storageOn(binding)
        .partition("p")
        .commit(buildBatch({ puts: { a: 1 } })),
    ).toEqual({ ok: true, version: 7 });
    const rounds = binding.calls.map(({ given: [round] }) => round as SentRound);
    expect(new Set(rounds.map(({ token }) => token)).size).toBe(1);
    expect(rounds.map(({ isDoubtful }) => isDoubtful)).toEqual([false, true, true]);
  });

  test.each([
    ["fails every time", () => Promise.reject(new Error("Network connection lost."))],
    ["never answers", () => new Promise(() => {})],
  ])("an object that %s makes only a write uncertain", async (_, answer) => {
    const partition = storageOn(objects(answer), { timeoutMs: 60 }).partition("p");
    const outcomes = await Promise.allSettled([
      partition.commit(buildBatch({ puts: { a: 1 } })),
      partition.commit(buildBatch({ checks: { a: 1 } })),
      partition.snapshot(),
    ]);
    expect(outcomes).toMatchObject(
      ["unknown", "none", "none"].map((outcome) => ({ reason: { name: "Unavailable", outcome } })),
    );
  });

  test.each([
    [
      { failed: "unavailable", message: "It is full." },
      { name: "Unavailable", outcome: "none" },
    ],
    [{ failed: "corrupt", message: "It is damaged." }, { name: "Corrupt" }],
  ])("the error %o of an object is passed on", async (answer, error) => {
    const partition = storageOn(objects(() => answer)).partition("p");
    await expect(partition.commit(buildBatch({ puts: { a: 1 } }))).rejects.toMatchObject(error);
    await expect(partition.snapshot()).rejects.toMatchObject(error);
  });

  test("an object that fails after a call without a response leaves the outcome uncertain", async () => {
    const binding = objects((_, nth) => {
      if (nth === 1) throw new Error("Network connection lost.");
      return { failed: "unavailable", message: "It is full." };
    });
    const commit = storageOn(binding)
      .partition("p")
      .commit(buildBatch({ puts: { a: 1 } }));
    await expect(commit).rejects.toMatchObject({ outcome: "unknown" });
  });

  test("a closed storage finishes its commits and accepts no more", async () => {
    const storage = storageOn(objects((call) => told(call)));
    const partition = storage.partition("p");
    const commit = partition.commit(buildBatch({ puts: { a: 1 } }));
    await storage.close();
    expect(await commit).toMatchObject({ ok: true });
    await expect(partition.snapshot()).rejects.toMatchObject({ name: "Closed" });
    await expect(storage.wake()).rejects.toMatchObject({ name: "Closed" });
  });
});

test("a retention time that is not a duration is rejected", () => {
  expect(() => durableObjectClass(Object, { retentionMs: Number.NaN })).toThrow(/retentionMs/);
});
