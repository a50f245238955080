// What one script of an integration, asked by anybody at the public endpoint, can do to a server: take its own time, and nobody
// else's.

import { memoryStorage } from "octavo/memory";
import { afterEach, describe, expect, test } from "vitest";
import {
  MAX_PENDING_SCRIPTS_PER_INTEGRATION,
  MAX_RUNNING_SCRIPTS_PER_INTEGRATION,
} from "../../src/ports/script-runner";
import { PATIENCE_MS } from "../support/patience";
import { MINUTE, type Setting, setUp } from "../support/setting";

/** A machine may be busy. */
const PATIENCE = { timeout: PATIENCE_MS };

const bot = "/v1/integrations/bot";
const letters = `Array.from({ length: 60000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20000))).join("")`;
let setting: Setting;

async function publish(body: string, options: Parameters<typeof setUp>[1] = {}): Promise<void> {
  setting = await setUp(memoryStorage(), { ...options, onError: () => {} });
  const script = `export default { async fetch(request) { ${body} } }`;
  expect((await setting.ask("admin", `POST ${bot}`, { script, scopes: ["space:metadata:read"] })).status).toBe(200);
}
const askAnybody = () => setting.api.fetch(new Request(`http://test.invalid${bot}/public/integration`));

afterEach(() => setting.api.close());

describe("endless scripts", () => {
  const bodies: Readonly<Record<string, string>> = {
    "that parses a URL with a long host": `const host = ${letters}; for (;;) { try { new URL("https://" + host) } catch {} }`,
    "that sets a long host": `const host = ${letters}, url = new URL("https://a/"); for (;;) url.hostname = host`,
    "that computes": `for (;;);`,
  };
  test.each(Object.entries(bodies))("S40: %s is stopped, and others are answered meanwhile", async (_, body) => {
    await publish(body, { sandbox: { limits: { steps: 20_000_000 } } });
    let isOver = false;
    const asked = askAnybody().finally(() => {
      isOver = true;
    });
    let answered = 0;
    while (!isOver) {
      expect((await setting.ask("read", "GET /v1/user")).status).toBe(200);
      answered++;
      await new Promise((next) => setImmediate(next));
    }
    expect((await asked).status).toBe(502);
    expect(answered).toBeGreaterThan(10);
  });
});

describe("many events of one integration at once", () => {
  /** A network that answers when it is told to. */
  function network() {
    const held: (() => void)[] = [];
    const fetch = (async () => {
      await new Promise<void>((go) => held.push(go));
      return new Response();
    }) as typeof globalThis.fetch;
    return { fetch, held, letGo: () => held.splice(0).forEach((go) => void go()) };
  }
  const waits = `await fetch("https://a.example/"); return new Response(null, { status: 204 })`;

  test("many events of one integration beyond the limit are told to retry and leave capacity to others", async () => {
    const { fetch, held, letGo } = network();
    await publish(waits, { fetch });
    const script = `export default { fetch: () => new Response("other") }`;
    await setting.ask("admin", "POST /v1/integrations/other", { script });
    const many = Array.from({ length: MAX_PENDING_SCRIPTS_PER_INTEGRATION }, askAnybody);
    await expect.poll(() => held.length, PATIENCE).toBe(MAX_RUNNING_SCRIPTS_PER_INTEGRATION);
    const refused = await askAnybody();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await refused.json()).toMatchObject({ error: { reason: "integration_busy" } });
    const other = await setting.api.fetch(new Request("http://test.invalid/v1/integrations/other/public/integration"));
    expect(await other.text()).toBe("other");
    const timer = setInterval(letGo, 1);
    expect((await Promise.all(many)).map(({ status }) => status)).toEqual(many.map(() => 204));
    expect((await askAnybody()).status).toBe(204);
    clearInterval(timer);
  });

  test("many events of one integration lose no delivery: it is delivered later", async () => {
    const { fetch, held, letGo } = network();
    await publish(waits, { fetch, waitUntil: () => {} });
    const { ask, org, clock, api } = setting;
    const many = Array.from({ length: MAX_PENDING_SCRIPTS_PER_INTEGRATION }, askAnybody);
    await expect.poll(() => held.length, PATIENCE).toBe(MAX_RUNNING_SCRIPTS_PER_INTEGRATION);
    await ask("admin", `POST ${bot}/installations`, { organization: org });
    const attempts = async () =>
      ((await ask("admin", `GET ${bot}/events`)).body.items as { payload: { type: string }; attempts: object[] }[])
        .filter(({ payload }) => payload.type === "installation_setup")
        .map(({ attempts }) => attempts);
    await expect
      .poll(attempts, PATIENCE)
      .toMatchObject([[{ error: "Too many events of the integration are being processed. Try again in a moment." }]]);
    const timer = setInterval(letGo, 1);
    await Promise.all(many);
    clock.forward(MINUTE);
    await api.maintain();
    await expect.poll(async () => (await attempts())[0]?.at(-1), PATIENCE).toMatchObject({ status: 204 });
    clearInterval(timer);
  });
});
