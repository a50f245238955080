// Promise 2: strict serializability per partition, as one caller after the other sees it, and that partitions are apart.

import { assert, refuses, same } from "./assert";
import { all, batch, type Cases, commit, keysIn, read, valueAt } from "./cases";

export const snapshots: Cases = {
  "a snapshot does not change while it is read": async ({ storage }) => {
    const p = storage.partition("p");
    const version = await commit(p, { puts: { a: 1, b: 1, c: 1 } });
    const snapshot = await p.snapshot();
    await commit(p, { puts: { a: 2, d: 2 }, deletes: ["b"], adds: { c: 5 } });
    await commit(p, { puts: { b: 3 }, deletes: ["a", "c"] });
    const entries = ["a", "b", "c"].map((key) => ({ key, value: 1, version }));
    same(snapshot.version, version, "its version");
    same(await snapshot.get(["a", "b", "c", "d"]), [...entries, undefined], "its entries");
    same(await snapshot.list({ under: "", limit: 100 }), entries, "its list");
    same(await snapshot.list({ under: "", limit: 2 }), entries.slice(0, 2), "the first two of its list");
    same(await snapshot.list({ under: "", limit: 2, reverse: true }), entries.slice(1).reverse(), "the last two");
    same(await snapshot.list({ under: "", after: "a", before: "c", limit: 9 }), [entries[1]], "the middle of its list");
  },

  "a snapshot of nothing stays one": async ({ storage }) => {
    const p = storage.partition("p");
    const snapshot = await p.snapshot();
    await commit(p, { puts: { a: 1 } });
    same(await snapshot.get(["a"]), [undefined], "its entry");
    same(await snapshot.list({ under: "", limit: 9 }), [], "its list");
    same(snapshot.version, 0, "its version");
  },

  "each of many snapshots keeps its own state": async ({ storage }) => {
    const p = storage.partition("p");
    const kept = [];
    for (let i = 1; i <= 30; i++) {
      await commit(p, { puts: { n: i, [`k${i % 5}`]: i }, deletes: [`k${(i + 2) % 5}`] });
      kept.push({ i, snapshot: await p.snapshot(), keys: await keysIn(p, { under: "k" }) });
    }
    for (const { i, snapshot, keys } of kept.reverse()) {
      same((await snapshot.get(["n"]))[0]?.value, i, `the counter in snapshot ${i}`);
      same(
        (await snapshot.list({ under: "k", limit: 9 })).map(({ key }) => key),
        keys,
        `the keys in snapshot ${i}`,
      );
    }
  },

  "many keys are read together, each in its place, as they were": async ({ storage }) => {
    const p = storage.partition("p");
    const keys = Array.from({ length: 1200 }, (_, i) => `k${i}`);
    const isThere = (i: number) => i % 3 !== 0;
    for (let from = 0; from < keys.length; from += 400) {
      const some = keys.flatMap((key, i) => (i >= from && i < from + 400 && isThere(i) ? [[key, i] as const] : []));
      await commit(p, { puts: Object.fromEntries(some) });
    }
    const snapshot = await p.snapshot();
    const reading = snapshot.get(keys);
    await commit(p, { puts: { k0: "new", k1: "new", k1199: "new" }, deletes: ["k700"] });
    const wanted = keys.map((_, i) => (isThere(i) ? i : undefined));
    same(
      (await reading).map((entry) => entry?.value),
      wanted,
      "what was read while others wrote",
    );
    same(
      (await snapshot.get(keys)).map((entry) => entry?.value),
      wanted,
      "what is read afterwards",
    );
  },

  "reads that were begun before a commit see nothing of it": async ({ storage }) => {
    const p = storage.partition("p");
    await commit(p, { puts: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i + 100}`, 0])) });
    for (let round = 1; round <= 10; round++) {
      const snapshot = await p.snapshot();
      const reads = Promise.all([
        snapshot.list({ under: "k", limit: 1000 }),
        snapshot.list({ under: "k", limit: 1000, reverse: true }),
        snapshot.get(Array.from({ length: 100 }, (_, i) => `k${i + 100}`)),
      ]);
      const puts = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i + 100}`, round]));
      const [answers] = await Promise.all([reads, commit(p, { puts })]);
      for (const entries of answers) {
        same(entries.length, 100, "how many entries there are");
        for (const entry of entries) same(entry?.value, round - 1, `the value of ${entry?.key}`);
      }
    }
  },

  "a snapshot holds every commit acknowledged before it": async ({ storage }) => {
    const p = storage.partition("p");
    for (let i = 1; i <= 50; i++) {
      const version = await commit(p, { puts: { a: i } });
      const snapshot = await storage.partition("p").snapshot();
      assert(snapshot.version >= version, `a snapshot of version ${snapshot.version} after commit ${version}`);
      same((await snapshot.get(["a"]))[0], { key: "a", value: i, version }, "the entry of the last commit");
    }
  },

  "partitions do not see each other": async ({ storage }) => {
    const [p, q] = [storage.partition("p"), storage.partition("p-q")];
    await commit(p, { puts: { a: "p" } });
    await commit(p, { puts: { b: "p" } });
    const version = await commit(q, { checks: { a: null }, puts: { a: "q" } });
    same(await valueAt(p, "a"), "p", "the entry of one");
    same(await read(q, "a"), { key: "a", value: "q", version }, "the entry of the other");
    same([await keysIn(p, {}), await keysIn(q, {})], [["a", "b"], ["a"]], "the keys of both");
    await commit(q, { deletes: ["a"] });
    same(await valueAt(p, "a"), "p", "the entry of one after a delete in the other");
    same((await storage.partition("r").snapshot()).version, 0, "the version of a third");
  },

  "partitions are listed, in order, once they were committed to": async ({ storage }) => {
    same(await all(storage.partitions()), [], "the partitions of an empty storage");
    await storage.partition("read").snapshot();
    await storage.partition("refused").commit(batch({ checks: { a: 1 }, puts: { a: 1 } }));
    await storage.partition("checked").commit(batch({ checks: { a: null } }));
    for (const name of ["b", "a", "a-b", "ab", "0", "z9"]) await commit(storage.partition(name), { puts: { k: 1 } });
    await commit(storage.partition("emptied"), { puts: { k: 1 } });
    await commit(storage.partition("emptied"), { deletes: ["k"] });
    const names = ["0", "a", "a-b", "ab", "b", "emptied", "z9"];
    same(await all(storage.partitions()), names, "all partitions");
    same(await all(storage.partitions("a")), names.slice(2), "those after a name");
    same(await all(storage.partitions("aa")), names.slice(3), "those after a name that none has");
    same(await all(storage.partitions("z9")), [], "those after the last");
  },

  "many partitions are listed, each once": async ({ storage }) => {
    const names = Array.from({ length: 230 }, (_, i) => `p${String(i).padStart(3, "0")}`);
    await Promise.all(names.map((name) => commit(storage.partition(name), { puts: { k: 1 } })));
    same(await all(storage.partitions()), names, "the partitions");
    same(await all(storage.partitions("p099")), names.slice(100), "those after one");
    for await (const name of storage.partitions()) {
      same(name, "p000", "the first, where the reader stops");
      break;
    }
  },

  "a name that no partition may have is refused": async ({ storage }) => {
    for (const name of ["", "A", "-a", "a_b", "a/b", "ü", "a\n", "a".repeat(64)])
      await refuses("too_large", () => storage.partition(name).commit(batch({ puts: { a: 1 } })), JSON.stringify(name));
    for (const name of ["a", "0", "a-", "a".repeat(63)]) await commit(storage.partition(name), { puts: { a: 1 } });
    same((await all(storage.partitions())).length, 4, "how many partitions there are");
  },
};
