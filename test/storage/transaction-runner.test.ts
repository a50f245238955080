// Transactions of one process that are in each other's way: they wait in a queue, each sees what those before it are about to
// write, and what comes together is one commit.

import { type Committed, type Partition, type Storage, Unavailable } from "octavo";
import { memoryStorage } from "octavo/memory";
import { afterEach, describe, expect, test, vi } from "vitest";
import { encodeKey } from "../../src/storage/key";
import { createStore, type Store } from "../../src/storage/store";
import type { Transaction } from "../../src/storage/transaction";
import { watch } from "../invariants/faults";
import { seeded } from "../support/setting";
import { storages } from "../support/storages";
import { through } from "../support/through";
import { interleave } from "./interleave";

const AT_ONCE = 64;
const at = encodeKey("here", "a");

/** A store that counts how often a transaction is run again. */
function counted(storage: Storage, seed = 1) {
  const counts = { retries: 0 };
  const onRetry = () => void counts.retries++;
  const store = createStore(storage, { now: () => new Date(0), random: seeded(seed), pause: async () => {}, onRetry });
  return { store, counts };
}

const numberAt = async (view: Pick<Transaction, "get">, name = at) =>
  ((await view.get(name)) as number | undefined) ?? 0;

/** Adds one to a number by reading it; the answer is the number after that. */
const increment = (store: Store, body: (tx: Transaction, n: number) => unknown = () => {}) =>
  store.write("p", async (tx) => {
    const n = (await numberAt(tx)) + 1;
    tx.put(at, n);
    await body(tx, n);
    return n;
  });

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

/** A storage whose commits go through a function. */
function committing(
  storage: Storage,
  commit: (partition: Partition, batch: Parameters<Partition["commit"]>[0]) => Promise<Committed>,
): Storage {
  return through(storage, { commit: (batch, _, name) => commit(storage.partition(name), batch) });
}

describe.each(storages)("64 simultaneous transactions on one record, on %s", (_, open) => {
  test("64 simultaneous transactions on one record run once each in order, and at most twice", async () => {
    const { storage, cleanUp } = await open();
    const watched = watch(storage);
    const { store, counts } = counted(watched);
    const done = await Promise.all(numbers(AT_ONCE).map(() => increment(store)));
    expect(done).toEqual(numbers(AT_ONCE));
    expect(counts.retries).toBeLessThan(AT_ONCE);
    // Those that found that another one was quicker, and then all of them together.
    expect(watched.calls.commits).toBeLessThanOrEqual(AT_ONCE + 2);

    // It is known by now that they are in each other's way.
    const { commits } = watched.calls;
    await Promise.all(numbers(AT_ONCE).map(() => increment(store)));
    expect(await numberAt(await store.read("p"))).toBe(2 * AT_ONCE);
    expect(counts.retries).toBeLessThan(2 * AT_ONCE);
    expect(watched.calls.commits - commits).toBeLessThanOrEqual(3);
    await storage.close();
    await cleanUp();
  });
});

test("sequential transactions are separate commits and run once", async () => {
  const watched = watch(memoryStorage());
  const { store, counts } = counted(watched);
  await Promise.all(numbers(AT_ONCE).map(() => increment(store)));
  for (let n = 0; n < 2; n++) await increment(store);
  const [{ commits }, retries] = [{ ...watched.calls }, counts.retries];
  for (let n = 0; n < 10; n++) await increment(store);
  expect([watched.calls.commits - commits, counts.retries - retries]).toEqual([10, 0]);
});

test("transactions on other records do not wait", async () => {
  const watched = watch(memoryStorage());
  const { store, counts } = counted(watched);
  const one = numbers(AT_ONCE).map(() => increment(store));
  const others = numbers(AT_ONCE).map((n) =>
    store.write("p", async (tx) => tx.put(encodeKey("other", n), await numberAt(tx, encodeKey("other", n)))),
  );
  await Promise.all([...one, ...others]);
  expect(counts.retries).toBeLessThan(AT_ONCE);
});

