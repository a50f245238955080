// The LevelDB adapter keeps the contract on a real LevelDB and on memory-level. It also reports a directory in use,
// refuses foreign data, survives failing writes, and deletes old versions that no snapshot needs.

import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Level } from "level";
import { MemoryLevel } from "memory-level";
import { defineConformanceTests } from "octavo/conformance";
import { type LevelDatabase, type LevelOptions, levelStorage } from "octavo/level";
import { verify } from "octavo/storage-tools";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { formatNumber } from "../../adapters/level/acknowledged";
import { findLogNumber } from "../../adapters/level/manifest";
import type { Batch, Json, Key, Snapshot, Storage } from "../../src/storage/storage";
import { computePortableCrc32, crc32 } from "../../src/utils/crc32";
import { PATIENCE_MS } from "../support/patience";

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((path) => rm(path, { recursive: true, force: true }))));

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "octavo-level-"));
  directories.push(path);
  return path;
}

const onDirectory = (options: LevelOptions) => async () => {
  const path = await directory();
  let storage = levelStorage(path, options);
  return {
    storage,
    reopen: async () => {
      await storage.close();
      storage = levelStorage(path, options);
      return storage;
    },
    cleanup: () => rm(path, { recursive: true, force: true }),
  };
};

const onMemoryLevel = async () => {
  const db = new MemoryLevel<string, string>();
  let storage = levelStorage(db);
  return {
    storage,
    reopen: async () => {
      await storage.close();
      storage = levelStorage(db);
      return storage;
    },
  };
};

describe("levelStorage on LevelDB", () =>
  defineConformanceTests({ test, open: onDirectory({}), timeoutMs: PATIENCE_MS }));
describe("levelStorage on LevelDB without a cache", () =>
  defineConformanceTests({ test, open: onDirectory({ cacheBytes: 0 }), timeoutMs: PATIENCE_MS }));
describe("levelStorage on memory-level", () =>
  defineConformanceTests({ test, open: onMemoryLevel, timeoutMs: PATIENCE_MS }));

test.skipIf(process.platform === "win32")(
  "a database directory is readable only by its owner, even if it existed before",
  async () => {
    const parent = await directory();
    await chmod(parent, 0o755);
    await mkdir(join(parent, "old"), { mode: 0o755 });
    for (const name of ["old", "new/inside"]) {
      const path = join(parent, name);
      const storage = levelStorage(path);
      await storage.partition("a").commit(put({ a: 1 }));
      expect((await stat(path)).mode & 0o777).toBe(0o700);
      await storage.close();
    }
    expect((await stat(parent)).mode & 0o777).toBe(0o755);
  },
);

function put(puts: Record<Key, Json>, rest: Partial<Batch> = {}): Batch {
  return {
    checks: [],
    deletes: [],
    adds: [],
    ...rest,
    puts: Object.entries(puts).map(([key, value]) => ({ key, value })),
  };
}

async function valueAt(storage: Storage, key: Key): Promise<Json | undefined> {
  const [entry] = await (await storage.partition("p").snapshot()).get([key]);
  return entry?.value;
}

