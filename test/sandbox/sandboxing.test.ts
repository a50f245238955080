// The sandbox of an API: it is loaded when first needed, and runs a limited number of scripts at once.

import { describe, expect, test } from "vitest";
import {
  createScriptRunner,
  MAX_PENDING_SCRIPTS_PER_INTEGRATION,
  MAX_RUNNING_SCRIPTS_PER_INTEGRATION,
  MAX_SCRIPT_WAIT_MS,
  type ScriptRunner,
} from "../../src/ports/script-runner";
import { PATIENCE_MS } from "../support/patience";
import { script, virtualHost } from "./events";

/** A machine may be busy. */
const PATIENCE = { timeout: PATIENCE_MS };

const request = { method: "POST", url: "https://script.example/", headers: [], body: null };

const unheard = () => {};

test("eight scripts run at once, the others follow in order, and a failing one frees its place", async () => {
  const sandbox = createScriptRunner({ limits: { steps: 5_000_000 } }, unheard);
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
  const results = await Promise.all(
    bodies.map((body, at) => sandbox.run(`int_${at}`, script(body), { request, env: {} }, host)),
  );
  expect(results.map((result) => result?.response?.status ?? result?.failure?.kind)).toEqual(
    bodies.map((_, at) => (at % 3 === 0 ? "cpu" : 204)),
  );
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(8);
});

test("a script is checked with the limits of the host", async () => {
  const sandbox = createScriptRunner({ limits: { scriptBytes: 100 } }, unheard);
  expect(await sandbox.check(script(""), virtualHost())).toBeUndefined();
  expect(await sandbox.check(script(" ".repeat(100)), virtualHost())).toMatchObject({ kind: "invalid_script" });
});

describe("fairness between integrations", () => {
  const waits = script(`await fetch("https://a.example/"); return new Response(null, { status: 204 })`);

  /** Events that wait until they are let go. */
  function stage() {
    const sandbox = createScriptRunner({}, unheard);
    let time = 0;
    let running = 0;
    const held: (() => void)[] = [];
    const fetch = (async () => {
      running++;
      await new Promise<void>((go) => held.push(go));
      running--;
      return new Response();
    }) as typeof globalThis.fetch;
    const host = { ...virtualHost(fetch), now: () => new Date(time), wait: () => new Promise<void>(() => {}) };
    const call = (of: string) => sandbox.run(of, waits, { request, env: {} }, host);
    return { call, held, running: () => running, pass: (ms: number) => (time += ms) };
  }
  const ends = async (runs: readonly ReturnType<ScriptRunner["run"]>[]) =>
    (await Promise.all(runs)).map((result) => result?.response?.status);

  test("one integration uses at most half of the places, so that another runs at once", async () => {
    const { call, held, running } = stage();
    const many = Array.from({ length: 20 }, () => call("int_a"));
    await expect.poll(running, PATIENCE).toBe(MAX_RUNNING_SCRIPTS_PER_INTEGRATION);
    const other = call("int_b");
    await expect.poll(running, PATIENCE).toBe(MAX_RUNNING_SCRIPTS_PER_INTEGRATION + 1);
    const timer = setInterval(() => held.splice(0).forEach((go) => void go()), 1);
    expect(await ends([other, ...many])).toEqual([204, ...many.map(() => 204)]);
    clearInterval(timer);
  });

  test("one integration is told to retry events beyond its queue, and has room again afterward", async () => {
    const { call, held } = stage();
    const taken = Array.from({ length: MAX_PENDING_SCRIPTS_PER_INTEGRATION }, () => call("int_a"));
    expect(await ends([call("int_a"), call("int_a")])).toEqual([undefined, undefined]);
    const timer = setInterval(() => held.splice(0).forEach((go) => void go()), 1);
    expect(await ends([call("int_b")])).toEqual([204]);
    expect(await ends(taken)).toEqual(taken.map(() => 204));
    expect(await ends([call("int_a")])).toEqual([204]);
    clearInterval(timer);
  });

  test("one integration is told to retry an event that waited too long", async () => {
    const { call, held, running, pass } = stage();
    const first = Array.from({ length: MAX_RUNNING_SCRIPTS_PER_INTEGRATION }, () => call("int_a"));
    const late = Array.from({ length: 3 }, () => call("int_a"));
    await expect.poll(running, PATIENCE).toBe(MAX_RUNNING_SCRIPTS_PER_INTEGRATION);
    pass(MAX_SCRIPT_WAIT_MS + 1 - 10_000);
    const timely = call("int_a");
    // The first are over by now as well, but have begun.
    pass(10_000);
    held.splice(0).forEach((go) => void go());
    await ends([...first, ...late]).then((statuses) =>
      expect(statuses.slice(first.length)).toEqual([undefined, undefined, undefined]),
    );
    await expect.poll(running, PATIENCE).toBe(1);
    held.splice(0).forEach((go) => void go());
    expect(await ends([timely])).toEqual([204]);
  });
});
