// Promises 1 and 2 under load: concurrent callers see consistent states and lose no writes.

import type { Entry, Partition } from "../adapter";
import { assert, assertEqual } from "./assert";
import { buildBatch, type Cases, commitBatch, createSeededRandom, readEntry, readValue, yieldToTimers } from "./cases";

/** Runs the same task several times concurrently. */
export function runConcurrently<T>(count: number, task: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => task(i)));
}

/** Far more attempts than there are other writers that could commit in between. */
const MAX_ATTEMPTS = 1000;

/** Increments a number by reading it and writing it back, and retries until that succeeds. */
export async function increment(p: Partition): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const entry = await readEntry(p, "n");
    const next = ((entry?.value as number | undefined) ?? 0) + 1;
    const committed = await p.commit(buildBatch({ checks: { n: entry?.version ?? null }, puts: { n: next } }));
    if (committed.ok) return;
    assertEqual(committed.conflict, "n", "the key that a refusal names");
  }
  throw new Error(`\`commit\` refused ${MAX_ATTEMPTS} times in a row, each time after the newest version was read.`);
}

function sumValues(entries: readonly (Entry | undefined)[]): number {
  return entries.reduce((sum, entry) => sum + (entry?.value as number), 0);
}

export const concurrency: Cases = {
  "increments by check and put lose nothing": async ({ storage }) => {
    const p = storage.partition("p");
    await runConcurrently(8, async () => {
      for (let i = 0; i < 10; i++) await increment(p);
    });
    assertEqual(await readValue(p, "n"), 80, "the number");
  },

  "of commits on the absence of one key, exactly one wins": async ({ storage }) => {
    for (let round = 0; round < 5; round++) {
      const p = storage.partition(`p${round}`);
      const answers = await runConcurrently(12, (i) =>
        p.commit(buildBatch({ checks: { a: null }, puts: { a: i, [`by${i}`]: i } })),
      );
      const winners = answers.flatMap((answer, i) => (answer.ok ? [{ i, version: answer.version }] : []));
      assertEqual(winners.length, 1, "how many have won");
      for (const answer of answers)
        if (!answer.ok) assertEqual(answer, { ok: false, conflict: "a" }, "the answer to a loser");
      const { i, version } = winners[0]!;
      assertEqual(
        await (await p.snapshot()).list({ under: "", limit: 100 }),
        [
          { key: "a", value: i, version },
          { key: `by${i}`, value: i, version },
        ],
        "what was written",
      );
    }
  },

  "of commits on one version of a key, exactly one wins": async ({ storage }) => {
    const p = storage.partition("p");
    let version = await commitBatch(p, { puts: { a: "first" } });
    for (let round = 0; round < 5; round++) {
      const value = `round ${round}`;
      const answers = await runConcurrently(12, (i) =>
        p.commit(buildBatch({ checks: { a: version }, puts: { a: value, b: i } })),
      );
      assertEqual(answers.filter(({ ok }) => ok).length, 1, "how many have won");
      const entry = await readEntry(p, "a");
      assertEqual(entry?.value, value, "the value");
      version = entry!.version;
    }
  },

  "two writers who each check what the other writes do not both win": async ({ storage }) => {
    const p = storage.partition("p");
    for (let round = 0; round < 20; round++) {
      const version = await commitBatch(p, { puts: { a: "on call", b: "on call" } });
      const answers = await Promise.all([
        p.commit(buildBatch({ checks: { a: version, b: version }, puts: { a: "away" } })),
        p.commit(buildBatch({ checks: { a: version, b: version }, puts: { b: "away" } })),
      ]);
      assertEqual(answers.filter(({ ok }) => ok).length, 1, "how many may leave");
    }
  },

  "the sum of a bank is the same in every snapshot": async ({ storage }, seed) => {
    const p = storage.partition("bank");
    const accounts = ["a0", "a1", "a2", "a3", "a4"];
    const random = createSeededRandom(seed);
    await commitBatch(p, { puts: Object.fromEntries(accounts.map((account) => [account, 100])) });
    let working = true;
    let transfers = 0;
    const transfer = async () => {
      const [from, to] = [accounts[random(5)]!, accounts[random(5)]!];
      if (from === to) return;
      const [source, target] = await (await p.snapshot()).get([from, to]);
      const amount = 1 + random(20);
      const committed = await p.commit(
        buildBatch({
          checks: { [from]: source!.version, [to]: target!.version },
          puts: { [from]: (source!.value as number) - amount, [to]: (target!.value as number) + amount },
          adds: { transfers: 1 },
        }),
      );
      if (committed.ok) transfers++;
    };
    const audit = async (reverse: boolean) => {
      let last = 0;
      while (working) {
        const snapshot = await p.snapshot();
        assert(snapshot.version >= last, `version ${snapshot.version} was seen after ${last}`);
        last = snapshot.version;
        const listed = await snapshot.list({ under: "a", limit: 100, reverse });
        await yieldToTimers();
        const got = await snapshot.get(accounts);
        assertEqual([sumValues(listed), sumValues(got)], [500, 500], `the sums at version ${last} (seed ${seed})`);
      }
    };
    const audits = [audit(false), audit(true)];
    const stop = () => {
      working = false;
    };
    await Promise.all([
      ...audits,
      runConcurrently(6, async () => {
        for (let i = 0; i < 25 && working; i++) {
          await transfer();
          await yieldToTimers();
        }
      }).finally(stop),
    ]).finally(stop);
    assert(transfers > 0, "no transfer went through");
    assertEqual(sumValues(await (await p.snapshot()).get(accounts)), 500, `the sum at the end (seed ${seed})`);
    assertEqual(await readValue(p, "transfers"), transfers, `how many transfers there were (seed ${seed})`);
  },

  "a batch is seen entirely or not at all": async ({ storage }) => {
    const p = storage.partition("p");
    const keys = Array.from({ length: 20 }, (_, i) => `k${String(i).padStart(2, "0")}`);
    await commitBatch(p, { puts: Object.fromEntries(keys.map((key) => [key, 0])) });
    let writing = true;
    const writers = runConcurrently(3, async (writer) => {
      for (let i = 0; i < 15; i++) {
        await commitBatch(p, { puts: Object.fromEntries(keys.map((key) => [key, writer * 100 + i])) });
        await yieldToTimers();
      }
    }).finally(() => {
      writing = false;
    });
    const reader = async () => {
      while (writing) {
        const snapshot = await p.snapshot();
        const listed = await snapshot.list({ under: "k", limit: 100 });
        await yieldToTimers();
        const got = await snapshot.get(keys);
        assertEqual(listed, got, "the same entries, listed and got");
        assertEqual(new Set(got.map((entry) => entry?.value)).size, 1, "how many batches are mixed");
        assertEqual(new Set(got.map((entry) => entry?.version)).size, 1, "how many versions are mixed");
      }
    };
    await Promise.all([writers, reader()]);
  },

  "partitions commit on their own, all at once": async ({ storage }) => {
    await runConcurrently(10, async (i) => {
      const p = storage.partition(`p${i}`);
      for (let n = 0; n < 5; n++) await increment(p);
    });
    const values = await runConcurrently(10, (i) => readValue(storage.partition(`p${i}`), "n"));
    assertEqual(values, Array(10).fill(5), "the numbers of all partitions");
  },
};