describe("opening a database", () => {
  test("a directory that another storage has open is refused by name, and is free again after that storage closes", async () => {
    const path = await directory();
    const first = levelStorage(path);
    await first.partition("p").commit(put({ a: 1 }));
    const second = levelStorage(path);
    const refused = second.partition("p").snapshot();
    await expect(refused).rejects.toMatchObject({ code: "unavailable", outcome: "none" });
    await expect(refused).rejects.toThrow(`The LevelDB directory ${path} is in use by another process`);
    await first.close();
    expect(await valueAt(second, "a")).toBe(1);
    await second.close();
  });

  test("a database that another storage holds is refused, and closing the second storage does not affect the first", async () => {
    const db = new MemoryLevel();
    const first = levelStorage(db);
    await first.partition("p").commit(put({ a: 1 }));
    const second = levelStorage(db);
    await expect(second.partition("p").snapshot()).rejects.toThrow("Another storage holds this database.");
    await second.close();
    expect(await valueAt(first, "a")).toBe(1);
    await first.close();
  });

  test("the storage touches nothing on disk before the first call", async () => {
    const path = join(await directory(), "never-made");
    const storage = levelStorage(path);
    storage.partition("p");
    await storage.close();
    await expect(rm(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("a path that cannot be a directory is reported as unavailable with the reason", async () => {
    const storage = levelStorage("/dev/null/octavo");
    await expect(storage.partition("p").snapshot()).rejects.toMatchObject({ code: "unavailable", outcome: "none" });
    await expect(storage.partition("p").commit(put({ a: 1 }))).rejects.toThrow(/could not be opened: .*ENOTDIR/);
    await storage.close();
  });

  test("a database of an unknown format is refused with both format numbers", async () => {
    const db = new MemoryLevel();
    await db.put("f", "octavo-level 3");
    const refused = levelStorage(db).partition("p").snapshot();
    await expect(refused).rejects.toMatchObject({ code: "corrupt" });
    await expect(refused).rejects.toThrow('of the format "octavo-level 3"; this version reads "octavo-level 2"');
  });

  test("a database written by another program is refused and left unchanged", async () => {
    const path = await directory();
    const other = new Level(path);
    await other.put("some", "thing");
    await other.close();
    const storage = levelStorage(path);
    await expect(storage.partition("p").snapshot()).rejects.toThrow("holds something else than an Octavo storage");
    await storage.close();
    expect(await other.open().then(() => other.keys().all())).toEqual(["some"]);
    await other.close();
  });

  test("a sublevel works beside other data in the same database", async () => {
    const db = new MemoryLevel();
    await db.put("theirs", "1");
    const storage = levelStorage(db.sublevel("octavo"));
    await storage.partition("p").commit(put({ a: 1 }));
    expect(await valueAt(storage, "a")).toBe(1);
    await storage.close();
    expect(await db.get("theirs")).toBe("1");
  });
});

describe("damaged data", () => {
  test("a record that does not parse is reported as corrupt by its key, and only to callers that read it", async () => {
    const db = new MemoryLevel();
    const storage = levelStorage(db, { cacheBytes: 0 });
    const p = storage.partition("p");
    await p.commit(put({ good: 1, bad: 1 }));
    await db.put("rp\x00bad", "1 {");
    const snapshot = await p.snapshot();
    await expect(snapshot.get(["good"])).resolves.toMatchObject([{ value: 1 }]);
    const wanted = { code: "corrupt", message: 'The record "bad" of partition p is damaged.' };
    await expect(snapshot.get(["good", "bad"])).rejects.toMatchObject(wanted);
    await expect(snapshot.list({ under: "", limit: 9 })).rejects.toMatchObject(wanted);
    const [good, bad] = await Promise.allSettled([p.commit(put({ good: 2 })), p.commit(put({ bad: 2, good: 3 }))]);
    expect(good).toMatchObject({ status: "fulfilled", value: { ok: true, version: 2 } });
    expect(bad).toMatchObject({ status: "rejected", reason: wanted });
    expect(await valueAt(storage, "good")).toBe(2);
    await storage.close();
  });

  test("a change to any single stored character is detected and never served", async () => {
    const db = new MemoryLevel<string, string>();
    const bytes = new Uint8Array(300_000).map((_, i) => i % 251);
    const open = () => levelStorage(db, { cacheBytes: 0 });
    let storage = open();
    await storage.partition("p").commit(put({ a: { title: "Größe", n: 12 }, b: 1 }));
    await storage.blobs.put("blob", bytes);
    const told = async () => {
      const snapshot = await storage.partition("p").snapshot();
      return JSON.stringify([snapshot.version, await snapshot.get(["a", "b"])]);
    };
    const all = await told();
    await storage.close();
    await db.open();
    // Only what says what a thing is: a record under another key is another thing.
    const keys = ["vp", "rp\x00a", "rp\x00b", "bblob"];
    const seen = { refused: 0, right: 0 };
    for (const key of keys) {
      const text = (await db.get(key))!;
      for (let at = 0; at < text.length; at++) {
        const other = String.fromCharCode(text.charCodeAt(at) ^ (1 << (at % 7)));
        await db.put(key, text.slice(0, at) + other + text.slice(at + 1));
        storage = open();
        try {
          expect(await told()).toBe(all);
          const snapshot = await storage.partition("p").snapshot();
          expect(await snapshot.list({ under: "", limit: 9 })).toHaveLength(2);
          const { stream } = (await storage.blobs.get("blob"))!;
          expect(Buffer.compare(Buffer.from(await new Response(stream).arrayBuffer()), bytes)).toBe(0);
          seen.right++;
        } catch (error) {
          expect(error, `${key} ${at}`).toMatchObject({ code: "corrupt" });
          seen.refused++;
        }
        await storage.close();
        await db.open();
      }
      await db.put(key, text);
    }
    expect(seen.right).toBe(0);
    expect(seen.refused).toBeGreaterThan(100);
  });

  test("a log that lost an acknowledged write is refused by name, and a log whose last write is torn is accepted", async () => {
    const path = await directory();
    const storage = levelStorage(path);
    for (let i = 0; i < 40; i++) await storage.partition("p").commit(put({ [`key-${i}`]: "x".repeat(5000) }));
    await storage.close();
    const [log] = (await readdir(path)).filter((name) => name.endsWith(".log"));
    const whole = await readFile(join(path, log!));
    const opened = async (bytes: Uint8Array, acknowledged = 40) => {
      const copy = await directory();
      await cp(path, copy, { recursive: true });
      await writeFile(join(copy, log!), bytes);
      await writeFile(join(copy, "acknowledged"), formatNumber(acknowledged));
      const storage = levelStorage(copy);
      try {
        return (await storage.partition("p").snapshot()).version;
      } catch (error) {
        // What was refused once is refused again, and nothing has touched it.
        await expect(storage.partition("q").commit(put({ a: 1 }))).rejects.toMatchObject({ code: "corrupt" });
        expect((await readFile(join(copy, log!))).equals(bytes)).toBe(true);
        throw error;
      } finally {
        await storage.close();
      }
    };
    expect(await opened(whole)).toBe(40);
    expect(await opened(whole.subarray(0, -10), 39)).toBe(39);
    for (const at of [10, 33_000, 70_000, 150_001]) {
      const damaged = Uint8Array.from(whole);
      damaged[at]! ^= 4;
      const refused = opened(damaged);
      await expect(refused).rejects.toMatchObject({ code: "corrupt" });
      await expect(refused).rejects.toThrow(`${log} is damaged, and acknowledged writes with it`);
    }
  });

  describe("a directory that lost its last writes", () => {
    /** A directory that was closed, or killed in the middle, after some commits; and what LevelDB keeps its log in. */
    async function written() {
      const path = await directory();
      const storage = levelStorage(path);
      for (let i = 0; i < 20; i++) await storage.partition("p").commit(put({ [`key-${i}`]: "x".repeat(5000) }));
      await storage.close();
      const [log] = (await readdir(path)).filter((name) => name.endsWith(".log"));
      return { path, log: join(path, log!) };
    }
    const versionOf = async (path: string) => {
      const storage = levelStorage(path);
      try {
        return (await storage.partition("p").snapshot()).version;
      } finally {
        await storage.close();
      }
    };
    const contents = async (path: string) => {
      const names = (await readdir(path)).filter((name) => /^(?:\d|CURRENT|MANIFEST)/.test(name)).sort();
      return Promise.all(names.map(async (name) => [name, (await readFile(join(path, name))).toString("base64")]));
    };

    test.each([0, 6000, 50_000, 99_000])(
      "a directory is refused when its log was truncated to %i bytes",
      async (size) => {
        const { path, log } = await written();
        await truncate(log, size);
        const refused = versionOf(path);
        await expect(refused).rejects.toMatchObject({ code: "corrupt" });
        const { message } = (await refused.catch((error: unknown) => error)) as Error;
        const [, left] = message.match(/has lost acknowledged writes: 20 were made, and (\d+) are there/) ?? [];
        expect(Number(left)).toBeLessThan(20);
        // It stays refused, also to those who only read or copy it, until somebody says that it is all there is.
        await expect(verify(levelStorage(path), {})).rejects.toMatchObject({ code: "corrupt" });
        await rm(join(path, "acknowledged"));
        expect(await versionOf(path)).toBe(Number(left));
      },
    );

    test.each(["its log", "CURRENT"])(
      "a directory is refused when %s was deleted, and LevelDB leaves the rest untouched",
      async (file) => {
        const { path, log } = await written();
        // So that there are tables as well.
        const db = new Level(path);
        await (db as unknown as { compactRange(from: string, to: string): Promise<void> }).compactRange("", "z");
        await db.close();
        await versionOf(path);
        const [present] = (await readdir(path)).filter((name) => name.endsWith(".log"));
        const name = file === "CURRENT" ? file : present!;
        expect(join(path, name)).not.toBe(log);
        await rm(join(path, name));
        const before = await contents(path);
        const refused = versionOf(path);
        await expect(refused).rejects.toMatchObject({ code: "corrupt" });
        await expect(refused).rejects.toThrow(`${name} is missing, and acknowledged writes with it`);
        expect(await contents(path)).toEqual(before);
      },
    );

    test.each(["", "12", "99~zzz", "\0".repeat(32)])(
      "a directory is accepted when its marker file has no usable content: %j",
      async (text) => {
        const { path } = await written();
        await writeFile(join(path, "acknowledged"), text);
        expect(await versionOf(path)).toBe(20);
        expect(await readFile(join(path, "acknowledged"), "latin1")).toBe(formatNumber(20).padEnd(32, "\n"));
      },
    );

    test("a directory of the previous version, without a number or a marker file, is accepted", async () => {
      const { path } = await written();
      const db = new Level<string, string>(path);
      await db.del("n");
      await db.close();
      await rm(join(path, "acknowledged"));
      expect(await versionOf(path)).toBe(20);
    });

    test("the marker file has the log number when the storage is closed, and is never ahead of what is synced", async () => {
      const path = await directory();
      const storage = levelStorage(path);
      for (let i = 1; i <= 50; i++) {
        await storage.partition("p").commit(put({ a: i }));
        const text = await readFile(join(path, "acknowledged"), "latin1").catch(() => "0~");
        expect(Number(text.split("~")[0])).toBeLessThanOrEqual(i);
      }
      await storage.close();
      expect(await readFile(join(path, "acknowledged"), "latin1")).toBe(formatNumber(50).padEnd(32, "\n"));
    });

    test("the log that a manifest names is found even if the manifest is torn", async () => {
      const { path, log } = await written();
      const name = (await readFile(join(path, "CURRENT"), "latin1")).trim();
      const manifest = await readFile(join(path, name));
      expect(findLogNumber(manifest)).toBe(Number(log.match(/(\d+)\.log$/)![1]));
      for (let end = 0; end <= manifest.length; end++)
        expect(() => findLogNumber(manifest.subarray(0, end))).not.toThrow();
      expect(findLogNumber(new Uint8Array(100).fill(255))).toBeUndefined();
    });
  });

  test("checksums are the same in every runtime", () => {
    expect(computePortableCrc32("123456789")).toBe(0xcbf43926);
    const texts = ["", "Größe", "a".repeat(1000), "\u{1f600}"];
    for (const text of texts) {
      expect(crc32(text)).toBe(computePortableCrc32(text));
      expect(crc32(text, crc32("before"))).toBe(computePortableCrc32(`before${text}`));
      expect(crc32(new TextEncoder().encode(text))).toBe(computePortableCrc32(text));
    }
  });

  test("a record under the wrong key and a chunk with a changed byte are reported as corrupt", async () => {
    const db = new MemoryLevel<string, string>();
    const storage = levelStorage(db, { cacheBytes: 0 });
    await storage.partition("p").commit(put({ a: 1, b: 2 }));
    await db.put("rp\x00b", (await db.get("rp\x00a"))!);
    const snapshot = await storage.partition("p").snapshot();
    await expect(snapshot.get(["b"])).rejects.toThrow('The record "b" of partition p is damaged.');
    await storage.blobs.put("blob", new Uint8Array(300_000));
    await db.put("cblob\x00\x00\x00\x00\x01", new Uint8Array(37_856).fill(1), { valueEncoding: "view" });
    const { stream } = (await storage.blobs.get("blob"))!;
    await expect(new Response(stream).arrayBuffer()).rejects.toThrow("Chunk 1 of the blob blob is damaged.");
    await storage.close();
  });

  test("a database of the previous format is read and written, and has the current format afterward", async () => {
    const db = new MemoryLevel<string, string>();
    await db.put("f", "octavo-level 1");
    await db.put("vp", "3");
    await db.put("rp\x00a", '2 {"title":"~"}');
    await db.put("bblob", '{"size":3,"chunk":262144}');
    await db.put("cblob\x00\x00\x00\x00\x00", new Uint8Array([1, 2, 3]), { valueEncoding: "view" });
    const storage = levelStorage(db);
    const snapshot = await storage.partition("p").snapshot();
    expect([snapshot.version, await snapshot.get(["a"])]).toMatchObject([3, [{ value: { title: "~" }, version: 2 }]]);
    const { stream } = (await storage.blobs.get("blob"))!;
    expect([...new Uint8Array(await new Response(stream).arrayBuffer())]).toEqual([1, 2, 3]);
    expect(await storage.partition("p").commit(put({ b: 1 }))).toEqual({ ok: true, version: 4 });
    await storage.close();
    await db.open();
    expect(await db.get("f")).toBe("octavo-level 2");
    expect(await db.get("rp\x00a")).toBe('2 {"title":"~"}');
    expect(await db.get("rp\x00b")).toMatch(/^4~[0-9a-z]+ 1$/);
  });

  test("a version that is not a number is reported as corrupt, and only in its partition", async () => {
    const db = new MemoryLevel();
    await db.put("f", "octavo-level 2");
    await db.put("vbad", "x");
    const storage = levelStorage(db);
    const [bad, good] = await Promise.allSettled([
      storage.partition("bad").commit(put({ a: 1 })),
      storage.partition("good").commit(put({ a: 1 })),
    ]);
    expect(bad).toMatchObject({ status: "rejected", reason: { code: "corrupt" } });
    expect(good).toMatchObject({ status: "fulfilled", value: { ok: true } });
    await expect(storage.partition("bad").snapshot()).rejects.toThrow("The version of partition bad is damaged.");
    await storage.close();
  });

  test("a blob with a missing chunk is reported as corrupt by its key", async () => {
    const db = new MemoryLevel();
    const storage = levelStorage(db);
    await storage.blobs.put("a", new Uint8Array(300_000));
    await db.del("ca\x00\x00\x00\x00\x01");
    const { stream } = (await storage.blobs.get("a"))!;
    await expect(new Response(stream).arrayBuffer()).rejects.toThrow("Chunk 1 of the blob a is missing.");
    await db.put("ba", "{}");
    await expect(storage.blobs.get("a")).rejects.toThrow("The manifest of the blob a is damaged.");
    await storage.close();
  });
});

type Point = `${"before" | "after"} ${"get" | "scan" | "write"}`;

/** A database in which a test can stop or fail the next call of a kind, before or after it was done. */
class Staged implements LevelDatabase {
  readonly #db = new MemoryLevel<string, string>();
  readonly #points = new Map<Point, () => Promise<void>>();
  readonly syncs: boolean[] = [];
  opened = 0;

  /** Stops the next call there: `reached` comes when it does, and it goes on with `go`. */
  stop(point: Point): { reached: Promise<void>; go: () => void } {
    const stopped = { reached: Promise.resolve(), go: () => {} };
    const held = new Promise<void>((resolve) => {
      stopped.go = resolve;
    });
    stopped.reached = new Promise((reached) => {
      this.#points.set(point, () => {
        reached();
        return held;
      });
    });
    return stopped;
  }

  fail(point: Point): void {
    this.#points.set(point, () => Promise.reject(new Error("No space left on device")));
  }

  async #pass<T>(kind: "get" | "scan" | "write", call: () => Promise<T>): Promise<T> {
    await this.#reach(`before ${kind}`);
    const answer = await call();
    await this.#reach(`after ${kind}`);
    return answer;
  }

  async #reach(point: Point): Promise<void> {
    const act = this.#points.get(point);
    this.#points.delete(point);
    await act?.();
  }

  async open() {
    this.opened++;
    await this.#db.open();
  }
  close = () => this.#db.close();
  get: LevelDatabase["get"] = (key, options) => this.#db.get(key, options);
  getMany: LevelDatabase["getMany"] = (keys, options) => this.#pass("get", () => this.#db.getMany(keys, options));
  iterator: LevelDatabase["iterator"] = (options) => ({
    all: () => this.#pass("scan", () => this.#db.iterator(options).all()),
  });
  keys: LevelDatabase["keys"] = (options) => this.#db.keys(options);
  batch: LevelDatabase["batch"] = (operations, options) => {
    this.syncs.push(options.sync);
    return this.#pass("write", () => this.#db.batch<string, string | Uint8Array>(operations, options));
  };
  clear: LevelDatabase["clear"] = (options) => this.#db.clear(options);
}

