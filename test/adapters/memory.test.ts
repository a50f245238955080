// The memory adapter keeps the contract.

import type { Storage } from "octavo";
import { defineConformanceTests } from "octavo/conformance";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { PATIENCE_MS } from "../support/patience";

describe("memoryStorage", () => {
  defineConformanceTests({
    test,
    timeoutMs: PATIENCE_MS,
    open: async () => {
      const storage = memoryStorage();
      return { storage, reopen: async () => storage };
    },
  });

  test("all readers get the same frozen objects", async () => {
    const partition = memoryStorage().partition("p");
    const value = { list: [{ n: 1 }] };
    await partition.commit({ checks: [], puts: [{ key: "a", value }], deletes: [], adds: [] });
    const [entry] = await (await partition.snapshot()).get(["a"]);
    const [again] = await (await partition.snapshot()).list({ under: "", limit: 1 });
    expect(again).toBe(entry);
    const stored = entry!.value as typeof value;
    for (const part of [entry, stored, stored.list, stored.list[0]]) expect(Object.isFrozen(part)).toBe(true);
    expect(Object.isFrozen(value)).toBe(false);
  });

  test("all readers between two commits get the same snapshot", async () => {
    const partition = memoryStorage().partition("p");
    const first = await partition.snapshot();
    expect(await partition.snapshot()).toBe(first);
    await partition.commit({ checks: [], puts: [{ key: "a", value: 1 }], deletes: [], adds: [] });
    expect(await partition.snapshot()).not.toBe(first);
  });

  test("a copy has the same contents and versions, and is isolated from later writes to the original", async () => {
    const first = memoryStorage();
    const put = (storage: Storage, key: string, value: string) =>
      storage.partition("p").commit({ checks: [], puts: [{ key, value }], deletes: [], adds: [] });
    const contents = async (storage: Storage) => {
      const snapshot = await storage.partition("p").snapshot();
      const rows = await snapshot.list({ under: "", limit: 10 });
      return { version: snapshot.version, rows: rows.map(({ key, value, version }) => [key, value, version]) };
    };
    await put(first, "a", "old");
    await put(first, "b", "old");
    await first.blobs.put("blob", new Uint8Array([1]));
    const second = first.copy();
    expect(await contents(second)).toEqual(await contents(first));
    await put(second, "a", "second");
    await put(first, "b", "first");
    await second.blobs.delete("blob");
    expect(await contents(first)).toEqual({
      version: 3,
      rows: [
        ["a", "old", 1],
        ["b", "first", 3],
      ],
    });
    expect(await contents(second)).toEqual({
      version: 3,
      rows: [
        ["a", "second", 3],
        ["b", "old", 2],
      ],
    });
    expect((await first.blobs.get("blob"))?.size).toBe(1);
    await first.close();
    expect((await contents(second)).version).toBe(3);
    expect(() => first.copy()).toThrow("closed");
  });
});
