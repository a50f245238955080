// Integrations: how many small events one process handles in the sandbox, each in a world of its own, with a thread and
// without; for how long a script that computes keeps others waiting; and how many events get to their installations.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pass } from "node:timers/promises";
import { createSandbox } from "./built";
import { deliveries } from "./deliveries";
import { concurrently, oneByOne, type Row } from "./measure";

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