/** Fails a write of a directory, the next or one after it, before or after it has happened. */
function failNextBatch(when: "before" | "after", nth = 1): void {
  const { batch } = Level.prototype;
  let left = nth;
  Level.prototype.batch = async function (this: Level, ...args: never) {
    const isIt = --left === 0;
    if (isIt) Level.prototype.batch = batch;
    if (!isIt || when === "after") await batch.apply(this, args);
    if (isIt) throw new Error("No space left on device");
  } as typeof batch;
}

/** Some seconds have passed. */
function later(): void {
  const passed = performance.now() + 5000;
  const clock = vi.spyOn(performance, "now").mockReturnValue(passed);
  onTestFinished(() => clock.mockRestore());
}

describe("failing writes", () => {
  for (const when of ["before", "after"] as const) {
    test(`a write that failed ${when} it happened has an unknown outcome and is read again before the next write`, async () => {
      const db = new Staged();
      const storage = levelStorage(db);
      const p = storage.partition("p");
      await p.commit(put({ a: 1, b: 1 }));
      const older = await p.snapshot();

      db.fail(`${when} write`);
      const [written, refused, checked, elsewhere] = await Promise.allSettled([
        p.commit(put({ a: 2, c: 2 }, { deletes: ["b"] })),
        p.commit(put({ d: 2 }, { checks: [{ key: "a", version: 1 }] })),
        p.commit(put({}, { checks: [{ key: "a", version: 2 }] })),
        storage.partition("q").commit(put({ a: 1 })),
      ]);
      const failure = { code: "unavailable", outcome: "unknown" };
      expect(written).toMatchObject({ status: "rejected", reason: failure });
      expect(elsewhere).toMatchObject({ status: "rejected", reason: failure });
      // These were decided against what may not have been written.
      for (const answer of [refused, checked])
        expect(answer).toMatchObject({ status: "rejected", reason: { code: "unavailable", outcome: "none" } });

      const happened = when === "after";
      const now = await p.snapshot();
      expect(db.opened).toBe(2);
      expect(now.version).toBe(happened ? 2 : 1);
      expect((await now.list({ under: "", limit: 9 })).map(({ key, value }) => [key, value])).toEqual(
        happened
          ? [
              ["a", 2],
              ["c", 2],
            ]
          : [
              ["a", 1],
              ["b", 1],
            ],
      );
      const [a, b, c] = await now.get(["a", "b", "c"]);
      expect([a?.value, b?.value, c?.value]).toEqual(happened ? [2, undefined, 2] : [1, 1, undefined]);
      expect((await older.list({ under: "", limit: 9 })).map(({ key, value }) => [key, value])).toEqual([
        ["a", 1],
        ["b", 1],
      ]);
      expect((await older.get(["a", "b", "c"])).map((entry) => entry?.value)).toEqual([1, 1, undefined]);

      const checks = [{ key: "a", version: now.version }];
      expect(await p.commit(put({ a: 3 }, { checks }))).toEqual({ ok: true, version: now.version + 1 });
      expect((await older.get(["a"]))[0]?.value).toBe(1);
      expect((await now.get(["a"]))[0]?.value).toBe(happened ? 2 : 1);
      expect(await valueAt(storage, "a")).toBe(3);
      await storage.close();
    });

    test(`a blob whose last write failed ${when} it happened is stored completely or not at all`, async () => {
      const db = new Staged();
      const storage = levelStorage(db);
      const bytes = new Uint8Array(1000).fill(7);
      await storage.partition("p").commit(put({ a: 1 }));
      db.fail(`${when} write`);
      await expect(storage.blobs.put("a", bytes)).rejects.toMatchObject({ code: "unavailable", outcome: "unknown" });
      const blob = await storage.blobs.get("a");
      if (when === "before") expect(blob).toBeUndefined();
      else expect(new Uint8Array(await new Response(blob!.stream).arrayBuffer())).toEqual(bytes);
      await storage.partition("p").commit(put({ a: 2 }));
      expect(db.opened).toBe(2);
      await storage.close();
    });
  }

  for (const when of ["before", "after"] as const) {
    test(`a full disk leaves the data as it was before a write that failed ${when} it happened`, async () => {
      const path = await directory();
      const storage = levelStorage(path);
      const p = storage.partition("p");
      await p.commit(put({ a: 1, b: 1 }));
      await storage.blobs.put("kept", new Uint8Array(9));
      // Where there is a directory of this name, no file can be written to see whether there is room.
      await mkdir(join(path, "room"));
      failNextBatch(when);
      const failed = p.commit(put({ a: 2, c: 2 }, { deletes: ["b"] }));
      await expect(failed).rejects.toMatchObject({ code: "unavailable", outcome: "unknown" });

      const expectBefore = async (view: Snapshot) => {
        expect(view.version).toBe(1);
        expect((await view.list({ under: "", limit: 9 })).map(({ key, value }) => [key, value])).toEqual([
          ["a", 1],
          ["b", 1],
        ]);
        expect((await view.get(["a", "b", "c"])).map((entry) => entry?.value)).toEqual([1, 1, undefined]);
      };
      const meanwhile = await p.snapshot();
      await expectBefore(meanwhile);
      expect((await storage.blobs.get("kept"))?.size).toBe(9);
      for await (const name of storage.partitions()) expect(name).toBe("p");
      const message = `The LevelDB directory ${path} can be read but not written to: EISDIR`;
      for (const write of [() => p.commit(put({ d: 1 })), () => storage.blobs.put("new", new Uint8Array(9))])
        await expect(write()).rejects.toMatchObject({
          code: "unavailable",
          outcome: "none",
          message: expect.stringContaining(message),
        });

      await rmdir(join(path, "room"));
      // A moment ago there was no room, so nobody looks again.
      await expect(p.commit(put({ d: 1 }))).rejects.toMatchObject({ code: "unavailable", outcome: "none" });
      later();
      const version = when === "after" ? 2 : 1;
      expect((await p.snapshot()).version).toBe(version);
      expect(await p.commit(put({ d: 1 }))).toEqual({ ok: true, version: version + 1 });
      expect(await valueAt(storage, "a")).toBe(version);
      expect(await valueAt(storage, "c")).toBe(when === "after" ? 2 : undefined);
      await expectBefore(meanwhile);
      await storage.close();
    });
  }

  test("the chunks of an upload that ran out of space are removed as soon as there is space again", async () => {
    const path = await directory();
    const storage = levelStorage(path);
    await storage.partition("p").commit(put({ a: 1 }));
    await mkdir(join(path, "room"));
    failNextBatch("after", 2);
    const torn = storage.blobs.put("torn", new Uint8Array(900_000));
    await expect(torn).rejects.toMatchObject({ code: "unavailable", outcome: "unknown" });
    expect(await storage.blobs.get("torn")).toBeUndefined();
    await rmdir(join(path, "room"));
    later();
    await storage.partition("p").commit(put({ a: 2 }));
    await storage.close();
    const left = new Level(path);
    expect((await left.keys().all()).filter((key) => /^[buc]/.test(key))).toEqual([]);
    await left.close();
  });

  test("a database that was closed from outside reports that it is closed", async () => {
    const db = new MemoryLevel();
    const storage = levelStorage(db, { cacheBytes: 0 });
    const p = storage.partition("p");
    await p.commit(put({ a: 1 }));
    const snapshot = await p.snapshot();
    await db.close();
    await expect(snapshot.get(["a"])).rejects.toMatchObject({ code: "closed" });
    await expect(snapshot.list({ under: "", limit: 1 })).rejects.toMatchObject({ code: "closed" });
    await expect(p.commit(put({ a: 2 }))).rejects.toMatchObject({ code: "closed" });
    await expect(storage.blobs.put("a", new Uint8Array(1))).rejects.toMatchObject({ code: "closed" });
    await storage.close();
  });
});

