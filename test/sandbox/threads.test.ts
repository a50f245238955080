// Threads: a script that computes holds up nobody, a thread that dies takes its own runs with it and no others, and none of
// them keeps a process from ending.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createSandbox, type SandboxHost } from "octavo/sandbox";
import { afterAll, describe, expect, test } from "vitest";
import { DEFAULT_SANDBOX_LIMITS } from "../../src/sandbox/port";
import { ThreadPool } from "../../src/sandbox/thread-pool";
import { PATIENCE_MS } from "../support/patience";
import { script } from "./events";

/** A machine may be busy. */
const PATIENCE = { timeout: PATIENCE_MS };

const request = { method: "POST", url: "https://script.example/v1", headers: [], body: new TextEncoder().encode("hi") };
const call = { request, env: { name: "x" } };
const host: SandboxHost = {
  fetch: undefined,
  now: () => new Date(),
  random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
};
const sandbox = createSandbox({ threads: 2 });
afterAll(() => sandbox.close());

async function answered(body: string, with_: Partial<SandboxHost> = {}): Promise<string> {
  const { response, failure } = await sandbox.run(script(body), call, { ...host, ...with_ });
  return response ? new TextDecoder().decode(response.body) : failure.kind;
}

describe("running in a thread", () => {
  test("a script in a thread has its event, environment, log and an isolated global object", async () => {
    const body = `globalThis.seen = (globalThis.seen ?? 0) + 1; console.log("said"); return new Response([await request.text(), env.name, seen])`;
    expect([await answered(body), await answered(body)]).toEqual(["hi,x,1", "hi,x,1"]);
    const { logs } = await sandbox.run(script(body), call, host);
    expect(logs.map(({ message }) => message)).toEqual(["said"]);
  });

  test("every limit and failure is the same in a thread", async () => {
    const few = createSandbox({ threads: 1, limits: { steps: 20_000_000, answerBytes: 10, scriptBytes: 300 } });
    const kind = async (body: string) => (await few.run(script(body), call, host)).failure?.kind;
    expect([
      await kind(`for (;;);`),
      await kind(`const all = []; for (;;) all.push(new Uint8Array(1e6))`),
      await kind(`const again = () => again() + 1; again()`),
      await kind(`throw new Error("no")`),
      await kind(`return 1`),
      await kind(`await new Promise(() => {})`),
      await kind(`return new Response("x".repeat(11))`),
      await kind(" ".repeat(300)),
    ]).toEqual([
      "cpu",
      "memory",
      "stack",
      "script_error",
      "invalid_response",
      "unanswered",
      "too_much_output",
      "invalid_script",
    ]);
    expect(await few.check("export default 1", host)).toMatchObject({ kind: "invalid_script" });
    expect(await few.check(script(""), host)).toBeUndefined();
    await few.close();
  });

  test("the host makes the requests of a thread, including bodies, failures and aborts", async () => {
    const asked: string[] = [];
    const fetch = (async (url: string, { method, body, signal }: RequestInit) => {
      asked.push(`${method} ${url} ${body ? new TextDecoder().decode(body as Uint8Array) : ""}`.trim());
      if (url.endsWith("/never"))
        await new Promise((_, reject) => signal!.addEventListener("abort", () => reject(new Error("aborted"))));
      if (url.endsWith("/broken")) throw new Error("secret of the network");
      return new Response(`from ${url}`, { status: 418, headers: { "x-a": "1" } });
    }) as typeof globalThis.fetch;
    const body = `
      const first = await fetch("https://a.example/", { method: "POST", body: "sent" });
      const said = [first.status, first.headers.get("x-a"), await first.text()];
      said.push(await fetch("https://a.example/broken").catch((error) => error.message));
      said.push(await fetch("https://a.example/never", { signal: AbortSignal.timeout(1) }).catch((error) => error.name));
      said.push((await Promise.all(Array.from({ length: 12 }, () => fetch("https://a.example/many")))).length);
      return Response.json(said)`;
    expect(JSON.parse(await answered(body, { fetch }))).toEqual([
      418,
      "1",
      "from https://a.example/",
      "The request failed.",
      "TimeoutError",
      12,
    ]);
    expect(asked.slice(0, 3)).toEqual([
      "POST https://a.example/ sent",
      "GET https://a.example/broken",
      "GET https://a.example/never",
    ]);
  });

  test("pending requests end with the run", async () => {
    let isAborted = false;
    const fetch = ((_: string, { signal }: RequestInit) =>
      new Promise((_, reject) => {
        signal!.addEventListener("abort", () => {
          isAborted = true;
          reject(new Error("aborted"));
        });
      })) as typeof globalThis.fetch;
    expect(await answered(`void fetch("https://a.example/"); return new Response("done")`, { fetch })).toBe("done");
    await expect.poll(() => isAborted, PATIENCE).toBe(true);
  });

  test("the time in a thread is that of the host and advances", async () => {
    const now = () => new Date(Date.UTC(2030, 0, 2));
    const body = `const before = Date.now(); await new Promise((done) => setTimeout(done, 20)); return new Response([new Date(before).getUTCFullYear(), Date.now() - before >= 19])`;
    expect(await answered(body, { now })).toBe("2030,true");
  });

  test("the server thread is free while a script computes", async () => {
    await answered(`return new Response()`);
    /** How often others had their turn while a script computed. */
    const turnsDuring = async (it: typeof sandbox) => {
      let turns = 0;
      let isOver = false;
      const turn = () => {
        turns++;
        if (!isOver) setImmediate(turn);
      };
      turn();
      const { response } = await it.run(script(`for (let at = 0; at < 3e6; at++); return new Response()`), call, host);
      isOver = true;
      expect(response?.status).toBe(200);
      return turns;
    };
    const without = createSandbox({ threads: 0 });
    await without.run(script(`return new Response()`), call, host);
    const [far, near] = [await turnsDuring(sandbox), await turnsDuring(without)];
    expect(far).toBeGreaterThan(100);
    expect(near).toBeLessThan(20);
  });
});

