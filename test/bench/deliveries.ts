// Delivery of events to integrations: from the change until every installation has received its event and that is
// recorded. The receiver is in this process and answers at once, so only our own work is measured.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "octavo";
import { levelStorage, memoryStorage } from "./built";
import { compare, concurrently, type Row, type Side } from "./measure";
import { createSubject } from "./subject";

const EVENTS = 100;
const AT_ONCE = 16;
const ROUNDS = 5;

/** An ordered queue has its commits one after the other, so it is held against changes one after the other: the change, its
 * way into the queue and three commits for the delivery would be a fifth. */
const budgets = { 1: 0.1, 10: 0.02 } as const;

export async function deliveries(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ["memory", "level"] as const)
    for (const installations of [1, 10] as const) rows.push(...(await measured(kind, installations)));
  return rows;
}

async function measured(kind: "memory" | "level", installations: 1 | 10): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), "octavo-bench-"));
  const open = (name: string) => (kind === "memory" ? memoryStorage() : levelStorage(join(directory, name)));
  const heard = await organization(open("heard"), installations, AT_ONCE);
  const unheard = await organization(open("unheard"), 0, 1);
  const rates: number[] = [];
  const ours = async () => {
    const rate = await heard.side();
    rates.push(rate);
    return rate;
  };
  try {
    const to = `${installations} installation${installations === 1 ? "" : "s"}, ${kind === "level" ? "LevelDB" : "memory"}`;
    const row = await compare({
      what: `events until delivered and recorded, ${to}`,
      against: "the same changes/s, one after the other, where nobody hears of them",
      budget: { atLeast: budgets[installations] },
      ours,
      theirs: unheard.side,
      rounds: ROUNDS,
      warmUp: 1,
    });
    const [slowest, median, fastest] = spread(rates.slice(2).map((rate) => rate * installations));
    const figure = {
      what: `deliveries a second, ${to}`,
      against: `${EVENTS} changes, ${AT_ONCE} at once; median of ${rates.length - 2} turns`,
      measured: `${median} (${slowest} to ${fastest})`,
      budget: "",
    };
    return [row, figure];
  } finally {
    await heard.close();
    await unheard.close();
    await rm(directory, { recursive: true });
  }
}

function spread(values: readonly number[]): [slowest: number, median: number, fastest: number] {
  const sorted = values.toSorted((a, b) => a - b).map(Math.round);
  return [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
}

/** An organization with so many installations, and a side that gives the events a second that all of them have taken. */
async function organization(
  storage: Storage,
  installations: number,
  atOnce: number,
): Promise<{ side: Side; close(): Promise<void> }> {
  let taken = 0;
  const running: Promise<unknown>[] = [];
  const { api, path, ask } = await createSubject(storage, {
    fetch: async () => {
      taken++;
      return new Response(null, { status: 200 });
    },
    waitUntil: (work) => void running.push(work),
  });
  const name = (i: number) => `/v1/integrations/bench-${i}`;
  for (let i = 0; i < installations; i++) {
    await ask("POST", name(i), { scopes: ["space:content:read"] });
    await ask("PUT", `${name(i)}/dev`, { tunnelUrl: "https://receiver.example" });
    const { id } = JSON.parse(await ask("POST", `${name(i)}/installations`, { organization: path.split("/").at(-1) }));
    await ask("PATCH", `${name(i)}/installations/${id}`, { space_selection: "all" });
  }
  // Each in a space of its own: change requests of one space are numbered, and would wait for each other.
  const spaces: string[] = [];
  for (let i = 0; i < AT_ONCE; i++)
    spaces.push(JSON.parse(await ask("POST", `${path}/spaces`, { title: `Guide ${i}` })).id);
  let next = 0;
  const settled = async () => {
    while (running.length > 0) await Promise.all(running.splice(0));
  };
  const change = concurrently(EVENTS, atOnce, () =>
    ask("POST", `/v1/spaces/${spaces[next++ % AT_ONCE]}/change-requests`, {}),
  );
  return {
    async side() {
      await settled();
      taken = 0;
      const start = performance.now();
      await change();
      await settled();
      const seconds = (performance.now() - start) / 1000;
      if (taken !== EVENTS * installations)
        throw new Error(`${EVENTS} events were delivered ${taken} times to ${installations} installations.`);
      return EVENTS / seconds;
    },
    close: () => api.close(),
  };
}