describe("blobs", () => {
  test("chunks of torn uploads and torn deletes are removed when the database is opened again", async () => {
    const db = new MemoryLevel();
    const storage = levelStorage(db);
    await storage.blobs.put("kept", new Uint8Array(300_000));
    let resume = () => {};
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(new Uint8Array(200_000));
        if ((await db.keys({ gte: "cx", lt: "cy" }).all()).length >= 2) await new Promise<void>((r) => (resume = r));
      },
    });
    const upload = storage.blobs.put("x", stream).catch((error) => error);
    while ((await db.keys({ gte: "cx", lt: "cy" }).all()).length < 2) await new Promise((r) => setTimeout(r, 1));
    // As a crash would: the storage never gets to clean up.
    const left = await db.iterator<Uint8Array, Uint8Array>({ keyEncoding: "view", valueEncoding: "view" }).all();
    const later = new MemoryLevel<Uint8Array, Uint8Array>({ keyEncoding: "view", valueEncoding: "view" });
    await later.batch(left.map(([key, value]) => ({ type: "put", key, value })));
    expect(await later.keys<string>({ keyEncoding: "utf8", gte: "u", lt: "v" }).all()).toEqual(["ux"]);

    const again = levelStorage(later);
    expect(await again.blobs.get("x")).toBeUndefined();
    const keys = await later.keys<string>({ keyEncoding: "utf8", gte: "b", lt: "v" }).all();
    expect(keys.filter((key) => !key.startsWith("f"))).toEqual([
      "bkept",
      "ckept\x00\x00\x00\x00\x00",
      "ckept\x00\x00\x00\x00\x01",
    ]);
    await again.close();

    // And an upload that is under way when its storage is closed is refused.
    const closing = storage.close();
    resume();
    expect(await upload).toMatchObject({ code: "closed" });
    await closing;
  });

  test("a small blob takes one write", async () => {
    const db = new MemoryLevel();
    let writes = 0;
    const storage = levelStorage(db);
    await storage.partition("p").commit(put({ a: 1 }));
    db.on("write", () => writes++);
    await storage.blobs.put("a", new Uint8Array(256 * 1024));
    expect(writes).toBe(1);
    await storage.close();
  });

  test("deleting a blob ends its open streams with an error, never with fewer bytes", async () => {
    const storage = levelStorage(new MemoryLevel());
    await storage.blobs.put("a", new Uint8Array(600_000));
    const reader = (await storage.blobs.get("a"))!.stream.getReader();
    expect((await reader.read()).value?.length).toBe(256 * 1024);
    await storage.blobs.delete("a");
    await expect(reader.read()).rejects.toThrow("The blob a was deleted while it was read.");
    await storage.close();
  });
});