test("a transaction that does not fit goes into the next commit, and one too large alone is refused alone", async () => {
  const { store } = counted(memoryStorage());
  const large = "x".repeat(60_000);
  const done = await Promise.allSettled(
    numbers(40).map((n) =>
      increment(store, (tx) => {
        for (let i = 0; i < (n === 20 ? 20 : 2); i++) tx.put(encodeKey("large", n, i), large);
      }),
    ),
  );
  expect(done.map(({ status }) => status)).toEqual(numbers(40).map((n) => (n === 20 ? "rejected" : "fulfilled")));
  expect(await numberAt(await store.read("p"))).toBe(39);
});

test("a value that is not JSON fails only its own transaction", async () => {
  const { store } = counted(memoryStorage());
  const circle: Record<string, unknown> = {};
  circle.again = circle;
  const done = await Promise.allSettled(
    numbers(8).map((n) => increment(store, (tx) => n === 5 && tx.put(encodeKey("circle"), circle as never))),
  );
  expect(done.map(({ status }) => status)).toEqual(numbers(8).map((n) => (n === 5 ? "rejected" : "fulfilled")));
});

test("where the storage accepts less than it declares, every transaction has its own commit", async () => {
  const storage = committing(memoryStorage(), async (partition, batch) => {
    if (batch.puts.length > 5) throw new (await import("octavo")).TooLarge("Sealed, it is longer.");
    return partition.commit(batch);
  });
  const { store } = counted(storage);
  expect(
    await Promise.all(numbers(16).map((n) => increment(store, (tx) => tx.put(encodeKey("beside", n), n)))),
  ).toEqual(numbers(16));
});

describe("pending writes", () => {
  /** Lets a queue form behind the first commit, in which the commits after it go through a function. */
  function queued(then: (partition: Partition, batch: Parameters<Partition["commit"]>[0]) => Promise<Committed>) {
    const inner = memoryStorage();
    let isFirst = true;
    return committing(inner, (partition, batch) => {
      if (!isFirst && batch.checks.every(({ version }) => version !== null)) return then(partition, batch);
      isFirst = false;
      return partition.commit(batch);
    });
  }

  test("pending writes are visible to later transactions: records, lists, additions and deletions", async () => {
    const { store } = counted(memoryStorage());
    const seen: unknown[] = [];
    await Promise.all(
      numbers(4).map(() =>
        increment(store, async (tx, n) => {
          const rows = await tx.list({ under: encodeKey("row"), limit: 2 });
          const unchecked = await tx.unchecked.list({ under: encodeKey("row"), limit: 10 });
          seen.push([n, rows.map(({ value }) => value), unchecked.length, await numberAt(tx, encodeKey("sum"))]);
          tx.put(encodeKey("row", n), n);
          if (n > 2) tx.delete(encodeKey("row", n - 2));
          tx.add(encodeKey("sum"), n);
        }),
      ),
    );
    expect(seen.slice(-3)).toEqual([
      [2, [1], 1, 1],
      [3, [1, 2], 2, 3],
      [4, [2, 3], 2, 6],
    ]);
    expect(await numberAt(await store.read("p"), encodeKey("sum"))).toBe(10);
  });

  test("pending writes of a failed commit are reported to no one: the writer is uncertain, and readers are not", async () => {
    const storage = queued(async () => {
      throw new Unavailable("The answer was lost.", { outcome: "unknown" });
    });
    const { store } = counted(storage);
    const refusal = (n: number) => {
      if (n > 2) throw new Error(`It is ${n} already.`);
    };
    const done = await Promise.allSettled(numbers(4).map(() => increment(store, (_, n) => refusal(n))));
    expect(done.map((it) => (it.status === "fulfilled" ? it.value : (it.reason as Unavailable).outcome))).toEqual([
      1,
      "unknown",
      "none",
      "none",
    ]);
  });

  test("pending transactions run again when another process commits first", async () => {
    let interruptions = 3;
    const inner = memoryStorage();
    const other = counted(inner, 2);
    const storage = committing(inner, async (partition, batch) => {
      if (interruptions-- > 0) await other.store.write("p", async (tx) => tx.put(at, (await numberAt(tx)) + 100));
      return partition.commit(batch);
    });
    const { store } = counted(storage);
    const done = await Promise.all(numbers(8).map(() => increment(store)));
    expect(new Set(done).size).toBe(8);
    expect(await numberAt(await store.read("p"))).toBe(308);
  });

  test("pending writes have no version, and a transaction that asks for one is first in the next commit", async () => {
    const watched = watch(memoryStorage());
    const { store } = counted(watched);
    const versions = await Promise.all(
      numbers(4).map(() =>
        store.write("p", async (tx) => {
          const [n, version] = [await numberAt(tx), await tx.getVersion(at)];
          tx.put(at, n + 1);
          return [n, version ?? 0];
        }),
      ),
    );
    // What was read is what was there at that version.
    expect(versions).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });
});

