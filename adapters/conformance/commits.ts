// Promise 1 and the rules of a batch: the meaning of checks, puts, deletes and adds, and that a batch is all or nothing.

import { assert, assertEqual, assertRefuses } from "./assert";
import { buildBatch, type Cases, commitBatch, listKeys, readEntry, readValue } from "./cases";

export const commits: Cases = {
  "a key that was never written is absent": async ({ storage }) => {
    const snapshot = await storage.partition("p").snapshot();
    assertEqual(snapshot.version, 0, "the version of a partition without commits");
    assertEqual(await snapshot.get(["a", "b"]), [undefined, undefined], "two absent keys");
    assertEqual(await snapshot.get([]), [], "no keys at all");
  },

  "what was put is there, until it is deleted": async ({ storage }) => {
    const p = storage.partition("p");
    const first = await commitBatch(p, { puts: { a: { n: 1 } } });
    assertEqual(await readEntry(p, "a"), { key: "a", value: { n: 1 }, version: first }, "a new entry");
    const second = await commitBatch(p, { puts: { a: [2] } });
    assertEqual(await readEntry(p, "a"), { key: "a", value: [2], version: second }, "a replaced entry");
    await commitBatch(p, { deletes: ["a"] });
    assertEqual(await readEntry(p, "a"), undefined, "a deleted entry");
    await commitBatch(p, { puts: { a: 3 } });
    assertEqual(await readValue(p, "a"), 3, "an entry that came back");
  },

  "every kind of JSON value comes back as it was": async ({ storage }) => {
    const p = storage.partition("p");
    const puts = {
      null: null,
      true: true,
      false: false,
      zero: 0,
      fraction: -1.5e-7,
      large: Number.MAX_SAFE_INTEGER,
      empty: "",
      text: 'quotes " \\ line\nend \u0000 \u2028 ü 漢 🎈',
      surrogate: "half a pair \ud83c",
      list: [1, [2, []], {}],
      object: { a: { b: { c: null } }, "": 1, constructor: 2 },
      prototype: JSON.parse('{"__proto__":{"x":1}}'),
    };
    await commitBatch(p, { puts });
    for (const [key, value] of Object.entries(puts)) assertEqual(await readValue(p, key), value, `the value "${key}"`);
  },

  "entries come in the order asked, also twice": async ({ storage }) => {
    const p = storage.partition("p");
    const version = await commitBatch(p, { puts: { a: 1, b: 2 } });
    const [a, b] = [
      { key: "a", value: 1, version },
      { key: "b", value: 2, version },
    ];
    assertEqual(
      await (await p.snapshot()).get(["b", "x", "a", "b"]),
      [b, undefined, a, b],
      "four answers for four keys",
    );
  },

  "changing an object after the commit does not change what is stored": async ({ storage }) => {
    const p = storage.partition("p");
    const value = { list: [1] };
    await commitBatch(p, { puts: { a: value } });
    value.list.push(2);
    assertEqual(await readValue(p, "a"), { list: [1] }, "the value after its writer changed the object");
    const answer = (await readValue(p, "a")) as { list: number[] };
    try {
      answer.list.push(3);
    } catch {
      // The value is frozen, so it could not be changed.
    }
    assertEqual(await readValue(p, "a"), { list: [1] }, "the value after a reader tried to change it");
  },

  "a check holds as long as its key keeps its version": async ({ storage }) => {
    const p = storage.partition("p");
    const first = await commitBatch(p, { puts: { a: 1, b: 1 } });
    await commitBatch(p, { puts: { b: 2 } });
    await commitBatch(p, { checks: { a: first }, puts: { a: 2 } });
    const stale = await p.commit(buildBatch({ checks: { a: first }, puts: { a: 3 } }));
    assertEqual(stale, { ok: false, conflict: "a" }, "a commit on a version that has passed");
    assertEqual(await readValue(p, "a"), 2, "the value after a refusal");
  },

  "a check for a version fails when the key is gone": async ({ storage }) => {
    const p = storage.partition("p");
    const version = await commitBatch(p, { puts: { a: 1 } });
    await commitBatch(p, { deletes: ["a"] });
    assertEqual(
      await p.commit(buildBatch({ checks: { a: version }, puts: { b: 1 } })),
      { ok: false, conflict: "a" },
      "the commit",
    );
  },

  "a check for a version fails when the key was deleted and written again": async ({ storage }) => {
    const p = storage.partition("p");
    const version = await commitBatch(p, { puts: { a: 1 } });
    await commitBatch(p, { deletes: ["a"] });
    await commitBatch(p, { puts: { a: 1 } });
    assertEqual(
      await p.commit(buildBatch({ checks: { a: version }, puts: { b: 1 } })),
      { ok: false, conflict: "a" },
      "the commit",
    );
  },

  "a check for absence holds until the key is written, and again when it is gone": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { checks: { a: null }, puts: { a: 1 } });
    assertEqual(
      await p.commit(buildBatch({ checks: { a: null }, puts: { a: 2 } })),
      { ok: false, conflict: "a" },
      "a present key",
    );
    await commitBatch(p, { deletes: ["a"] });
    await commitBatch(p, { checks: { a: null }, puts: { a: 3 } });
    assertEqual(await readValue(p, "a"), 3, "the value after all");
  },

  "a refusal names the first check that failed": async ({ storage }) => {
    const p = storage.partition("p");
    const version = await commitBatch(p, { puts: { a: 1, b: 1, c: 1 } });
    const answer = await p.commit({
      checks: [
        { key: "c", version },
        { key: "b", version: version + 1 },
        { key: "a", version: null },
      ],
      puts: [],
      deletes: [],
      adds: [],
    });
    assertEqual(answer, { ok: false, conflict: "b" }, "the answer");
  },

  "nothing of a refused batch is applied": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { puts: { a: 1, b: 1, n: 1 } });
    const before = await (await p.snapshot()).list({ under: "", limit: 100 });
    const answer = await p.commit(
      buildBatch({ checks: { a: null }, puts: { a: 2, c: 2 }, deletes: ["b"], adds: { n: 5, m: 5 } }),
    );
    assertEqual(answer, { ok: false, conflict: "a" }, "the answer");
    assertEqual(await (await p.snapshot()).list({ under: "", limit: 100 }), before, "all entries after the refusal");
  },

  "a batch applies all that it does": async ({ storage }) => {
    const p = storage.partition("p");
    const first = await commitBatch(p, { puts: { a: 1, b: 1, c: 1, n: 1 } });
    const second = await commitBatch(p, { puts: { a: 2, d: 2 }, deletes: ["b"], adds: { n: 2, m: 3 } });
    assertEqual(
      await (await p.snapshot()).list({ under: "", limit: 100 }),
      [
        { key: "a", value: 2, version: second },
        { key: "c", value: 1, version: first },
        { key: "d", value: 2, version: second },
        { key: "m", value: 3, version: second },
        { key: "n", value: 3, version: second },
      ],
      "all entries",
    );
  },

  "adds count from zero, up and down": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { adds: { n: 3 } });
    assertEqual(await readValue(p, "n"), 3, "an add to an absent key");
    await commitBatch(p, { adds: { n: -5 } });
    assertEqual(await readValue(p, "n"), -2, "a negative add");
    await commitBatch(p, { adds: { n: 0.5 } });
    assertEqual(await readValue(p, "n"), -1.5, "a fraction");
    await commitBatch(p, { deletes: ["n"] });
    await commitBatch(p, { adds: { n: 1 } });
    assertEqual(await readValue(p, "n"), 1, "an add to a deleted key");
  },

  "an add replaces what is not a number": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { puts: { a: "7", b: { n: 7 }, c: null, d: true } });
    await commitBatch(p, { adds: { a: 1, b: 2, c: 3, d: 4 } });
    assertEqual(
      (await (await p.snapshot()).get(["a", "b", "c", "d"])).map((entry) => entry?.value),
      [1, 2, 3, 4],
      "the counters",
    );
  },

  "adds at the same time all count, whatever the order": async ({ storage }) => {
    const p = storage.partition("p");
    const amounts = Array.from({ length: 30 }, (_, i) => i - 5);
    const answers = await Promise.all(amounts.map((amount) => p.commit(buildBatch({ adds: { n: amount } }))));
    assert(
      answers.every(({ ok }) => ok),
      "an add was refused",
    );
    assertEqual(
      await readValue(p, "n"),
      amounts.reduce((sum, amount) => sum + amount),
      "the sum",
    );
  },

  "an add that leaves the numbers is refused, and nothing of its batch is applied": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { puts: { n: Number.MAX_VALUE } });
    const call = () => p.commit(buildBatch({ puts: { a: 1 }, adds: { n: Number.MAX_VALUE } }));
    await assertRefuses("too_large", call, "a sum that is infinite");
    assertEqual(await listKeys(p, {}), ["n"], "the keys after it");
    assertEqual(await readValue(p, "n"), Number.MAX_VALUE, "the counter after it");
  },

  "deleting what is absent is no error": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { deletes: ["a", "b"] });
    assertEqual(await readEntry(p, "a"), undefined, "the entry");
  },

  "versions grow with every commit, and entries carry that of their own": async ({ storage }) => {
    const p = storage.partition("p");
    const versions: number[] = [];
    for (let i = 0; i < 10; i++) {
      versions.push(await commitBatch(p, i % 3 === 2 ? { deletes: ["none"] } : { puts: { [`k${i}`]: i } }));
      assertEqual((await p.snapshot()).version, versions[i], "the version of a snapshot after a commit");
    }
    versions.forEach((version, i) => {
      assert(Number.isSafeInteger(version) && version > (versions[i - 1] ?? 0), `versions do not grow: ${versions}`);
    });
    for (const i of [0, 1, 3, 9])
      assertEqual((await readEntry(p, `k${i}`))?.version, versions[i], `the version of k${i}`);
  },

  "commits at the same time get different versions, and entries carry that of their own": async ({ storage }) => {
    const p = storage.partition("p");
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => commitBatch(p, { puts: { [`k${i}`]: i, last: i } })),
    );
    assertEqual(new Set(answers).size, 40, "how many versions there are");
    const snapshot = await p.snapshot();
    assertEqual(snapshot.version, Math.max(...answers), "the version of the snapshot");
    for (const [i, version] of answers.entries())
      assertEqual((await snapshot.get([`k${i}`]))[0], { key: `k${i}`, value: i, version }, `the entry of commit ${i}`);
    assertEqual((await snapshot.get(["last"]))[0]?.value, answers.indexOf(snapshot.version), "who wrote last");
  },

  "a batch that only checks is answered, and leaves no version behind": async ({ storage }) => {
    const p = storage.partition("p");
    assertEqual(
      await p.commit(buildBatch({ checks: { a: null } })),
      { ok: true, version: 0 },
      "a check on an empty partition",
    );
    const version = await commitBatch(p, { puts: { a: 1 } });
    assertEqual(await p.commit(buildBatch({ checks: { a: version } })), { ok: true, version }, "a check that holds");
    assertEqual(
      await p.commit(buildBatch({ checks: { a: null } })),
      { ok: false, conflict: "a" },
      "a check that fails",
    );
    assertEqual(await p.commit(buildBatch({})), { ok: true, version }, "a batch of nothing");
    assertEqual((await p.snapshot()).version, version, "the version afterwards");
  },
};
