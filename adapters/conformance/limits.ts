// Promise 6: each limit is exact. Exceeding it by one throws `TooLarge`, and nothing of the batch is written.

import {
  type Batch,
  type Json,
  MAX_BATCH_BYTES,
  MAX_BATCH_CHECKS,
  MAX_BATCH_ENTRIES,
  MAX_KEY_BYTES,
  MAX_VALUE_BYTES,
  type Partition,
} from "../adapter";
import { assertEqual, assertRefuses } from "./assert";
import { buildBatch, type Cases, collectAll, commitBatch, listKeys, readEntry } from "./cases";

const createKeys = (count: number) => Array.from({ length: count }, (_, i) => `k${String(i).padStart(4, "0")}`);
const on = <T>(keys: readonly string[], value: T) => Object.fromEntries(keys.map((key) => [key, value]));

/** Creates a text whose JSON has this many bytes. Two of them are the quotes. */
const createText = (bytes: number) => "x".repeat(bytes - 2);

/** Asserts that a batch is refused as too large and that nothing of it is written. */
async function assertBatchRefused(p: Partition, wrong: Batch, message: string): Promise<void> {
  const before = await p.snapshot();
  await assertRefuses("too_large", () => p.commit(wrong), message);
  const after = await p.snapshot();
  assertEqual(after.version, before.version, `the version after ${message}`);
  const everything = { under: "", limit: 5000 };
  assertEqual(
    (await after.list(everything)).length,
    (await before.list(everything)).length,
    `the entries after ${message}`,
  );
}