describe("slow transactions", () => {
  afterEach(() => void vi.useRealTimers());

  test("a slow transaction runs beside those behind it, even if it waits for one of them", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { store } = counted(memoryStorage());
    let isNested = false;
    const running = numbers(4).map((i) =>
      increment(store, async (_, n) => {
        // The second one waits for a transaction that comes into its way, as long as it runs in the queue.
        if (i !== 2 || n < 2 || isNested) return;
        isNested = true;
        await increment(store);
      }),
    );
    let isOver = false;
    const all = Promise.all(running).finally(() => {
      isOver = true;
    });
    while (!isOver) await vi.advanceTimersByTimeAsync(100);
    expect(new Set(await all).size).toBe(4);
    expect(await numberAt(await store.read("p"))).toBe(5);
  });
});

describe("transfers between accounts by many processes", () => {
  const ACCOUNTS = 4;
  const account = (n: number) => encodeKey("account", n);

  /** Plays a seed. Every sum that a transaction saw must be zero, and so must be the last one. */
  async function play(seed: number, spoil: (storage: Storage) => Storage): Promise<void> {
    const inner = memoryStorage();
    const { storageFor, run } = interleave(inner, seed);
    const random = seeded(seed);
    const number = (below: number) => random(1)[0]! % below;
    const sums: number[] = [];
    let moved = 0;
    const process = (task: number) => async () => {
      const { store } = counted(spoil(storageFor(task)), seed + task);
      const move = () =>
        store.write("p", async (tx) => {
          const [from, to, amount] = [account(number(ACCOUNTS)), account(number(ACCOUNTS)), number(9) + 1];
          const rows = await tx.list({ under: encodeKey("account"), limit: 10 });
          const sum = rows.reduce((all, { value }) => all + (value as number), 0);
          tx.put(from, (await numberAt(tx, from)) - amount);
          tx.put(to, (await numberAt(tx, to)) + amount);
          tx.put(encodeKey("last"), { sum, before: await numberAt(tx, encodeKey("count")) });
          tx.put(encodeKey("count"), (await numberAt(tx, encodeKey("count"))) + 1);
          return sum;
        });
      for (let round = 0; round < 2; round++) {
        const found = await Promise.all(numbers(4).map(move));
        moved += found.length;
        sums.push(...found);
      }
    };
    await run([0, 1, 2].map(process), async () => {});
    const view = await counted(inner).store.read("p");
    const last = await Promise.all(Array.from({ length: ACCOUNTS }, (_, n) => numberAt(view, account(n))));
    expect([last.reduce((a, b) => a + b, 0), await numberAt(view, encodeKey("count"))]).toEqual([0, moved]);
    expect(new Set(sums)).toEqual(new Set([0]));
  }

  test("transfers between accounts of many processes lose nothing and show no partial state", async () => {
    for (let seed = 1; seed <= 20; seed++) await play(seed, (storage) => storage);
  });

  test("control: a storage without version checks loses transfers", async () => {
    const careless = (storage: Storage) =>
      committing(storage, (partition, batch) => partition.commit({ ...batch, checks: [] }));
    await expect(
      (async () => {
        for (let seed = 1; seed <= 20; seed++) await play(seed, careless);
      })(),
    ).rejects.toThrow();
  });
});
