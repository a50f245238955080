// What each kind of call costs: requests are what an object store takes time and money for.

import { beforeEach, describe, expect, test } from "vitest";
import { buildBatch, createSeededRandom } from "../../../adapters/conformance/cases";
import { createObjectStorage } from "../../../adapters/s3/engine";
import type { Condition, ObjectRange } from "../../../adapters/s3/object-store";
import { ObjectsInMemory } from "./objects-in-memory";

/** Counts requests, and lets them take as many turns as a test wants. */
class CountedObjects extends ObjectsInMemory {
  readonly sent: string[] = [];
  /** Requests wait for this. */
  gate: Promise<void> | undefined;

  override async put(name: string, bytes: Uint8Array, condition?: Condition) {
    this.sent.push(`PUT ${name[0]}`);
    await this.gate;
    return super.put(name, bytes, condition);
  }
  override async get(
    name: string,
    options: { ifNoneMatch?: string | undefined; range?: ObjectRange | undefined } = {},
  ) {
    await this.gate;
    const got = await super.get(name, options);
    this.sent.push(`GET ${name[0]}${options.range ? " part" : ""}${got.outcome === "unchanged" ? " 304" : ""}`);
    return got;
  }
  override async delete(name: string) {
    this.sent.push(`DELETE ${name[0]}`);
    return super.delete(name);
  }
  override async *list(prefix: string, after?: string) {
    this.sent.push(`LIST ${prefix[0]}`);
    yield* super.list(prefix, after);
  }

  /** What was sent since the last call. */
  take(): string[] {
    return this.sent.splice(0);
  }
}

