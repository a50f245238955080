// Processes that meet on a real PostgreSQL, while two of them are killed, connections are cut, and the server crashes and is
// restarted: what they were told is strictly serializable.

import { setTimeout as wait } from "node:timers/promises";
import { postgresStorage } from "octavo/postgres";
import pg from "pg";
import { expect, test } from "vitest";
import { badNetwork } from "../../support/bad-network";
import { builtScript, historyOf, seeds } from "../../support/history-processes";
import { until } from "../../support/patience";
import { newSchema } from "./schemas";
import { postgresServer, type Server } from "./server";

const looked = await postgresServer();
if ("leftOut" in looked) console.log(`Histories on a real PostgreSQL were left out: ${looked.leftOut}.`);
else {
  const server = looked;
  const script = await builtScript("test/adapters/postgres/history-process.ts");
  // The server would acknowledge before it writes: the adapter must not let it.
  const url = `${server.url}?options=${encodeURIComponent("-c synchronous_commit=off")}`;
  const meetingIn = (schema: string, way = url) => ({
    script,
    told: [way, schema],
    open: () => postgresStorage(server.url, { schema }),
  });

  test.each(seeds)(
    "a history with killed processes, late and lost responses, clock jumps and a crash is strictly serializable: %i",
    async (seed) => {
      const network = await badNetwork(url, seed);
      const troubles = (isOver: () => boolean) => makeTrouble(server, isOver);
      const troubled = { killed: [0, 1], clockJumps: true, troubles };
      expect(await historyOf({ ...meetingIn(newSchema(), network.url), seed, ...troubled })).toEqual([]);
      expect(network.late()).toBeGreaterThan(0);
      await network.stop();
    },
  );

  test("tables created just before a crash exist afterward", async () => {
    // Only for a while is something acknowledged and not written yet.
    for (let round = 0; round < 3; round++) {
      const storage = postgresStorage(url, { schema: newSchema() });
      const partition = storage.partition("left");
      await partition.snapshot();
      await server.crash();
      await until(() => partition.snapshot());
      await storage.close();
    }
  });

  test("a history of processes that send no checks is rejected", async () => {
    const found = await historyOf({ ...meetingIn(newSchema()), seed: seeds[0]!, isCareless: true });
    expect(found.join("\n")).toMatch(/though its check of work-\S+ was stale/);
  });
}

const MOST_ASKING_MS = 100;

/** Cuts connections, ends the server as a crash does, and restarts it as an operator does. */
async function makeTrouble(server: Server, isOver: () => boolean): Promise<void> {
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  pool.on("error", () => {});
  let [turn, asking] = [0, 0];
  while (!isOver()) {
    // After the restart, connections live longer where the machine is busy: else nobody would get anything done.
    await wait(turn < 4 ? 25 : Math.max(25, 20 * asking));
    turn++;
    if (turn === 2) await server.crash();
    if (turn === 4) await server.restart();
    const begun = performance.now();
    // Without a server there is nobody to ask.
    await pool
      .query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND random() < 0.2")
      .catch(() => {});
    asking = Math.min(MOST_ASKING_MS, performance.now() - begun);
  }
  await pool.end();
  expect(turn, "All was over before the server was restarted: `npm run test:long` takes longer.").toBeGreaterThan(3);
}
