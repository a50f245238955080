// The memory adapter keeps the contract.

import { storageConformance } from "octavo/conformance";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";

describe("memoryStorage", () => {
  storageConformance({
    test,
    open: async () => {
      const storage = memoryStorage();
      return { storage, reopen: async () => storage };
    },
  });

  test("hands out the same frozen objects to all readers", async () => {
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

  test("gives all readers between two commits the same snapshot", async () => {
    const partition = memoryStorage().partition("p");
    const first = await partition.snapshot();
    expect(await partition.snapshot()).toBe(first);
    await partition.commit({ checks: [], puts: [{ key: "a", value: 1 }], deletes: [], adds: [] });
    expect(await partition.snapshot()).not.toBe(first);
  });
});
