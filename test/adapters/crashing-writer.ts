// The process that `level-crash.test.ts` kills. It waits for a line on its input, opens the directory named by its
// first argument, and commits as fast as it can until it is killed. Every acknowledgement is a line on its output,
// "<partition> <id> <version>", written before the next commit of the same worker begins.

import { once } from "node:events";
import { levelStorage } from "../../adapters/level";
import type { Entry } from "../../src/storage/storage";
import { accountKey, accounts, markerKeys, partitions, workers } from "./crash-ledger";

const [directory, round] = process.argv.slice(2) as [string, string];
await once(process.stdin, "data");
const storage = levelStorage(directory);

/** Moves one unit between two accounts and leaves three markers, in one batch. */
async function transfer(worker: number, n: number): Promise<void> {
  const name = partitions[worker % partitions.length]!;
  const partition = storage.partition(name);
  const id = `${round}-${worker}-${n}`;
  const [from, to] = [accountKey((worker * 7 + n) % accounts), accountKey((worker * 13 + n * 3 + 1) % accounts)];
  if (from === to) return;
  for (;;) {
    const [source, target] = (await (await partition.snapshot()).get([from, to])) as [Entry, Entry];
    const committed = await partition.commit({
      checks: [source, target].map(({ key, version }) => ({ key, version })),
      puts: [
        { key: from, value: (source.value as number) - 1 },
        { key: to, value: (target.value as number) + 1 },
        ...markerKeys(id).map((key) => ({ key, value: { id, moved: [from, to] } })),
      ],
      deletes: [],
      adds: [{ key: "transfers", amount: 1 }],
    });
    if (!committed.ok) continue;
    // To a pipe this is synchronous: a line that was written survives the process.
    process.stdout.write(`${name} ${id} ${committed.version}\n`);
    return;
  }
}

for (let worker = 0; worker < workers; worker++) {
  void (async () => {
    for (let n = 0; ; n++) await transfer(worker, n);
  })();
}
