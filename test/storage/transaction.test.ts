// Transactions: reads are checked, own writes are visible, and the body runs again after a conflict.

import { type Batch, Conflict, type Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { encodeKey } from "../../src/storage/key";
import { MAX_BATCH_CHECKS } from "../../src/storage/storage";
import { createStore, type Store } from "../../src/storage/store";
import type { Transaction } from "../../src/storage/transaction";
import { MAX_RETRY_MS } from "../../src/storage/transaction-runner";
import { watch } from "../invariants/faults";
import { seeded } from "../support/setting";
import { through } from "../support/through";

let storage: Storage;
let watched: ReturnType<typeof watch>;
let store: Store;

beforeEach(() => {
  watched = watch(memoryStorage());
  storage = watched;
  store = createStore(storage, { now: () => new Date(0), random: seeded(1), pause: async () => {} });
});

const at = encodeKey("here", "a");
const value = async (name = at) => (await store.read("p")).get(name);

test("entries under an id created in the transaction are neither read nor checked, and its own writes are visible", async () => {
  const own = encodeKey("here", "new_1");
  await store.write("p", async (tx) => {
    tx.markNew("new_1");
    const before = watched.calls.reads;
    expect(await tx.get(own)).toBeUndefined();
    expect(await tx.getMany([own, encodeKey("count", "new_1")])).toEqual([undefined, undefined]);
    expect(await tx.getVersion(own)).toBeUndefined();
    tx.put(encodeKey("here", "new_1", "child"), 1);
    tx.add(encodeKey("count", "new_1"), 2);
    expect(await tx.get(encodeKey("count", "new_1"))).toBe(2);
    expect((await tx.list({ under: encodeKey("here", "new_1"), limit: 5 })).map(({ value }) => value)).toEqual([1]);
    expect(watched.calls.reads).toBe(before);
    expect(await tx.get(at)).toBeUndefined();
    expect(watched.calls.reads).toBe(before + 1);
    expect(tx.budget.checks).toBe(MAX_BATCH_CHECKS - 1);
  });
  expect(await value(encodeKey("count", "new_1"))).toBe(2);
});

test("a commit declares its new keys while it has few new ids", async () => {
  const batches: Batch[] = [];
  const noted = through(storage, {
    commit(batch, go) {
      batches.push(batch);
      return go();
    },
  });
  const told = createStore(noted, { now: () => new Date(0), random: seeded(1), pause: async () => {} });
  const write = (ids: readonly string[]) =>
    told.write("p", async (tx) => {
      for (const id of ids) tx.markNew(id);
      tx.put(at, 1);
      tx.put(encodeKey("here", ids[0]!, "child"), 1);
    });
  await write(["new_1"]);
  await write(Array.from({ length: 30 }, (_, i) => `more_${i}`));
  expect(batches.map(({ puts }) => puts.map(({ isNew }) => isNew))).toEqual([
    [undefined, true],
    [undefined, undefined],
  ]);
});

describe("reading own writes", () => {
  test("a put is visible to get and list in its transaction, and to others after the commit", async () => {
    await store.write("p", async (tx) => {
      tx.put(at, 1);
      expect(await tx.get(at)).toBe(1);
      expect((await tx.list({ under: encodeKey("here"), limit: 10 })).map((entry) => entry.value)).toEqual([1]);
      expect(await value()).toBeUndefined();
    });
    expect(await value()).toBe(1);
  });

  test("a delete hides an entry from get and list and frees room within the limit", async () => {
    await store.write("p", async (tx) => {
      for (const name of ["a", "b", "c"]) tx.put(encodeKey("here", name), name);
    });
    await store.write("p", async (tx) => {
      tx.delete(encodeKey("here", "a"));
      expect(await tx.get(encodeKey("here", "a"))).toBeUndefined();
      expect((await tx.list({ under: encodeKey("here"), limit: 2 })).map((entry) => entry.value)).toEqual(["b", "c"]);
      tx.put(encodeKey("here", "d"), "d");
      const back = await tx.list({ under: encodeKey("here"), reverse: true, limit: 2 });
      expect(back.map((entry) => entry.value)).toEqual(["d", "c"]);
    });
  });

  test("an add is visible on top of the stored value, and counts from a put after it", async () => {
    await store.write("p", async (tx) => tx.put(at, 5));
    await store.write("p", async (tx) => {
      tx.add(at, 2);
      tx.add(at, 1);
      expect(await tx.get(at)).toBe(8);
      expect((await tx.list({ under: encodeKey("here"), limit: 1 }))[0]!.value).toBe(8);
    });
    await store.write("p", async (tx) => {
      tx.put(at, 100);
      tx.add(at, 1);
      expect(await tx.get(at)).toBe(101);
    });
    expect(await value()).toBe(101);
  });
});

describe("reads before a transaction", () => {
  test("a read before the transaction is reused at the same version, and is checked", async () => {
    await store.write("p", async (tx) => tx.put(at, 1));
    const range = { under: encodeKey("here"), limit: 5 };
    for (const isChanged of [false, true]) {
      const { view, cache: seen } = await store.readWithCache("p");
      expect([await view.get(at), (await view.list(range)).length]).toEqual([1, 1]);
      const runs: unknown[] = [];
      const body = async (tx: Transaction) => {
        runs.push(await tx.get(at));
        if (runs.length === 1 && isChanged) await store.write("p", async (other) => other.put(at, 2));
        tx.put(encodeKey("elsewhere"), (await tx.list(range)).length);
      };
      const { reads } = watched.calls;
      await store.write("p", body, { cache: seen });
      expect(runs).toEqual(isChanged ? [1, 2] : [1]);
      expect(watched.calls.reads - reads).toBe(isChanged ? 2 : 0);
    }
  });

  test("a read before the transaction is discarded when another commit came between", async () => {
    const { view, cache: seen } = await store.readWithCache("p");
    expect(await view.get(at)).toBeUndefined();
    await store.write("p", async (tx) => tx.put(at, 1));
    expect(await store.write("p", (tx) => tx.get(at), { cache: seen })).toBe(1);
  });
});

describe("conflicts", () => {
  test("a transaction whose reads changed runs again on the new state", async () => {
    let runs = 0;
    await store.write("p", async (tx) => {
      const seen = ((await tx.get(at)) as number | undefined) ?? 0;
      if (++runs === 1) await store.write("p", async (other) => other.put(at, 10));
      tx.put(at, seen + 1);
    });
    expect(runs).toBe(2);
    expect(await value()).toBe(11);
  });

  test("a key that was absent when read and exists at the commit is a conflict", async () => {
    let runs = 0;
    await store.write("p", async (tx) => {
      const seen = await tx.get(at);
      if (++runs === 1) await store.write("p", async (other) => other.put(at, "theirs"));
      if (seen === undefined) tx.put(at, "ours");
    });
    expect(await value()).toBe("theirs");
  });

  test("an entry seen in a list is checked", async () => {
    await store.write("p", async (tx) => tx.put(at, 1));
    let runs = 0;
    await store.write("p", async (tx) => {
      const sum = (await tx.list({ under: encodeKey("here"), limit: 10 })).reduce(
        (all, entry) => all + (entry.value as number),
        0,
      );
      if (++runs === 1) await store.write("p", async (other) => other.put(at, 5));
      tx.put(encodeKey("sum"), sum);
    });
    expect(await value(encodeKey("sum"))).toBe(5);
  });

  test("two transactions that only add never conflict", async () => {
    let runs = 0;
    await store.write("p", async (tx) => {
      tx.add(at, 1);
      if (++runs === 1) await store.write("p", async (other) => other.add(at, 1));
    });
    expect(runs).toBe(1);
    expect(await value()).toBe(2);
  });

  test("a transaction that always loses to another process gives up at its time limit without writing", async () => {
    let time = 0;
    const losses: number[] = [];
    const pause = async (loss: number) => {
      losses.push(loss);
      time += MAX_RETRY_MS / 10;
    };
    const slow = createStore(storage, { now: () => new Date(0), random: seeded(1), pause, clock: () => time });
    let runs = 0;
    const losing = slow.write("p", async (tx) => {
      await tx.get(at);
      await store.write("p", async (other) => other.put(at, ++runs));
      tx.put(encodeKey("mine"), true);
    });
    await expect(losing).rejects.toThrow(Conflict);
    // Twice before the first pause: beside all others, and in its turn.
    expect(runs).toBe(2 + 10);
    expect(losses).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await value(encodeKey("mine"))).toBeUndefined();
  });

  test("a transaction that throws commits nothing", async () => {
    const failing = store.write("p", async (tx) => {
      tx.put(at, 1);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await value()).toBeUndefined();
  });

  test("a transaction that writes nothing commits nothing, whatever others commit", async () => {
    let runs = 0;
    await store.write("p", async (tx) => {
      await tx.get(at);
      if (++runs === 1) await store.write("p", async (other) => other.put(at, 1));
    });
    expect(runs).toBe(1);
  });

  test("work that waits for the commit runs once, and only after a successful commit", async () => {
    const ran: number[] = [];
    let runs = 0;
    await store.write("p", async (tx) => {
      await tx.get(at);
      const run = ++runs;
      tx.afterCommit(async () => void ran.push(run));
      if (run === 1) await store.write("p", async (other) => other.put(at, 1));
      tx.put(encodeKey("mine"), run);
    });
    expect(ran).toEqual([2]);
  });
});

describe("unchecked reads", () => {
  test("unchecked reads see the same moment without own writes, and cause no retry", async () => {
    await store.write("p", async (tx) => tx.put(at, 1));
    let runs = 0;
    await store.write("p", async (tx) => {
      runs++;
      tx.put(at, 2);
      expect(await tx.unchecked.get(at)).toBe(1);
      await store.write("p", async (other) => other.put(encodeKey("here", "b"), runs));
      expect((await tx.unchecked.list({ under: encodeKey("here"), limit: 10 })).length).toBe(1);
    });
    expect([runs, await value()]).toEqual([1, 2]);
  });

  test("a checked read after unchecked ones causes a retry", async () => {
    let runs = 0;
    await store.write("p", async (tx) => {
      await tx.get(encodeKey("here", "b"));
      if (++runs === 1) await store.write("p", async (other) => other.put(encodeKey("here", "b"), 1));
      tx.put(at, runs);
    });
    expect([runs, await value()]).toEqual([2, 2]);
  });

  test("unchecked reads may exceed what one commit can check", async () => {
    for (let from = 0; from < 1200; from += 400) {
      await store.write("p", async (tx) => {
        for (let i = from; i < from + 400; i++) tx.put(encodeKey("many", i), i);
      });
    }
    const all = { under: encodeKey("many"), limit: 2000 };
    await store.write("p", async (tx) => tx.put(at, (await tx.unchecked.list(all)).length));
    expect(await value()).toBe(1200);
    await expect(store.write("p", async (tx) => tx.put(at, (await tx.list(all)).length))).rejects.toThrow("checks");
  });
});

describe("guarded reads", () => {
  const guard = encodeKey("guard");
  const all = { under: encodeKey("many"), limit: 2000 };
  const many = async (until: number) => {
    for (let from = 0; from < until; from += 400) {
      await store.write("p", async (tx) => {
        for (let i = from; i < Math.min(until, from + 400); i++) tx.put(encodeKey("many", i), i);
      });
    }
  };

  test("guarded reads may exceed what one commit can check, and see own writes", async () => {
    await many(1200);
    await store.write("p", async (tx) => {
      const guarded = await tx.withGuards([guard]);
      tx.put(encodeKey("many", 5000), "own");
      tx.delete(encodeKey("many", 0));
      expect(await guarded.get(encodeKey("many", 5000))).toBe("own");
      expect(await guarded.getMany([encodeKey("many", 0), encodeKey("many", 1)])).toEqual([undefined, 1]);
      tx.put(at, (await guarded.list(all)).length);
    });
    expect(await value()).toBe(1200);
  });

  test("guarded reads cause a retry only if the guard was touched", async () => {
    await many(2);
    for (const [touches, wanted] of [
      [true, 2],
      [false, 1],
    ] as const) {
      let runs = 0;
      await store.write("p", async (tx) => {
        const guarded = await tx.withGuards([guard]);
        await guarded.list(all);
        if (++runs === 1)
          await store.write("p", async (other) => {
            other.put(encodeKey("many", 1), "changed");
            if (touches) other.add(guard, 1);
          });
        tx.put(at, runs);
      });
      expect(runs).toBe(wanted);
    }
  });
});
