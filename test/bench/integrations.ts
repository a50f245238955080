// Integrations: how many small events one process handles in the sandbox, each in a world of its own, with a thread and
// without; for how long a script that computes keeps others waiting; and how many events get to their installations.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pass } from "node:timers/promises";
import type { Storage } from "octavo";
import { createSandbox, levelStorage, memoryStorage } from "./built";
import { compare, concurrently, oneByOne, type Row, type Side } from "./measure";
import { createSubject } from "./subject";

// Delivery of events to integrations: from the change until every installation has received its event and that is
// recorded. The receiver is in this process and answers at once, so only our own work is measured.

const CHANGES = 100;
const AT_ONCE = 16;
const DELIVERY_ROUNDS = 5;

/** An ordered queue has its commits one after the other, so it is held against changes one after the other: the change, its
 * way into the queue and three commits for the delivery would be a fifth. */
const budgets = { 1: 0.1, 10: 0.02 } as const;

async function deliveries(): Promise<Row[]> {
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
      rounds: [DELIVERY_ROUNDS, 1],
    });
    const [slowest, median, fastest] = spread(rates.slice(2).map((rate) => rate * installations));
    const figure = {
      what: `deliveries a second, ${to}`,
      against: `${CHANGES} changes, ${AT_ONCE} at once; median of ${rates.length - 2} turns`,
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
  const change = concurrently(CHANGES, atOnce, () =>
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
      if (taken !== CHANGES * installations)
        throw new Error(`${CHANGES} events were delivered ${taken} times to ${installations} installations.`);
      return CHANGES / seconds;
    },
    close: () => api.close(),
  };
}

const ROUNDS = 5;
const EVENTS = 200;

const script = `export default {
  async fetch(request, env) {
    const { type } = JSON.parse((await request.formData()).get("event"));
    return Response.json({ type, name: env.name });
  },
};`;
const computing = `export default { fetch() { for (;;); } };`;

type Event = () => Promise<void>;

export async function integrations(): Promise<Row[]> {
  const host = { fetch: undefined, now: () => new Date(), random: (bytes: number) => new Uint8Array(bytes) };
  const form = new FormData();
  form.append("event", JSON.stringify({ eventId: "evt_1", type: "space_content_updated", spaceId: "spc_1" }));
  const sent = new Response(form);
  const headers = [["content-type", sent.headers.get("content-type")!]] as const;
  const body = new Uint8Array(await sent.arrayBuffer());
  const call = { request: { method: "POST", url: "https://script.example/v1", headers, body }, env: { name: "x" } };
  const rows: Row[] = [];
  for (const threads of [0, 1, 2]) {
    const sandbox = createSandbox({ threads });
    const where = threads === 0 ? "without a thread" : `with threads: ${threads}`;
    const event = async () => {
      const { response } = await sandbox.run(script, call, host);
      if (response?.status !== 200) throw new Error("The script did not answer.");
    };
    rows.push(await rate(`events a second of the processor, a small script in the sandbox, ${where}`, event));
    rows.push(await eightAtOnce(`events a second, eight at once, ${where}`, event));
    rows.push(
      await held(`longest that others waited, a script without an end, ${where}`, async () => {
        const { failure } = await sandbox.run(computing, call, host);
        if (!failure) throw new Error("The script was not stopped.");
      }),
    );
    await sandbox.close();
  }
  return [...rows, ...(await deliveries())];
}

async function rate(what: string, event: Event): Promise<Row> {
  const side = oneByOne(EVENTS, event);
  await side();
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rates.push(1_000_000 / (await side()));
  rates.sort((a, b) => a - b);
  const middle = Math.round(rates[Math.floor(ROUNDS / 2)]!);
  const measured = `${middle} (${Math.round(rates[0]!)} to ${Math.round(rates.at(-1)!)})`;
  return { what, against: `median of ${ROUNDS} rounds of ${EVENTS}, one after the other`, measured, budget: "" };
}

async function eightAtOnce(what: string, event: Event): Promise<Row> {
  const measured = String(Math.round(await concurrently(EVENTS, 8, event)()));
  return { what, against: "by the clock", measured, budget: "" };
}

async function held(what: string, run: Event): Promise<Row> {
  await run();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await pass(20);
  await run();
  await pass(20);
  delay.disable();
  return { what, against: "the event loop", measured: `${Math.round(delay.max / 1e6)} ms`, budget: "" };
}
