// Promise 2: strict serializability of each partition, as seen by sequential callers, and the isolation of partitions.

import { assert, assertEqual, assertRefuses } from "./assert";
import { buildBatch, type Cases, collectAll, commitBatch, listKeys, readEntry, readValue } from "./cases";

export const snapshots: Cases = {
  "a snapshot does not change while it is read": async ({ storage }) => {
    const p = storage.partition("p");
    const version = await commitBatch(p, { puts: { a: 1, b: 1, c: 1 } });
    const snapshot = await p.snapshot();
    await commitBatch(p, { puts: { a: 2, d: 2 }, deletes: ["b"], adds: { c: 5 } });
    await commitBatch(p, { puts: { b: 3 }, deletes: ["a", "c"] });
    const entries = ["a", "b", "c"].map((key) => ({ key, value: 1, version }));
    assertEqual(snapshot.version, version, "its version");
    assertEqual(await snapshot.get(["a", "b", "c", "d"]), [...entries, undefined], "its entries");
    assertEqual(await snapshot.list({ under: "", limit: 100 }), entries, "its list");
    assertEqual(await snapshot.list({ under: "", limit: 2 }), entries.slice(0, 2), "the first two of its list");
    assertEqual(
      await snapshot.list({ under: "", limit: 2, reverse: true }),
      entries.slice(1).reverse(),
      "the last two",
    );
    assertEqual(
      await snapshot.list({ under: "", after: "a", before: "c", limit: 9 }),
      [entries[1]],
      "the middle of its list",
    );
  },

  "a snapshot of nothing stays one": async ({ storage }) => {
    const p = storage.partition("p");
    const snapshot = await p.snapshot();
    await commitBatch(p, { puts: { a: 1 } });
    assertEqual(await snapshot.get(["a"]), [undefined], "its entry");
    assertEqual(await snapshot.list({ under: "", limit: 9 }), [], "its list");
    assertEqual(snapshot.version, 0, "its version");
  },

  "each of many snapshots keeps its own state": async ({ storage }) => {
    const p = storage.partition("p");
    const kept = [];
    for (let i = 1; i <= 30; i++) {
      await commitBatch(p, { puts: { n: i, [`k${i % 5}`]: i }, deletes: [`k${(i + 2) % 5}`] });
      kept.push({ i, snapshot: await p.snapshot(), keys: await listKeys(p, { under: "k" }) });
    }
    for (const { i, snapshot, keys } of kept.reverse()) {
      assertEqual((await snapshot.get(["n"]))[0]?.value, i, `the counter in snapshot ${i}`);
      assertEqual(
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
      await commitBatch(p, { puts: Object.fromEntries(some) });
    }
    const snapshot = await p.snapshot();
    const reading = snapshot.get(keys);
    await commitBatch(p, { puts: { k0: "new", k1: "new", k1199: "new" }, deletes: ["k700"] });
    const wanted = keys.map((_, i) => (isThere(i) ? i : undefined));
    assertEqual(
      (await reading).map((entry) => entry?.value),
      wanted,
      "what was read while others wrote",
    );
    assertEqual(
      (await snapshot.get(keys)).map((entry) => entry?.value),
      wanted,
      "what is read afterwards",
    );
  },

  "reads that were begun before a commit see nothing of it": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { puts: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i + 100}`, 0])) });
    for (let round = 1; round <= 10; round++) {
      const snapshot = await p.snapshot();
      const reads = Promise.all([
        snapshot.list({ under: "k", limit: 1000 }),
        snapshot.list({ under: "k", limit: 1000, reverse: true }),
        snapshot.get(Array.from({ length: 100 }, (_, i) => `k${i + 100}`)),
      ]);
      const puts = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i + 100}`, round]));
      const [answers] = await Promise.all([reads, commitBatch(p, { puts })]);
      for (const entries of answers) {
        assertEqual(entries.length, 100, "how many entries there are");
        for (const entry of entries) assertEqual(entry?.value, round - 1, `the value of ${entry?.key}`);
      }
    }
  },

  "a snapshot holds every commit acknowledged before it": async ({ storage }) => {
    const p = storage.partition("p");
    for (let i = 1; i <= 50; i++) {
      const version = await commitBatch(p, { puts: { a: i } });
      const snapshot = await storage.partition("p").snapshot();
      assert(snapshot.version >= version, `a snapshot of version ${snapshot.version} after commit ${version}`);
      assertEqual((await snapshot.get(["a"]))[0], { key: "a", value: i, version }, "the entry of the last commit");
    }
  },

  "partitions do not see each other": async ({ storage }) => {
    const [p, q] = [storage.partition("p"), storage.partition("p-q")];
    await commitBatch(p, { puts: { a: "p" } });
    await commitBatch(p, { puts: { b: "p" } });
    const version = await commitBatch(q, { checks: { a: null }, puts: { a: "q" } });
    assertEqual(await readValue(p, "a"), "p", "the entry of one");
    assertEqual(await readEntry(q, "a"), { key: "a", value: "q", version }, "the entry of the other");
    assertEqual([await listKeys(p, {}), await listKeys(q, {})], [["a", "b"], ["a"]], "the keys of both");
    await commitBatch(q, { deletes: ["a"] });
    assertEqual(await readValue(p, "a"), "p", "the entry of one after a delete in the other");
    assertEqual((await storage.partition("r").snapshot()).version, 0, "the version of a third");
  },

  "partitions are listed, in order, once they were committed to": async ({ storage }) => {
    assertEqual(await collectAll(storage.partitions()), [], "the partitions of an empty storage");
    await storage.partition("read").snapshot();
    await storage.partition("refused").commit(buildBatch({ checks: { a: 1 }, puts: { a: 1 } }));
    await storage.partition("checked").commit(buildBatch({ checks: { a: null } }));
    for (const name of ["b", "a", "a-b", "ab", "0", "z9"])
      await commitBatch(storage.partition(name), { puts: { k: 1 } });
    await commitBatch(storage.partition("emptied"), { puts: { k: 1 } });
    await commitBatch(storage.partition("emptied"), { deletes: ["k"] });
    const names = ["0", "a", "a-b", "ab", "b", "emptied", "z9"];
    assertEqual(await collectAll(storage.partitions()), names, "all partitions");
    assertEqual(await collectAll(storage.partitions("a")), names.slice(2), "those after a name");
    assertEqual(await collectAll(storage.partitions("aa")), names.slice(3), "those after a name that none has");
    assertEqual(await collectAll(storage.partitions("z9")), [], "those after the last");
  },

  "many partitions are listed, each once": async ({ storage }) => {
    const names = Array.from({ length: 230 }, (_, i) => `p${String(i).padStart(3, "0")}`);
    await Promise.all(names.map((name) => commitBatch(storage.partition(name), { puts: { k: 1 } })));
    assertEqual(await collectAll(storage.partitions()), names, "the partitions");
    assertEqual(await collectAll(storage.partitions("p099")), names.slice(100), "those after one");
    for await (const name of storage.partitions()) {
      assertEqual(name, "p000", "the first, where the reader stops");
      break;
    }
  },

  "a name that no partition may have is refused": async ({ storage }) => {
    for (const name of ["", "A", "-a", "a_b", "a/b", "ü", "a\n", "a".repeat(64)])
      await assertRefuses(
        "too_large",
        () => storage.partition(name).commit(buildBatch({ puts: { a: 1 } })),
        JSON.stringify(name),
      );
    for (const name of ["a", "0", "a-", "a".repeat(63)]) await commitBatch(storage.partition(name), { puts: { a: 1 } });
    assertEqual((await collectAll(storage.partitions())).length, 4, "how many partitions there are");
  },
};
