// Integrations: how many small events one process handles in the sandbox, each in a world of its own, and how many get to
// their installations.

import { createSandbox } from "./built";
import { deliveries } from "./deliveries";
import { oneByOne, type Row } from "./measure";

const ROUNDS = 5;
const EVENTS = 200;

const script = `export default {
  async fetch(request, env) {
    const { type } = JSON.parse((await request.formData()).get("event"));
    return Response.json({ type, name: env.name });
  },
};`;

export async function integrations(): Promise<Row[]> {
  const sandbox = createSandbox();
  const host = { fetch: undefined, now: () => new Date(), random: (bytes: number) => new Uint8Array(bytes) };
  const form = new FormData();
  form.append("event", JSON.stringify({ eventId: "evt_1", type: "space_content_updated", spaceId: "spc_1" }));
  const sent = new Response(form);
  const headers = [["content-type", sent.headers.get("content-type")!]] as const;
  const body = new Uint8Array(await sent.arrayBuffer());
  const call = { request: { method: "POST", url: "https://script.example/v1", headers, body }, env: { name: "x" } };

  const side = oneByOne(EVENTS, async () => {
    const { response } = await sandbox.run(script, call, host);
    if (response?.status !== 200) throw new Error("The script did not answer.");
  });
  await side();
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rates.push(1_000_000 / (await side()));
  rates.sort((a, b) => a - b);
  return [
    {
      what: "events a second of the processor, a small script in the sandbox",
      against: `median of ${ROUNDS} rounds of ${EVENTS}, one after the other`,
      measured: `${Math.round(rates[Math.floor(ROUNDS / 2)]!)} (${Math.round(rates[0]!)} to ${Math.round(rates.at(-1)!)})`,
      budget: "",
    },
    ...(await deliveries()),
  ];
}
