// What the engine does when the store is not what it should be: unfit, unreachable, damaged, or a step ahead.

import type { Unavailable } from "octavo";
import { describe, expect, test } from "vitest";
import { buildBatch, createSeededRandom, readValue } from "../../../adapters/conformance/cases";
import { createObjectStorage, type ObjectStorageOptions } from "../../../adapters/s3/engine";
import {
  createEmptyState,
  encodeHead,
  type Head,
  type HeadAttempt,
  parseHead,
  resolveAttempt,
  signHead,
} from "../../../adapters/s3/head";
import {
  type Condition,
  type GetResult,
  type ObjectRange,
  type PutResult,
  StoreFailure,
} from "../../../adapters/s3/object-store";
import { ObjectsInMemory } from "./objects-in-memory";

const put = (key: string, value: number | string) => buildBatch({ puts: { [key]: value } });

/** Opens a storage that waits for nothing. */
function open(objects: ObjectsInMemory, options: ObjectStorageOptions = {}) {
  return createObjectStorage(objects, { pause: async () => {}, ...options });
}

function headOf(objects: ObjectsInMemory, partition = "p") {
  const got = objects.getNow(`h/${partition}`);
  if (got.outcome !== "found") throw new Error("There is no head.");
  return parseHead(`h/${partition}`, got.etag, got.bytes, createEmptyState(partition));
}

/** A store of which puts and gets can be made to go wrong. */
class OddObjects extends ObjectsInMemory {
  onPut: (name: string, condition: Condition | undefined, put: () => PutResult) => PutResult = (
    _name,
    _condition,
    put,
  ) => put();
  onGet: (name: string, get: () => GetResult) => GetResult = (_, get) => get();

  override async put(name: string, bytes: Uint8Array, condition?: Condition): Promise<PutResult> {
    return this.onPut(name, condition, () => this.putNow(name, bytes, condition));
  }
  override async get(name: string, options?: { ifNoneMatch?: string | undefined; range?: ObjectRange | undefined }) {
    return this.onGet(name, () => this.getNow(name, options));
  }
}

describe("unsuitable buckets", () => {
  const refusal = async (objects: ObjectsInMemory) => {
    const error = await open(objects)
      .partition("p")
      .commit(put("a", 1))
      .catch((error: Unavailable) => error);
    expect(error).toMatchObject({ code: "unavailable", outcome: "none" });
    expect(objects.namesNow("")).toEqual([]);
    return (error as Unavailable).message;
  };

  test("a bucket that ignores If-None-Match is refused by name", async () => {
    const objects = new OddObjects();
    objects.onPut = (name, condition, put) =>
      condition && "ifAbsent" in condition ? objects.putNow(name, new Uint8Array()) : put();
    expect(await refusal(objects)).toMatch(
      /^Octavo cannot keep its data in a bucket in memory: it ignores If-None-Match/,
    );
  });

  test("a bucket that ignores If-Match is refused by name", async () => {
    const objects = new OddObjects();
    objects.onPut = (name, condition, put) =>
      condition && "ifMatch" in condition ? objects.putNow(name, new Uint8Array()) : put();
    expect(await refusal(objects)).toMatch(/it ignores If-Match/);
  });

  test("a bucket without conditional requests is refused by name", async () => {
    const objects = new OddObjects();
    objects.onPut = (_, condition, put) => {
      if (condition)
        throw new StoreFailure("Not implemented.", { outcome: "none", isTransient: false, unsupported: true });
      return put();
    };
    expect(await refusal(objects)).toMatch(/it does not know conditional writes/);
  });

  test("a bucket whose current ETag never matches is refused by name", async () => {
    const objects = new OddObjects();
    objects.onPut = (_, condition, put) => (condition && "ifMatch" in condition ? { outcome: "refused" } : put());
    expect(await refusal(objects)).toMatch(/it refuses If-Match with the right ETag/);
  });

  test("a bucket gets its conditions in another form if it needs that", async () => {
    const objects = new OddObjects();
    let isAdapted = false;
    objects.onPut = (_, condition, put) =>
      condition && "ifMatch" in condition && !isAdapted ? { outcome: "refused" } : put();
    const adaptable = Object.assign(objects, {
      adapt: () => {
        const wasAdapted = isAdapted;
        isAdapted = true;
        return !wasAdapted;
      },
    });
    const p = open(adaptable).partition("p");
    expect(await p.commit(put("a", 1))).toEqual({ ok: true, version: 1 });
    expect(await p.commit(put("a", 2))).toEqual({ ok: true, version: 2 });
  });

  test("an unsuitable bucket is refused for blobs too, and is probed again each time, so that a fix needs no restart", async () => {
    const objects = new OddObjects();
    const { onPut } = objects;
    objects.onPut = (name) => objects.putNow(name, new Uint8Array());
    const storage = open(objects);
    await expect(storage.blobs.put("a", new Uint8Array(1))).rejects.toMatchObject({ code: "unavailable" });
    objects.onPut = onPut;
    expect(await storage.blobs.put("a", new Uint8Array(1))).toEqual({ size: 1 });
    expect(await storage.partition("p").commit(put("a", 1))).toEqual({ ok: true, version: 1 });
  });
});