test("every write asks the database to sync", async () => {
  const db = new Staged();
  const storage = levelStorage(db);
  await storage.partition("p").commit(put({ a: 1 }));
  await storage.blobs.put("a", new Uint8Array(600_000));
  await storage.blobs.delete("a");
  // The format, the commit, three chunks of which the last comes with the manifest, and two for the delete.
  expect(db.syncs).toEqual(Array(7).fill(true));
  await storage.close();
});

describe("group commit", () => {
  test("waiting commits are written to the database together, across partitions", async () => {
    const db = new MemoryLevel();
    const storage = levelStorage(db);
    await storage.partition("p").commit(put({ a: 0 }));
    const writes: number[] = [];
    db.on("write", (operations) => writes.push(operations.length));
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) => storage.partition(`p${i % 4}`).commit(put({ [`k${i}`]: i, last: i }))),
    );
    expect(answers.map((answer) => answer.ok && answer.version)).toEqual(answers.map((_, i) => Math.floor(i / 4) + 1));
    // 64 keys of their own; a version and one key that all wrote in each of four partitions.
    expect(writes).toEqual([64 + 4 + 4]);
    await storage.close();
  });

  test("a burst of large commits is written in several rounds", async () => {
    const db = new MemoryLevel();
    const storage = levelStorage(db);
    let writes = 0;
    db.on("write", () => writes++);
    const large = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, "x".repeat(65_000)]));
    const answers = await Promise.all(Array.from({ length: 24 }, () => storage.partition("p").commit(put(large))));
    expect(answers.at(-1)).toEqual({ ok: true, version: 24 });
    expect(writes).toBeGreaterThanOrEqual(4);
    expect(writes).toBeLessThan(10);
    await storage.close();
  });
});