describe("requests", () => {
  let objects: CountedObjects;
  const open = (options: Parameters<typeof createObjectStorage>[1] = {}) =>
    createObjectStorage(objects, { testConditions: false, ...options });
  /** A partition with something in it, whose requests wait until they are released. */
  const heldUp = async () => {
    const p = open().partition("p");
    await p.commit(buildBatch({ puts: { a: 1 } }));
    objects.take();
    let release = () => {};
    objects.gate = new Promise((resolve) => {
      release = resolve;
    });
    return { p, release };
  };

  beforeEach(() => {
    objects = new CountedObjects();
  });

  test("the probe takes five PUTs, a GET and a DELETE, once per storage", async () => {
    const storage = createObjectStorage(objects);
    await Promise.all([storage.partition("p").commit(buildBatch({})), storage.partition("q").commit(buildBatch({}))]);
    await storage.partition("p").commit(buildBatch({}));
    const sent = objects.take().filter((request) => request.endsWith(" p"));
    expect(sent).toEqual([...Array(5).fill("PUT p"), "GET p", "DELETE p"]);
  });

  test("a reader needs no probe", async () => {
    await (await createObjectStorage(objects).partition("p").snapshot()).get(["a"]);
    expect(objects.take()).toEqual(["GET h"]);
  });

  test("the first commit of a process takes a GET and a PUT, and later ones a PUT each", async () => {
    const p = open().partition("p");
    await p.commit(buildBatch({ puts: { a: 1 } }));
    expect(objects.take()).toEqual(["GET h", "PUT h"]);
    await p.commit(buildBatch({ puts: { a: 2 }, adds: { n: 1 }, deletes: ["b"] }));
    await p.commit(buildBatch({ checks: { a: 2 }, puts: { a: 3 } }));
    expect(objects.take()).toEqual(["PUT h", "PUT h"]);
  });

  test("64 simultaneous commits take one PUT", async () => {
    const p = open().partition("p");
    await p.commit(buildBatch({ puts: { a: 1 } }));
    objects.take();
    await Promise.all(Array.from({ length: 64 }, (_, i) => p.commit(buildBatch({ puts: { [`k${i}`]: i } }))));
    expect(objects.take()).toEqual(["PUT h"]);
  });

  test("64 commits in separate ticks take two PUTs if a PUT takes longer than all of them", async () => {
    const { p, release } = await heldUp();
    const commits: Promise<unknown>[] = [];
    for (let i = 0; i < 64; i++) {
      commits.push(p.commit(buildBatch({ puts: { [`k${i}`]: i } })));
      await new Promise(setImmediate);
    }
    release();
    await Promise.all(commits);
    expect(objects.take()).toEqual(["PUT h", "PUT h"]);
  });

  test("a refused batch and a batch that only checks read the head once", async () => {
    const p = open().partition("p");
    await p.commit(buildBatch({ puts: { a: 1 } }));
    objects.take();
    await p.commit(buildBatch({ checks: { a: 7 }, puts: { a: 2 } }));
    expect(objects.take()).toEqual(["GET h 304"]);
    await p.commit(buildBatch({ checks: { a: 1 } }));
    expect(objects.take()).toEqual(["GET h 304"]);
  });

  test("a refused batch together with a writing commit takes no more requests", async () => {
    const p = open().partition("p");
    await p.commit(buildBatch({ puts: { a: 1 } }));
    objects.take();
    const answers = await Promise.all([
      p.commit(buildBatch({ checks: { a: 7 }, puts: { a: 2 } })),
      p.commit(buildBatch({ puts: { b: 1 } })),
    ]);
    expect(answers).toEqual([
      { ok: false, conflict: "a" },
      { ok: true, version: 2 },
    ]);
    expect(objects.take()).toEqual(["PUT h"]);
  });

  test("a lost race takes a GET and one more PUT", async () => {
    const [p, q] = [open().partition("p"), open().partition("p")];
    await p.commit(buildBatch({ puts: { a: 1 } }));
    await q.commit(buildBatch({ puts: { a: 2 } }));
    objects.take();
    expect(await p.commit(buildBatch({ puts: { b: 1 } }))).toEqual({ ok: true, version: 3 });
    expect(objects.take()).toEqual(["PUT h", "GET h", "PUT h"]);
  });

  test("a read takes one conditional GET, answered with 304 if nothing changed", async () => {
    const p = open().partition("p");
    await p.commit(buildBatch({ puts: { a: 1 } }));
    objects.take();
    const snapshot = await p.snapshot();
    expect(objects.take()).toEqual(["GET h 304"]);
    await snapshot.get(["a", "b"]);
    await snapshot.list({ under: "", limit: 10 });
    expect(objects.take()).toEqual([]);
    expect(await p.snapshot()).toBe(snapshot);
  });

  test("a read within maxStaleness takes no request and still sees the writes of this process", async () => {
    let time = 0;
    const p = open({ maxStaleness: 1000, now: () => time }).partition("p");
    const other = open().partition("p");
    await p.commit(buildBatch({ puts: { a: 1 } }));
    await other.commit(buildBatch({ puts: { a: 2 } }));
    objects.take();
    time = 999;
    expect((await p.snapshot()).version).toBe(1);
    expect(objects.take()).toEqual([]);
    time = 1000;
    expect((await p.snapshot()).version).toBe(2);
    expect(objects.take()).toEqual(["GET h"]);
    await p.commit(buildBatch({ puts: { a: 3 } }));
    expect((await p.snapshot()).version).toBe(3);
    expect(objects.take()).toEqual(["PUT h"]);
  });

  test("simultaneous readers share a request unless it was sent before they asked", async () => {
    const { p, release } = await heldUp();
    const first = p.snapshot();
    await new Promise(setImmediate);
    const later = Array.from({ length: 20 }, () => p.snapshot());
    release();
    await Promise.all([first, ...later]);
    expect(objects.take()).toEqual(["GET h 304", "GET h 304"]);
  });

  test("a batch too large for the head goes into a segment and takes two PUTs", async () => {
    const p = open().partition("p");
    await p.commit(buildBatch({ puts: { a: 1 } }));
    objects.take();
    const large = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, "x".repeat(60_000)]));
    await p.commit(buildBatch({ puts: large }));
    expect(objects.take()).toEqual(["PUT s", "PUT h"]);
    const snapshot = await p.snapshot();
    objects.take();
    await snapshot.list({ under: "k", limit: 100 });
    expect(objects.take()).toEqual(["GET s"]);
    await snapshot.get(["k1", "k2"]);
    expect(objects.take()).toEqual([]);
  });

  test("a large segment is read by its index and the needed blocks, each once", async () => {
    const random = createSeededRandom(1);
    const writer = open({ inlineBytes: 3_000_000 }).partition("p");
    const value = () => Array.from({ length: 100 }, () => random(1e9)).join(" ");
    for (let round = 0; round < 8; round++) {
      const keys = Array.from({ length: 500 }, (_, i) => `k${String(round * 500 + i).padStart(5, "0")}`);
      await writer.commit(buildBatch({ puts: Object.fromEntries(keys.map((key) => [key, value()])) }));
    }
    objects.take();
    const snapshot = await open().partition("p").snapshot();
    expect(objects.take()).toEqual(["GET h"]);
    expect((await snapshot.get(["k00007"]))[0]?.key).toBe("k00007");
    expect(objects.take()).toEqual(["GET s part", "GET s part"]);
    expect((await snapshot.get(["k00008", "k00009", "none"]))[0]?.key).toBe("k00008");
    expect(objects.take()).toEqual([]);
    const listed = await snapshot.list({ under: "k", limit: 4000 });
    expect(listed.map(({ key }) => key)).toEqual(
      Array.from({ length: 4000 }, (_, i) => `k${String(i).padStart(5, "0")}`),
    );
    expect(objects.take().length).toBeLessThan(10);
  });

  test("many keys of a large segment take a few requests, and the data between them is not cached", async () => {
    const random = createSeededRandom(2);
    const writer = open({ inlineBytes: 3_000_000, autoMerge: false }).partition("p");
    const value = () => Array.from({ length: 400 }, () => random(1e9)).join(" ");
    const named = (i: number) => `k${String(i).padStart(5, "0")}`;
    for (let round = 0; round < 30; round++) {
      const keys = Array.from({ length: 200 }, (_, i) => named(round * 200 + i));
      await writer.commit(buildBatch({ puts: Object.fromEntries(keys.map((key) => [key, value()])) }));
    }
    objects.take();
    const snapshot = await open().partition("p").snapshot();
    // Each block holds about fifteen of them.
    const keys = Array.from({ length: 600 }, (_, i) => named(10 * i)).toReversed();
    const found = await snapshot.get([...keys, "none"]);
    expect(found.map((entry) => entry?.key)).toEqual([...keys, undefined]);
    expect(objects.take().length).toBeLessThan(80);
    // Two that are far from each other are two requests.
    const other = await open().partition("p").snapshot();
    await other.get([named(0)]);
    objects.take();
    await other.get([named(2000), named(5000)]);
    expect(objects.take().filter((it) => it === "GET s part").length).toBeLessThanOrEqual(4);
    await other.get([named(5000), named(2000)]);
    expect(objects.take()).toEqual([]);
  });

  test("partitions and blobs are listed without reading them, and a blob takes one request each way", async () => {
    const storage = open();
    await storage.blobs.put("b", new Uint8Array(100));
    expect(objects.take()).toEqual(["PUT b"]);
    for await (const _ of storage.partitions());
    for await (const _ of storage.blobs.list());
    expect(objects.take()).toEqual(["LIST h", "LIST b"]);
  });

  test("an idle storage sends no requests", async () => {
    const storage = open();
    await storage.partition("p").commit(buildBatch({ puts: { a: 1 } }));
    objects.take();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await storage.close();
    expect(objects.take()).toEqual([]);
  });
});
