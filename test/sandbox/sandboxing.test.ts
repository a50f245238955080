// The one sandbox of an API: loaded when it is needed, and so many scripts at once and no more.

import { expect, test } from "vitest";
import { createSandboxing } from "../../src/sandboxing";
import { script, virtualHost } from "./events";

const request = { method: "POST", url: "https://script.example/", headers: [], body: null };

test("eight scripts run at once, the others follow in turn, and one that fails gives its place away", async () => {
  const sandbox = createSandboxing({ limits: { steps: 5_000_000 } });
  let running = 0;
  let most = 0;
  const fetch = (async () => {
    most = Math.max(most, ++running);
    await new Promise((done) => setImmediate(() => setImmediate(done)));
    running--;
    return new Response();
  }) as typeof globalThis.fetch;
  const bodies = Array.from({ length: 30 }, (_, at) =>
    at % 3 === 0 ? `for (;;);` : `await fetch("https://a.example/"); return new Response(null, { status: 204 })`,
  );
  const host = { ...virtualHost(fetch), wait: () => new Promise<void>(() => {}) };
  const results = await Promise.all(bodies.map((body) => sandbox.run(script(body), { request, env: {} }, host)));
  expect(results.map((result) => result.response?.status ?? result.failure?.kind)).toEqual(
    bodies.map((_, at) => (at % 3 === 0 ? "cpu" : 204)),
  );
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(8);
});

test("a script is checked with the limits of the host", async () => {
  const sandbox = createSandboxing({ limits: { scriptBytes: 100 } });
  expect(await sandbox.check(script(""), virtualHost())).toBeUndefined();
  expect(await sandbox.check(script(" ".repeat(100)), virtualHost())).toMatchObject({ kind: "invalid_script" });
});
