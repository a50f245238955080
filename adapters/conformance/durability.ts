// Promises 3 and 5: acknowledged writes exist after the storage is reopened, refused ones do not, and a closed storage throws
// `Closed`.

import type { Closed, Unavailable } from "../adapter";
import { assert, assertEqual, assertRefuses } from "./assert";
import { buildBatch, type Cases, collectAll, commitBatch, readEntry, readValue } from "./cases";

export const durability: Cases = {
  "what was acknowledged is there when the storage is opened again": async ({ storage, reopen }) => {
    const [p, q] = [storage.partition("p"), storage.partition("q")];
    await commitBatch(p, { puts: { a: 1, b: { deep: ["ü"] }, gone: 1, "\x00\xff": 2 } });
    await commitBatch(p, { deletes: ["gone"], adds: { n: 4 } });
    await commitBatch(p, { adds: { n: 3 } });
    await commitBatch(q, { puts: { a: "q" } });
    await storage.blobs.put("blob", new Uint8Array([1, 2, 3]));
    const before = await (await p.snapshot()).list({ under: "", limit: 100 });
    const again = await reopen();
    const snapshot = await again.partition("p").snapshot();
    assertEqual(await snapshot.list({ under: "", limit: 100 }), before, "the entries with their versions");
    assertEqual(snapshot.version, Math.max(...before.map(({ version }) => version)), "the version of the partition");
    assertEqual(await readValue(again.partition("q"), "a"), "q", "the other partition");
    assertEqual(await collectAll(again.partitions()), ["p", "q"], "the partitions");
    assertEqual(await collectAll(again.blobs.list()), ["blob"], "the blobs");
  },

  "versions go on where they were when the storage is opened again": async ({ storage, reopen }) => {
    const first = await commitBatch(storage.partition("p"), { puts: { a: 1 } });
    const last = await commitBatch(storage.partition("p"), { deletes: ["a"] });
    const p = (await reopen()).partition("p");
    assertEqual((await p.snapshot()).version, last, "the version after a delete");
    const next = await commitBatch(p, { checks: { a: null }, puts: { a: 2 } });
    assert(next > last && last > first, `versions do not grow: ${first}, ${last}, ${next}`);
    assertEqual(
      await p.commit(buildBatch({ checks: { a: first }, puts: { a: 3 } })),
      { ok: false, conflict: "a" },
      "a stale check",
    );
  },

  "a commit cut off by closing is there if it was acknowledged, and not there if it was refused": async ({
    storage,
    reopen,
  }) => {
    const p = storage.partition("p");
    await commitBatch(p, { puts: { first: 1 } });
    const outcomes = Array.from({ length: 40 }, (_, i) =>
      Promise.resolve()
        .then(() => p.commit(buildBatch({ puts: { [`a${i}`]: i, [`b${i}`]: i } })))
        .then(
          ({ ok }) => (ok ? "there" : "refused"),
          (error: Closed | Unavailable) => {
            assert(error.code === "closed" || error.code === "unavailable", `commit threw ${error}`);
            return error.code === "unavailable" && error.outcome === "unknown" ? "unknown" : "absent";
          },
        ),
    );
    const again = (await reopen()).partition("p");
    for (const [i, outcome] of (await Promise.all(outcomes)).entries()) {
      const found = await (await again.snapshot()).get([`a${i}`, `b${i}`]);
      assertEqual(found[0]?.version, found[1]?.version, `the versions of both halves of commit ${i}`);
      assert(outcome !== "refused", "a commit was refused that nothing stands against");
      if (outcome !== "unknown") assertEqual(found[0] ? "there" : "absent", outcome, `what is left of commit ${i}`);
    }
    assertEqual(await readValue(again, "first"), 1, "what was there before");
  },

  "a closed storage refuses every call": async ({ storage }) => {
    const p = storage.partition("p");
    await commitBatch(p, { puts: { a: 1 } });
    await storage.blobs.put("blob", new Uint8Array([1]));
    const snapshot = await p.snapshot();
    await storage.close();
    await assertRefuses("closed", () => p.snapshot(), "snapshot");
    await assertRefuses("closed", () => p.commit(buildBatch({ puts: { a: 2 } })), "commit");
    await assertRefuses("closed", () => p.commit(buildBatch({})), "an empty commit");
    await assertRefuses("closed", () => snapshot.get(["a"]), "get on an older snapshot");
    await assertRefuses("closed", () => snapshot.list({ under: "", limit: 1 }), "list on an older snapshot");
    await assertRefuses("closed", () => readEntry(storage.partition("q"), "a"), "another partition");
    await assertRefuses("closed", () => collectAll(storage.partitions()), "partitions");
    await assertRefuses("closed", () => storage.blobs.put("other", new Uint8Array([1])), "blobs.put");
    await assertRefuses("closed", () => storage.blobs.get("blob"), "blobs.get");
    await assertRefuses("closed", () => storage.blobs.delete("blob"), "blobs.delete");
    await assertRefuses("closed", () => collectAll(storage.blobs.list()), "blobs.list");
  },

  "closing twice is no error, also at the same time, and also without any use": async ({ storage, reopen }) => {
    const again = await reopen();
    await Promise.all([again.close(), again.close()]);
    await again.close();
    await assertRefuses("closed", () => again.partition("p").snapshot(), "snapshot");
    await storage.close();
  },
};