test("a new key is written without a read, and older snapshots do not contain it", async () => {
  const db = new MemoryLevel<string, string>();
  const storage = levelStorage(db);
  const p = storage.partition("p");
  await p.commit(put({ a: 1 }));
  const before = await p.snapshot();
  const read: string[] = [];
  const getMany = db.getMany.bind(db);
  db.getMany = ((keys: string[], options: object) => {
    read.push(...keys);
    return getMany(keys, options);
  }) as typeof db.getMany;
  const puts = [
    { key: "a", value: 2 },
    { key: "new", value: 1, isNew: true },
    { key: "other", value: 1 },
  ] as const;
  await p.commit({ checks: [], puts, deletes: [], adds: [] });
  expect(read.map((key) => key.slice(key.lastIndexOf("\0") + 1))).toEqual(["a", "other"]);
  expect((await before.get(["a", "new", "other"])).map((entry) => entry?.value)).toEqual([1, undefined, undefined]);
  expect((await before.list({ under: "", limit: 9 })).map(({ key }) => key)).toEqual(["a"]);
  await p.commit(put({ new: 2 }));
  expect(await valueAt(storage, "new")).toBe(2);
  expect((await before.get(["new"]))[0]).toBeUndefined();
  await storage.close();
});

describe("overlapping reads and commits", () => {
  /** A storage with nothing in its cache, on a database that can be stopped. */
  async function fresh(puts: Record<Key, Json>) {
    const db = new Staged();
    const writer = levelStorage(db);
    await writer.partition("p").commit(put(puts));
    await writer.close();
    const storage = levelStorage(db);
    const p = storage.partition("p");
    return { db, storage, p, snapshot: await p.snapshot() };
  }

  test.each([
    ["finds a later value answers with the one of its snapshot", "before get"],
    ["comes back after a commit does not bring the old value into the cache", "after get"],
  ] as const)("a get that %s", async (_, moment) => {
    const { db, storage, p, snapshot } = await fresh({ a: 1 });
    const stop = db.stop(moment);
    const got = snapshot.get(["a", "b"]);
    await stop.reached;
    await p.commit(put({ a: 2, b: 2 }));
    stop.go();
    expect((await got).map((entry) => entry?.value)).toEqual([1, undefined]);
    expect(await valueAt(storage, "a")).toBe(2);
    expect(await valueAt(storage, "b")).toBe(2);
    await storage.close();
  });

  test("a get that began during the write of a new key does not cache its absence", async () => {
    const { db, storage, p } = await fresh({ a: 1 });
    const [write, read] = [db.stop("before write"), db.stop("after get")];
    const committed = p.commit({ checks: [], puts: [{ key: "b", value: 2, isNew: true }], deletes: [], adds: [] });
    await write.reached;
    const snapshot = await p.snapshot();
    // The note of this write is taken in before anything is read.
    const got = snapshot.get(["b"]);
    await read.reached;
    write.go();
    await committed;
    read.go();
    expect(await got).toEqual([undefined]);
    expect(await valueAt(storage, "b")).toBe(2);
    await storage.close();
  });

  test("a list that returns after a commit does not put the old value into the cache", async () => {
    const { db, storage, p, snapshot } = await fresh({ a: 1 });
    const stop = db.stop("after scan");
    const listed = snapshot.list({ under: "", limit: 9 });
    await stop.reached;
    await p.commit(put({ a: 2, b: 2 }));
    stop.go();
    expect((await listed).map(({ value }) => value)).toEqual([1]);
    expect(await valueAt(storage, "a")).toBe(2);
    await storage.close();
  });

  test("a write is invisible until it is acknowledged", async () => {
    const { db, storage, p } = await fresh({ a: 1, b: 1 });
    const stop = db.stop("after write");
    const committed = p.commit(put({ a: 2 }, { deletes: ["b"] }));
    await stop.reached;
    const snapshot = await p.snapshot();
    expect(snapshot.version).toBe(1);
    expect((await snapshot.get(["a", "b"])).map((entry) => entry?.value)).toEqual([1, 1]);
    expect((await snapshot.list({ under: "", limit: 9 })).map(({ value }) => value)).toEqual([1, 1]);
    stop.go();
    expect(await committed).toEqual({ ok: true, version: 2 });
    expect((await snapshot.get(["a", "b"])).map((entry) => entry?.value)).toEqual([1, 1]);
    expect((await (await p.snapshot()).get(["a", "b"])).map((entry) => entry?.value)).toEqual([2, undefined]);
    await storage.close();
  });

  for (const reverse of [false, true]) {
    test(`a list continues when everything it has read is newer than its snapshot${reverse ? ", backwards" : ""}`, async () => {
      const { db, storage, p, snapshot } = await fresh({ m1: 1, m2: 1, m3: 1 });
      const stop = db.stop("before scan");
      const listed = snapshot.list({ under: "", limit: 2, reverse });
      await stop.reached;
      const younger = [1, 2, 3, 4, 5].map((i) => `${reverse ? "z" : "a"}${i}`);
      await p.commit(put(Object.fromEntries(younger.map((key) => [key, 2])), { deletes: ["m2"] }));
      stop.go();
      expect((await listed).map(({ key }) => key)).toEqual(reverse ? ["m3", "m2"] : ["m1", "m2"]);
      await storage.close();
    });
  }

  test("close waits for the commits that have begun", async () => {
    const { db, storage, p } = await fresh({ a: 1 });
    const stop = db.stop("before write");
    const first = p.commit(put({ a: 2 }));
    await stop.reached;
    const second = p.commit(put({ b: 2 }));
    const closed = storage.close();
    stop.go();
    expect(await Promise.all([first, second])).toEqual([
      { ok: true, version: 2 },
      { ok: true, version: 3 },
    ]);
    await closed;
    const again = levelStorage(db);
    expect(await valueAt(again, "b")).toBe(2);
    await again.close();
  });
});