describe("failing buckets", () => {
  const none = new StoreFailure("The bucket refuses the credentials.", { outcome: "none", isTransient: false });
  const down = new StoreFailure("The bucket gave no answer.", { outcome: "unknown", isTransient: true });

  test("an unavailable bucket makes reads and commits unavailable, and needs no restart when it recovers", async () => {
    const objects = new OddObjects();
    const { onPut, onGet } = objects;
    const p = open(objects).partition("p");
    await p.commit(put("a", 1));
    for (const failure of [none, down]) {
      objects.onPut = objects.onGet = () => {
        throw failure;
      };
      await expect(p.snapshot()).rejects.toMatchObject({
        code: "unavailable",
        outcome: "none",
        message: failure.message,
      });
      const { outcome } = failure;
      await expect(p.commit(put("b", 1))).rejects.toMatchObject({ code: "unavailable", outcome });
      Object.assign(objects, { onPut, onGet });
      expect(await readValue(p, "b")).toBeUndefined();
    }
    expect(await p.commit(put("a", 2))).toEqual({ ok: true, version: 2 });
  });

  test("a failing request is retried a few times before the call fails", async () => {
    const objects = new OddObjects();
    const p = open(objects).partition("p");
    await p.commit(put("a", 1));
    let failures = 0;
    objects.onPut = (_name, _condition, put) => {
      if (++failures < 4) throw down;
      return put();
    };
    expect(await p.commit(put("a", 2))).toEqual({ ok: true, version: 2 });
    expect(failures).toBe(4);
  });

  test("a commit whose response was lost is found in the head and counted once", async () => {
    const objects = new OddObjects();
    const p = open(objects).partition("p");
    await p.commit(buildBatch({ adds: { n: 1 } }));
    let lost = false;
    objects.onPut = (_name, _condition, put) => {
      const answer = put();
      if (lost) return answer;
      lost = true;
      throw down;
    };
    expect(await p.commit(buildBatch({ adds: { n: 1 } }))).toEqual({ ok: true, version: 2 });
    expect(await readValue(p, "n")).toBe(2);
  });

  test("a 412 response to a retry of our own successful write is not taken for a conflict", async () => {
    const objects = new OddObjects();
    const p = open(objects).partition("p");
    await p.commit(buildBatch({ adds: { n: 1 } }));
    objects.onPut = (_name, _condition, put) => {
      put();
      return put();
    };
    expect(await p.commit(buildBatch({ adds: { n: 1 } }))).toEqual({ ok: true, version: 2 });
    expect(await readValue(p, "n")).toBe(2);
  });

  test("a bucket that disappears after a write leaves the outcome unknown", async () => {
    const objects = new OddObjects();
    const { onPut, onGet } = objects;
    const p = open(objects).partition("p");
    await p.commit(buildBatch({ adds: { n: 1 } }));
    objects.onPut = (_name, _condition, put) => {
      put();
      objects.onGet = () => {
        throw down;
      };
      throw down;
    };
    const refused = p.commit(buildBatch({ checks: { n: 7 } }));
    await expect(p.commit(buildBatch({ adds: { n: 1 } }))).rejects.toMatchObject({
      code: "unavailable",
      outcome: "unknown",
    });
    await expect(refused).rejects.toMatchObject({ code: "unavailable", outcome: "none" });
    Object.assign(objects, { onPut, onGet });
    expect(await readValue(p, "n")).toBe(2);
  });

  test("a blob whose response was lost is not stored twice", async () => {
    const objects = new OddObjects();
    const { blobs } = open(objects);
    await blobs.put("first", new Uint8Array(1));
    let sent = 0;
    objects.onPut = (_name, _condition, put) => {
      const answer = put();
      if (++sent === 1) throw down;
      return answer;
    };
    expect(await blobs.put("a", new Uint8Array([1, 2]))).toEqual({ size: 2 });
    sent = 0;
    await expect(blobs.put("a", new Uint8Array([3, 4]))).rejects.toMatchObject({ code: "too_large" });
  });

  test("a failing segment fails only the commits that need it", async () => {
    const objects = new OddObjects();
    const p = open(objects, { inlineBytes: 50, cacheBytes: 0, autoMerge: false }).partition("p");
    await p.commit(put("a", "x".repeat(60)));
    objects.onGet = (name, get) => {
      if (name.startsWith("s/")) throw none;
      return get();
    };
    const [counted, written] = await Promise.allSettled([
      p.commit(buildBatch({ adds: { a: 1 } })),
      p.commit(put("b", 1)),
    ]);
    expect(counted).toMatchObject({ status: "rejected", reason: { code: "unavailable", outcome: "none" } });
    expect(written).toMatchObject({ status: "fulfilled", value: { ok: true, version: 2 } });
  });
});