export const limits: Cases = {
  "a key has at most 1 KiB": async ({ storage }) => {
    const p = storage.partition("p");
    const [longest, tooLong] = ["\xff".repeat(MAX_KEY_BYTES), "\xff".repeat(MAX_KEY_BYTES + 1)];
    await commitBatch(p, { checks: { [longest]: null }, puts: { [longest]: 1 } });
    assertEqual((await readEntry(p, longest))?.value, 1, "the entry under the longest key");
    assertEqual(await listKeys(p, { under: longest }), [longest], "the list under the longest key");
    assertEqual(await listKeys(p, { after: longest }), [], "the list after the longest key");
    await commitBatch(p, { adds: { [longest]: 1 } });
    await commitBatch(p, { deletes: [longest] });
    await assertBatchRefused(p, buildBatch({ puts: { a: 1, [tooLong]: 1 } }), "a put under too long a key");
    await assertBatchRefused(p, buildBatch({ puts: { a: 1 }, deletes: [tooLong] }), "a delete of too long a key");
    await assertBatchRefused(p, buildBatch({ puts: { a: 1 }, adds: { [tooLong]: 1 } }), "an add to too long a key");
    await assertBatchRefused(
      p,
      buildBatch({ puts: { a: 1 }, checks: { [tooLong]: null } }),
      "a check of too long a key",
    );
  },

  "a key has at least one byte, and nothing but bytes": async ({ storage }) => {
    const p = storage.partition("p");
    for (const wrong of ["", "\u0100", "a漢"]) {
      await assertBatchRefused(p, buildBatch({ puts: { a: 1, [wrong]: 1 } }), `a put under ${JSON.stringify(wrong)}`);
      await assertBatchRefused(
        p,
        buildBatch({ puts: { a: 1 }, deletes: [wrong] }),
        `a delete of ${JSON.stringify(wrong)}`,
      );
      await assertBatchRefused(
        p,
        buildBatch({ puts: { a: 1 }, adds: { [wrong]: 1 } }),
        `an add to ${JSON.stringify(wrong)}`,
      );
      await assertBatchRefused(
        p,
        buildBatch({ puts: { a: 1 }, checks: { [wrong]: null } }),
        `a check of ${JSON.stringify(wrong)}`,
      );
    }
  },

  "a value has at most 64 KiB of JSON, as UTF-8": async ({ storage }) => {
    const p = storage.partition("p");
    const edges: [string, Json, Json][] = [
      ["plain text", createText(MAX_VALUE_BYTES), createText(MAX_VALUE_BYTES + 1)],
      ["two bytes a character", `${"ü".repeat(MAX_VALUE_BYTES / 2 - 1)}`, `${"ü".repeat(MAX_VALUE_BYTES / 2 - 1)}x`],
      [
        "four bytes a character",
        `xx${"🎈".repeat(MAX_VALUE_BYTES / 4 - 1)}`,
        `xxx${"🎈".repeat(MAX_VALUE_BYTES / 4 - 1)}`,
      ],
      ["escapes", `${"\n".repeat(MAX_VALUE_BYTES / 2 - 1)}`, `${"\n".repeat(MAX_VALUE_BYTES / 2 - 1)}x`],
      ["a list", [createText(MAX_VALUE_BYTES - 2)], [createText(MAX_VALUE_BYTES - 1)]],
    ];
    for (const [what, largest, tooLarge] of edges) {
      await commitBatch(p, { puts: { v: largest } });
      assertEqual((await readEntry(p, "v"))?.value, largest, `the largest value of ${what}`);
      await assertBatchRefused(p, buildBatch({ puts: { a: 1, v: tooLarge } }), `one byte more of ${what}`);
    }
  },

  "a batch has at most 500 entries": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { puts: on(createKeys(MAX_BATCH_ENTRIES), 1) });
    assertEqual((await listKeys(p, {})).length, MAX_BATCH_ENTRIES, "how many were put");
    await assertBatchRefused(p, buildBatch({ puts: on(createKeys(MAX_BATCH_ENTRIES + 1), 1) }), "one put more");
    await assertBatchRefused(p, buildBatch({ deletes: createKeys(MAX_BATCH_ENTRIES + 1) }), "one delete more");
    await assertBatchRefused(p, buildBatch({ adds: on(createKeys(MAX_BATCH_ENTRIES + 1), 1) }), "one add more");
    const [first, second, third] = [createKeys(200), createKeys(350).slice(200), createKeys(500).slice(350)];
    const mixed = { puts: on(first, 2), deletes: second, adds: on(third, 2) };
    await assertBatchRefused(
      p,
      buildBatch({ ...mixed, adds: { ...mixed.adds, more: 1 } }),
      "one more of all three together",
    );
    await commitBatch(p, mixed);
    assertEqual(await listKeys(p, {}), [...first, ...third], "the keys after as many of all three");
  },

  "a batch has at most 1,000 checks": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { checks: on(createKeys(MAX_BATCH_CHECKS), null), puts: { a: 1 } });
    await assertBatchRefused(
      p,
      buildBatch({ checks: on(createKeys(MAX_BATCH_CHECKS + 1), null), puts: { b: 1 } }),
      "one check more",
    );
    const answer = await p.commit(buildBatch({ checks: { ...on(createKeys(MAX_BATCH_CHECKS - 1), null), a: null } }));
    assertEqual(answer, { ok: false, conflict: "a" }, "the last check of as many as may be");
  },

  "a batch writes at most 800 KiB": async ({ storage }) => {
    const p = storage.partition("p");
    const full = Math.floor(MAX_BATCH_BYTES / (MAX_VALUE_BYTES + 5));
    const rest = MAX_BATCH_BYTES - full * (MAX_VALUE_BYTES + 5) - "rest".length;
    const puts = on(createKeys(full), createText(MAX_VALUE_BYTES));
    await assertBatchRefused(p, buildBatch({ puts: { ...puts, rest: createText(rest + 1) } }), "one byte more");
    await commitBatch(p, { puts: { ...puts, rest: createText(rest) } });
    assertEqual((await listKeys(p, {})).length, full + 1, "how many were put");
    assertEqual(
      (await readEntry(p, createKeys(full).at(-1)!))?.value,
      createText(MAX_VALUE_BYTES),
      "the last of the largest",
    );
  },

  "a key stands in a batch at most once": async ({ storage }) => {
    const p = storage.partition("p");
    const put = { key: "a", value: 1 };
    const add = { key: "a", amount: 1 };
    const nothing = buildBatch({ puts: { b: 1 } });
    await assertBatchRefused(p, { ...nothing, puts: [put, put] }, "two puts");
    await assertBatchRefused(p, { ...nothing, deletes: ["a", "a"] }, "two deletes");
    await assertBatchRefused(p, { ...nothing, adds: [add, add] }, "two adds");
    await assertBatchRefused(p, { ...nothing, puts: [put], deletes: ["a"] }, "a put and a delete");
    await assertBatchRefused(p, { ...nothing, puts: [put], adds: [add] }, "a put and an add");
    await assertBatchRefused(p, { ...nothing, deletes: ["a"], adds: [add] }, "a delete and an add");
    await commitBatch(p, { checks: { a: null }, puts: { a: 1 } });
  },

  "what is not JSON is refused": async ({ storage }) => {
    const p = storage.partition("p");
    await assertBatchRefused(p, buildBatch({ puts: { a: 1, b: undefined as unknown as Json } }), "undefined");
    await assertBatchRefused(p, buildBatch({ puts: { a: 1 }, adds: { b: Number.NaN } }), "an add of what is no number");
    await assertBatchRefused(
      p,
      buildBatch({ puts: { a: 1 }, adds: { b: Number.POSITIVE_INFINITY } }),
      "an add of infinity",
    );
    let deep: Json = 1;
    for (let i = 0; i < 30_000; i++) deep = [deep];
    try {
      JSON.stringify(deep);
    } catch {
      await assertBatchRefused(
        p,
        buildBatch({ puts: { a: 1, b: deep } }),
        "a value nested deeper than this runtime can write",
      );
    }
    assertEqual(await collectAll(storage.partitions()), [], "the partitions after nothing but refusals");
  },
};
