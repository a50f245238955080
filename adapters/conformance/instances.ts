// Promise 2 across processes: two instances on the same data see each other's commits immediately and lose nothing.

import type { Partition } from "../adapter";
import { assert, assertEqual } from "./assert";
import { buildBatch, type Cases, collectAll, commitBatch, readEntry, readValue } from "./cases";
import { increment, runConcurrently } from "./concurrency";

export const instances: Cases = {
  "what one acknowledged is in the next snapshot of the other": async ({ storage, another }) => {
    const [p, q] = [storage, await another()].map((it) => it.partition("p")) as [Partition, Partition];
    for (let i = 1; i <= 20; i++) {
      const [writer, reader] = i % 2 === 0 ? [p, q] : [q, p];
      const version = await commitBatch(writer, { puts: { a: i } });
      assertEqual(await readEntry(reader, "a"), { key: "a", value: i, version }, `the entry of commit ${i}`);
      assert((await reader.snapshot()).version >= version, `an older snapshot after commit ${i}`);
    }
  },

  "a check of one fails on a commit of the other": async ({ storage, another }) => {
    const [p, q] = [storage, await another()].map((it) => it.partition("p")) as [Partition, Partition];
    const first = await commitBatch(p, { puts: { a: 1 } });
    await q.snapshot();
    await commitBatch(q, { checks: { a: first }, puts: { a: 2 } });
    assertEqual(
      await p.commit(buildBatch({ checks: { a: first }, puts: { a: 3 } })),
      { ok: false, conflict: "a" },
      "a stale check",
    );
    assertEqual([await readValue(p, "a"), await readValue(q, "a")], [2, 2], "the value in both");
  },

  "increments through both lose nothing, and versions are used once": async ({ storage, another }) => {
    const both = [storage.partition("p"), (await another()).partition("p")];
    await runConcurrently(8, async (i) => {
      for (let n = 0; n < 5; n++) await increment(both[i % 2]!);
    });
    assertEqual([await readValue(both[0]!, "n"), await readValue(both[1]!, "n")], [40, 40], "the number in both");
    const versions = await runConcurrently(20, (i) => commitBatch(both[i % 2]!, { puts: { [`k${i}`]: i } }));
    assertEqual(new Set(versions).size, 20, "how many versions there are");
  },

  "partitions and blobs of one are those of the other": async ({ storage, another }) => {
    const other = await another();
    await commitBatch(storage.partition("p"), { puts: { a: 1 } });
    await commitBatch(other.partition("q"), { puts: { a: 1 } });
    await storage.blobs.put("one", new Uint8Array([1, 2, 3]));
    await other.blobs.put("two", new Uint8Array([4]));
    for (const it of [storage, other]) {
      assertEqual(await collectAll(it.partitions()), ["p", "q"], "the partitions");
      assertEqual(await collectAll(it.blobs.list()), ["one", "two"], "the blobs");
    }
    const blob = await other.blobs.get("one");
    assert(blob, "a blob of one is absent in the other");
    assertEqual(
      (await collectAll(blob.stream)).flatMap((bytes) => [...bytes]),
      [1, 2, 3],
      "its bytes",
    );
    await other.blobs.delete("one");
    assertEqual(await storage.blobs.get("one"), undefined, "a blob that the other deleted");
  },

  "closing one leaves the other open": async ({ storage, another }) => {
    const other = await another();
    await commitBatch(storage.partition("p"), { puts: { a: 1 } });
    if (other !== storage) await other.close();
    await commitBatch(storage.partition("p"), { puts: { a: 2 } });
    assertEqual(await readValue(storage.partition("p"), "a"), 2, "the value");
  },
};