describe("damaged objects", () => {
  async function damaged(prefix: string, damage: (bytes: Uint8Array) => Uint8Array) {
    const objects = new ObjectsInMemory();
    const p = open(objects, { inlineBytes: 50 }).partition("p");
    await p.commit(put("a", "x".repeat(60)));
    await p.commit(put("b", 1));
    const [name] = objects.namesNow(prefix);
    const got = objects.getNow(name!);
    if (got.outcome === "found") objects.putNow(name!, damage(got.bytes));
    const again = open(objects, { inlineBytes: 50 }).partition("p");
    const error = await readValue(again, "a").catch((error: Error) => error);
    expect(error).toMatchObject({ code: "corrupt", message: expect.stringContaining(name!) });
    await expect(again.commit(buildBatch({ checks: { a: 1 } }))).rejects.toMatchObject({ code: "corrupt" });
    return (error as Error).message;
  }
  const flipped = (at: number) => (bytes: Uint8Array) => {
    bytes[bytes.length + at]! ^= 1;
    return bytes;
  };

  test("a corrupt or truncated head is named", async () => {
    expect(await damaged("h/", flipped(-3))).toBe("h/p is damaged: its checksum is another.");
    await damaged("h/", (bytes) => bytes.slice(0, -5));
    await damaged("h/", (bytes) => bytes.slice(0, 5));
    await damaged("h/", () => new Uint8Array());
  });

  test("a head of a future format is named", async () => {
    const later = () => new TextEncoder().encode("octavo-head 2 00000000\n{}");
    expect(await damaged("h/", later)).toMatch(
      /^h\/p is no head that this version can read: it begins with "octavo-head 2/,
    );
  });

  test("a segment that is truncated or has a wrong byte in a block or its index is named", async () => {
    await damaged("s/", (bytes) => {
      bytes[30]! ^= 1;
      return bytes;
    });
    await damaged("s/", flipped(-3));
    await damaged("s/", (bytes) => bytes.slice(0, -5));
  });

  test("a missing segment that the head refers to is named", async () => {
    const objects = new ObjectsInMemory();
    const options = { inlineBytes: 50, cacheBytes: 0 };
    const p = open(objects, options).partition("p");
    await p.commit(put("a", "x".repeat(60)));
    const [name] = objects.namesNow("s/");
    objects.deleteNow(name!);
    const wanted = { code: "corrupt", message: `${name} is missing, though the head names it.` };
    await expect(readValue(p, "a")).rejects.toMatchObject(wanted);
    await expect(p.commit(buildBatch({ checks: { a: 1 } }))).rejects.toMatchObject(wanted);
  });

  test("a missing segment stops its merge, and the next call compacts the partition after it", async () => {
    const objects = new ObjectsInMemory();
    const storage = open(objects, { inlineBytes: 50, cacheBytes: 0, autoMerge: false, retentionMs: 0 });
    for (const name of ["p", "q"])
      for (let i = 0; i < 6; i++) await storage.partition(name).commit(put(`k${i}`, "x".repeat(60)));
    objects.deleteNow(objects.namesNow("s/p/")[2]!);
    await expect(storage.maintain()).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringContaining("s/p/"),
    });
    expect(await storage.maintain()).toEqual({ partitions: 1, merged: 6, swept: 6, finished: true });
    // Of a piece, all others are tidied by the same call.
    const another = open(objects, { inlineBytes: 50, autoMerge: false, retentionMs: 0 });
    for (let i = 0; i < 6; i++) await another.partition("q").commit(put(`k${i}`, "y".repeat(60)));
    const before = objects.namesNow("s/q/").length;
    await expect(another.maintain({ after: "", partitions: 2 })).rejects.toMatchObject({ code: "corrupt" });
    expect(objects.namesNow("s/q/").length).toBeLessThan(before);
  });

  test("a head that went back or disappeared is not trusted", async () => {
    const objects = new ObjectsInMemory();
    const p = open(objects).partition("p");
    await p.commit(put("a", 1));
    const first = objects.getNow("h/p");
    await p.commit(put("a", 2));
    if (first.outcome === "found") objects.putNow("h/p", first.bytes);
    await expect(p.snapshot()).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringContaining("went back"),
    });
    objects.deleteNow("h/p");
    await expect(p.snapshot()).rejects.toMatchObject({ code: "corrupt", message: expect.stringContaining("is gone") });
  });

  test("a head of another partition is not trusted", async () => {
    const objects = new ObjectsInMemory();
    await open(objects).partition("p").commit(put("a", 1));
    objects.putNow("h/q", encodeHead(headOf(objects).head, headOf(objects).recent));
    await expect(open(objects).partition("q").snapshot()).rejects.toMatchObject({ code: "corrupt" });
  });
});

