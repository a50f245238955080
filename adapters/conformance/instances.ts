// Promise 2 over processes: two instances on the same data see each other's commits at once, and lose nothing.

import type { Partition } from "../adapter";
import { assert, same } from "./assert";
import { all, batch, type Cases, commit, read, valueAt } from "./cases";
import { atOnce, increment } from "./concurrency";

export const instances: Cases = {
  "what one acknowledged is in the next snapshot of the other": async ({ storage, another }) => {
    const [p, q] = [storage, await another()].map((it) => it.partition("p")) as [Partition, Partition];
    for (let i = 1; i <= 20; i++) {
      const [writer, reader] = i % 2 === 0 ? [p, q] : [q, p];
      const version = await commit(writer, { puts: { a: i } });
      same(await read(reader, "a"), { key: "a", value: i, version }, `the entry of commit ${i}`);
      assert((await reader.snapshot()).version >= version, `an older snapshot after commit ${i}`);
    }
  },

  "a check of one fails on a commit of the other": async ({ storage, another }) => {
    const [p, q] = [storage, await another()].map((it) => it.partition("p")) as [Partition, Partition];
    const first = await commit(p, { puts: { a: 1 } });
    await q.snapshot();
    await commit(q, { checks: { a: first }, puts: { a: 2 } });
    same(
      await p.commit(batch({ checks: { a: first }, puts: { a: 3 } })),
      { ok: false, conflict: "a" },
      "a stale check",
    );
    same([await valueAt(p, "a"), await valueAt(q, "a")], [2, 2], "the value in both");
  },

  "increments through both lose nothing, and versions are used once": async ({ storage, another }) => {
    const both = [storage.partition("p"), (await another()).partition("p")];
    await atOnce(8, async (i) => {
      for (let n = 0; n < 5; n++) await increment(both[i % 2]!);
    });
    same([await valueAt(both[0]!, "n"), await valueAt(both[1]!, "n")], [40, 40], "the number in both");
    const versions = await atOnce(20, (i) => commit(both[i % 2]!, { puts: { [`k${i}`]: i } }));
    same(new Set(versions).size, 20, "how many versions there are");
  },

  "partitions and blobs of one are those of the other": async ({ storage, another }) => {
    const other = await another();
    await commit(storage.partition("p"), { puts: { a: 1 } });
    await commit(other.partition("q"), { puts: { a: 1 } });
    await storage.blobs.put("one", new Uint8Array([1, 2, 3]));
    await other.blobs.put("two", new Uint8Array([4]));
    for (const it of [storage, other]) {
      same(await all(it.partitions()), ["p", "q"], "the partitions");
      same(await all(it.blobs.list()), ["one", "two"], "the blobs");
    }
    const blob = await other.blobs.get("one");
    assert(blob, "a blob of one is absent in the other");
    same(
      (await all(blob.stream)).flatMap((bytes) => [...bytes]),
      [1, 2, 3],
      "its bytes",
    );
    await other.blobs.delete("one");
    same(await storage.blobs.get("one"), undefined, "a blob that the other deleted");
  },

  "closing one leaves the other open": async ({ storage, another }) => {
    const other = await another();
    await commit(storage.partition("p"), { puts: { a: 1 } });
    if (other !== storage) await other.close();
    await commit(storage.partition("p"), { puts: { a: 2 } });
    same(await valueAt(storage.partition("p"), "a"), 2, "the value");
  },
};