describe("the cache", () => {
  test("the cache never returns a newer value for an older snapshot, or an older value for a newer one", async () => {
    const path = await directory();
    for (const cacheBytes of [0, 3000, 1 << 20]) {
      const storage = levelStorage(join(path, String(cacheBytes)), { cacheBytes });
      const p = storage.partition("p");
      const keys = Array.from({ length: 20 }, (_, i) => `k${i + 10}`);
      const checked = async (round: number, snapshot: Awaited<ReturnType<typeof p.snapshot>>) => {
        const [got, listed] = await Promise.all([snapshot.get(keys), snapshot.list({ under: "k", limit: 100 })]);
        expect(got.map((entry) => entry?.value)).toEqual(keys.map(() => round));
        expect(listed).toEqual(got);
      };
      const reads: Promise<void>[] = [];
      for (let round = 1; round <= 60; round++) {
        await p.commit(put(Object.fromEntries(keys.map((key) => [key, round]))));
        const snapshot = await p.snapshot();
        reads.push(checked(round, snapshot));
        if (round % 7 === 0) reads.push(new Promise((r) => setTimeout(r, 3)).then(() => checked(round, snapshot)));
      }
      await Promise.all(reads);
      await storage.close();
    }
  });

  test("the cache answers repeated reads without reading from the database", async () => {
    const db = new MemoryLevel();
    const storage = levelStorage(db);
    const p = storage.partition("p");
    await p.commit(put({ a: { n: 1 } }));
    const [entry] = await (await p.snapshot()).get(["a", "absent"]);
    await db.close();
    const [again, absent] = await (await p.snapshot()).get(["a", "absent"]);
    expect(again).toBe(entry);
    expect(absent).toBeUndefined();
    expect(Object.isFrozen(again?.value)).toBe(true);
    await storage.close();
  });
});