describe("compaction", () => {
  /** Writes so many segments of one key each, and one key over and over. */
  async function written(objects: ObjectsInMemory, count: number, options: ObjectStorageOptions = {}) {
    const storage = open(objects, { inlineBytes: 50, autoMerge: false, ...options });
    for (let i = 0; i < count; i++)
      await storage
        .partition("p")
        .commit(buildBatch({ puts: { [`k${i}`]: "x".repeat(60), same: i }, deletes: [`k${i - 3}`] }));
    return storage;
  }

  test("compaction keeps few segments and deletes replaced ones after the grace period", async () => {
    const objects = new ObjectsInMemory();
    let time = 0;
    const storage = open(objects, { inlineBytes: 50, retentionMs: 1000, now: () => time });
    const p = storage.partition("p");
    for (let i = 0; i < 100; i++) {
      time += 100;
      // As long as a request takes, which here it does not.
      await new Promise(setImmediate);
      await p.commit(buildBatch({ puts: { [`k${i}`]: "x".repeat(60), same: i }, deletes: [`k${i - 3}`] }));
    }
    await storage.close();
    const { head } = headOf(objects);
    expect(head.segments.length).toBeLessThan(12);
    expect(objects.namesNow("s/").length).toBeLessThan(40);
    const again = open(objects).partition("p");
    const keys = (await (await again.snapshot()).list({ under: "", limit: 1000 })).map(({ key }) => key);
    expect(keys).toEqual(["k97", "k98", "k99", "same"]);
  });

  test("`maintain` compacts and drops deleted keys", async () => {
    const objects = new ObjectsInMemory();
    const storage = await written(objects, 20, { retentionMs: 0 });
    expect(headOf(objects).head.segments.length).toBe(20);
    expect(await storage.maintain()).toEqual({ partitions: 1, merged: 20, swept: 20, finished: true });
    const { head } = headOf(objects);
    expect(head.segments).toMatchObject([{ items: 4 }]);
    expect(objects.namesNow("s/")).toEqual([`s/p/${head.segments[0]!.name}`]);
    expect(await storage.maintain()).toEqual({ partitions: 1, merged: 0, swept: 0, finished: true });
  });

  test("older snapshots stay readable for the grace period and then fail as too old", async () => {
    const objects = new ObjectsInMemory();
    let time = 0;
    const storage = await written(objects, 8, { retentionMs: 1000, now: () => time, cacheBytes: 0 });
    const snapshot = await storage.partition("p").snapshot();
    await storage.maintain();
    time = 999;
    await storage.maintain();
    expect(await snapshot.get(["same"])).toMatchObject([{ value: 7 }]);
    time = 1000;
    await storage.maintain();
    await expect(snapshot.get(["same"])).rejects.toMatchObject({ code: "unavailable", outcome: "none" });
    await expect(snapshot.list({ under: "", limit: 1 })).rejects.toMatchObject({
      code: "unavailable",
      outcome: "none",
    });
    expect(await readValue(storage.partition("p"), "same")).toBe(7);
  });

  test("a commit based on segments that were removed meanwhile is decided with the new ones", async () => {
    const objects = new ObjectsInMemory();
    const stale = await written(objects, 8, { cacheBytes: 0 });
    await (await written(objects, 0, { retentionMs: 0 })).maintain();
    expect(await stale.partition("p").commit(buildBatch({ adds: { same: 1 } }))).toMatchObject({
      ok: true,
      version: 9,
    });
    expect(await readValue(stale.partition("p"), "same")).toBe(8);
  });

  test("a compaction whose reservation was taken over gives up, and its output is removed", async () => {
    const objects = new OddObjects();
    let time = 0;
    const options = { retentionMs: 1000, now: () => time };
    const [slow, quick] = [await written(objects, 8, options), await written(objects, 0, options)];
    // The slow one has announced its merge and is about to write the segment when the quick one thinks it dead.
    let taken: Promise<unknown> | undefined;
    objects.onPut = (name, _condition, put) => {
      const answer = put();
      if (name.startsWith("s/") && !taken) {
        time = 2000;
        taken = quick.maintain();
      }
      return answer;
    };
    const { merged } = await slow.maintain();
    await taken;
    expect(merged + ((await taken) as { merged: number }).merged).toBe(8);
    expect(headOf(objects).head.segments.length).toBe(1);
    time = 4000;
    await quick.maintain();
    expect(objects.namesNow("s/").length).toBe(1);
    expect(await readValue(quick.partition("p"), "same")).toBe(7);
  });

  test("a compaction releases its reservation when it cannot continue or the storage closes", async () => {
    const objects = new OddObjects();
    const { onPut } = objects;
    const storage = await written(objects, 8, { cacheBytes: 0 });
    objects.onPut = (name, _condition, put) => {
      if (!name.startsWith("s/")) return put();
      throw new StoreFailure("No room is left.", { outcome: "none", isTransient: false });
    };
    await expect(storage.maintain()).rejects.toMatchObject({ code: "unavailable", message: "No room is left." });
    expect(headOf(objects).head).toMatchObject({ reserved: [], retired: [] });
    objects.onPut = onPut;
    // The failed partition is not tried again before all others had their turn, and there are none.
    expect(await storage.maintain()).toMatchObject({ partitions: 0, finished: true });
    let closing: Promise<void> | undefined;
    objects.onGet = (name, get) => {
      if (name.startsWith("s/")) closing ??= storage.close();
      return get();
    };
    await expect(storage.maintain()).rejects.toMatchObject({ code: "closed" });
    await closing;
    expect(headOf(objects).head).toMatchObject({ reserved: [], retired: [] });
  });

  test("compaction continues where the previous call stopped", async () => {
    const objects = new ObjectsInMemory();
    const storage = open(objects);
    for (const name of ["a", "b", "c"]) await storage.partition(name).commit(put("k", 1));
    expect(await storage.maintain({ partitions: 2 })).toMatchObject({ partitions: 2, finished: false });
    expect(await storage.maintain({ partitions: 2 })).toMatchObject({ partitions: 1, finished: true });
    expect(await storage.maintain({ partitions: 3 })).toMatchObject({ partitions: 3, finished: true });
    // Or where it is told to, which a storage that was just opened must be.
    const piece = { after: "a", partitions: 1 };
    expect(await open(objects).maintain(piece)).toMatchObject({ partitions: 1, finished: false });
    expect(await open(objects).maintain({ ...piece, after: "b" })).toMatchObject({ partitions: 1, finished: true });
  });

  test("a large segment is uploaded in parts", async () => {
    const objects = new ObjectsInMemory();
    const random = createSeededRandom(3);
    const storage = open(objects, { inlineBytes: 700_000, autoMerge: false, retentionMs: 0 });
    const p = storage.partition("p");
    const text = () => Array.from({ length: 6000 }, () => random(1e9).toString(36)).join("");
    for (let i = 0; i < 18; i++)
      await p.commit(
        buildBatch({ puts: Object.fromEntries(Array.from({ length: 20 }, (_, k) => [`k${i}-${k}`, text()])) }),
      );
    const before = await (await p.snapshot()).list({ under: "", limit: 1000 });
    expect((await storage.maintain()).merged).toBeGreaterThan(10);
    expect(headOf(objects).head.segments[0]!.bytes).toBeGreaterThan(9_000_000);
    const after = await (await open(objects).partition("p").snapshot()).list({ under: "", limit: 1000 });
    expect(after.map(({ key, version }) => [key, version])).toEqual(before.map(({ key, version }) => [key, version]));
  });
});