describe("threads that die", () => {
  const task = (body: string, limits = {}) => ({
    script: script(body),
    call,
    limits: { ...DEFAULT_SANDBOX_LIMITS, ...limits },
  });
  const opening = `const port = process.getBuiltinModule("node:worker_threads").parentPort;
    const tell = (type, id, more) => port.postMessage({ type, id, ...more });
    port.on("message", ({ type, id, task }) => {
      if (type === "open") tell("ready");
      if (type !== "run") return;
      tell("begun", id);
      const word = task.script;
      if (word.includes("dies")) setTimeout(() => process.exit(3), 50);
      if (word.includes("throws")) setTimeout(() => { throw new Error("out of memory"); }, 50);
      if (word.includes("hangs")) setTimeout(() => { for (;;); }, 50);
      if (word.includes("answers")) tell("ended", id, { ended: { response: { status: 204, headers: [], body: new Uint8Array() }, logs: [] } });
    });`;
  const text = (code: string) => async () => ({ code, engine: new Uint8Array(), world: "" });
  const kindOf = ({ failure, response }: Awaited<ReturnType<ThreadPool["run"]>>) => failure?.kind ?? response?.status;

  test.each(["dies", "throws"])(
    "a thread that dies (%s) fails the run it had begun, and the next run has a new thread",
    async (word) => {
      const threads = new ThreadPool(text(opening), 1);
      expect(kindOf(await threads.run(task("answers"), host))).toBe(204);
      expect(await threads.run(task(word), host)).toEqual({
        failure: { kind: "crashed", message: "The thread that the script ran in has ended." },
        logs: [],
      });
      expect(threads.size).toBe(0);
      expect(kindOf(await threads.run(task("answers"), host))).toBe(204);
      await threads.close();
    },
  );

  test("a thread that does not finish is ended, and another one does what it had not begun", async () => {
    const threads = new ThreadPool(text(opening), 1, 100);
    const hanging = threads.run(task("hangs", { milliseconds: 100 }), host);
    await new Promise((done) => setTimeout(done, 120));
    const behind = threads.run(task("answers"), host);
    expect([kindOf(await hanging), kindOf(await behind)]).toEqual(["timeout", 204]);
    await threads.close();
  });

  test("a thread that dies before it begins makes scripts run without threads, which is reported once", async () => {
    const threads = new ThreadPool(text(`throw new Error("cannot")`), 1);
    await expect(threads.run(task("answers"), host)).rejects.toThrow("cannot");
    expect(threads.size).toBe(0);
  });

  test("no more threads are started than allowed, and one is enough for sequential runs", async () => {
    const threads = new ThreadPool(text(opening), 2);
    for (let time = 0; time < 3; time++) await threads.run(task("answers"), host);
    expect(threads.size).toBe(1);
    const runs = Array.from({ length: 9 }, () => threads.run(task("answers"), host));
    expect((await Promise.all(runs)).map(kindOf)).toEqual(runs.map(() => 204));
    expect(threads.size).toBe(2);
    await threads.close();
    expect(threads.size).toBe(0);
  });
});

test("scripts run without threads where none can be started, and the host is told once", async () => {
  const program = `
    const real = process.getBuiltinModule.bind(process);
    process.getBuiltinModule = (name) => name === "node:worker_threads" ? { Worker: class { constructor() { throw new Error("none here") } } } : real(name);
    const { createSandbox } = await import("./src/sandbox/index.ts");
    const heard = [];
    const sandbox = createSandbox({ onError: (error) => heard.push(error.message + " " + error.cause.message) });
    const host = { fetch: undefined, now: () => new Date(), random: (bytes) => new Uint8Array(bytes) };
    const call = { request: { method: "POST", url: "https://a.example/", headers: [], body: null }, env: {} };
    const run = () => sandbox.run("export default { fetch: () => new Response(null, { status: 204 }) }", call, host);
    console.log(JSON.stringify([(await run()).response.status, (await run()).response.status, heard]));`;
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual([204, 204, ["No thread for scripts could be started. none here"]]);
});

test("a process exits while its threads are idle and waits for busy ones", async () => {
  const program = `
    const { createSandbox } = await import("./src/sandbox/index.ts");
    const sandbox = createSandbox({ threads: 2 });
    const host = { fetch: undefined, now: () => new Date(), random: (bytes) => new Uint8Array(bytes) };
    const call = { request: { method: "POST", url: "https://a.example/", headers: [], body: null }, env: {} };
    const run = () => sandbox.run("export default { fetch: () => new Promise((done) => setTimeout(() => done(new Response(null, { status: 204 })), 300)) }", call, host);
    console.log((await Promise.all([run(), run(), run()])).map(({ response }) => response.status).join());`;
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: PATIENCE_MS });
  expect(stdout.trim()).toBe("204,204,204");
});