describe("snapshots", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  test("dropped snapshots retain nothing, and an open snapshot retains only what it needs", async () => {
    const storage = levelStorage(await directory(), { cacheBytes: 100_000 });
    const p = storage.partition("p");
    const value = (i: number) => Array.from({ length: 500 }, (_, j) => i * 1000 + j);
    const run = async (rounds: number) => {
      for (let i = 0; i < rounds; i++) {
        const snapshot = await p.snapshot();
        await p.commit(put({ [`k${i % 50}`]: value(i) }));
        await snapshot.get([`k${i % 50}`, "other"]);
        if (i % 100 === 0) await snapshot.list({ under: "k", limit: 10 });
      }
    };
    await run(200);
    const before = heap();
    // Some 8 KiB are overwritten each time; kept, they would come to 12 MiB.
    await run(1500);
    expect(heap() - before).toBeLessThan(4 * 1024 * 1024);

    const kept = await p.snapshot();
    const [entry] = await kept.get(["k7"]);
    await run(1500);
    expect(await kept.get(["k7"])).toEqual([entry]);
    expect((await kept.list({ under: "k", limit: 100 })).length).toBe(50);
    // Now that it has caught up, it holds each of the 50 entries once.
    expect(heap() - before).toBeLessThan(6 * 1024 * 1024);
    expect(kept.version).toBe(1700);
    await storage.close();
  });

  test("an open snapshot retains none of the keys added after it, and still lists its own keys", async () => {
    const storage = levelStorage(await directory(), { cacheBytes: 100_000 });
    const p = storage.partition("p");
    const name = (i: number) => `${String(i).padStart(6, "0")}${"x".repeat(300)}`;
    await p.commit(put({ [name(500)]: 1, [name(20_500)]: 1, z: 1 }));
    const kept = await p.snapshot();
    const add = async (from: number, to: number) => {
      for (let i = from; i < to; i += 500) {
        const puts = Array.from({ length: 500 }, (_, n) => ({ key: name(i + n + 0.5), value: 2 }));
        await p.commit({ checks: [], puts, deletes: [], adds: [] });
        expect((await kept.get([name(i + 0.5), "z"])).map((entry) => entry?.value)).toEqual([undefined, 1]);
      }
    };
    await add(0, 2000);
    const before = heap();
    // Their names alone have 6 MB.
    await add(2000, 22_000);
    expect(heap() - before).toBeLessThan(3 * 1024 * 1024);
    for (const reverse of [false, true]) {
      const keys = [name(500), name(20_500), "z"];
      if (reverse) keys.reverse();
      const listed = async (limit: number) => (await kept.list({ under: "", limit, reverse })).map(({ key }) => key);
      for (const limit of [1, 2, 9]) expect(await listed(limit)).toEqual(keys.slice(0, limit));
    }
    await storage.close();
  });

  test("a snapshot of the storage opens no snapshot of the database", async () => {
    const db = new MemoryLevel();
    let snapshots = 0;
    const original = db.snapshot.bind(db);
    db.snapshot = () => {
      snapshots++;
      return original();
    };
    const storage = levelStorage(db);
    for (let i = 0; i < 100; i++) {
      await storage.partition("p").commit(put({ a: i }));
      expect(await valueAt(storage, "a")).toBe(i);
    }
    expect(snapshots).toBe(0);
    await storage.close();
  });
});