describe("remembered outcomes in heads", () => {
  test("a head records the outcome of every attempt or that it was forgotten", () => {
    const random = createSeededRandom(11);
    for (let run = 0; run < 60; run++) {
      const writers = 1 + random(run % 2 === 0 ? 6 : 150);
      let head: Head = createEmptyState("p").head;
      const attempts = new Map<number, { attempt: HeadAttempt; base: Head; won: boolean }>();
      for (let round = 0; round < 120; round++) {
        const base = head;
        const [winner, loser] = [random(writers), random(writers)];
        const sent = (writer: number) => ({ writer: `w${writer}`, id: `${round} of ${writer}` });
        head = signHead(base, sent(winner));
        attempts.set(winner, { attempt: sent(winner), base, won: true });
        if (loser !== winner) attempts.set(loser, { attempt: sent(loser), base, won: false });
        // Each writer may ask at any time about the last of its attempts.
        for (const { attempt, base, won } of attempts.values()) {
          const outcome = resolveAttempt(head, base, attempt);
          if (outcome === "forgotten") expect(writers).toBeGreaterThan(64);
          else if (outcome !== (won ? "won" : "lost")) expect([attempt, outcome]).toEqual([attempt, won]);
        }
      }
    }
  });

  test("a slow writer that asks too late gets an unknown outcome, not a failure", async () => {
    const objects = new OddObjects();
    const slow = open(objects).partition("p");
    await slow.commit(put("a", 0));
    let hurry = true;
    objects.onPut = (name, condition, put) => {
      const answer = put();
      if (!hurry || name !== "h/p") return answer;
      hurry = false;
      let { head, recent } = headOf(objects);
      for (let i = 0; i < 70; i++) {
        head = signHead(head, { writer: `other${i}`, id: "1" });
        const etag = (objects.getNow("h/p") as { etag: string }).etag;
        objects.putNow("h/p", encodeHead(head, recent), { ifMatch: etag });
        ({ head, recent } = headOf(objects));
      }
      expect(condition).toBeDefined();
      return { outcome: "refused" };
    };
    await expect(slow.commit(put("a", 1))).rejects.toMatchObject({ code: "unavailable", outcome: "unknown" });
    expect(await readValue(slow, "a")).toBe(1);
  });

  test("heads are evicted when they use too much memory, and read again", async () => {
    const objects = new ObjectsInMemory();
    const storage = open(objects, { cacheBytes: 0 });
    for (let i = 0; i < 30; i++) await storage.partition(`p${i}`).commit(put("a", "x".repeat(60_000)));
    const large = buildBatch({ puts: Object.fromEntries([1, 2, 3].map((n) => [`b${n}`, "x".repeat(60_000)])) });
    for (let i = 0; i < 30; i++)
      expect(await storage.partition(`p${i}`).commit(large)).toEqual({ ok: true, version: 2 });
    for (let i = 0; i < 30; i++) expect((await storage.partition(`p${i}`).snapshot()).version).toBe(2);
  });
});
