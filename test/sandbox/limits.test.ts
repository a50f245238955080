// Every limit of the sandbox: exceeding it is a failure with a name, and staying within it is not.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createSandbox } from "octavo/sandbox";
import { describe, expect, test } from "vitest";
import { until } from "../support/patience";
import { call, type Event, failure, script, value, virtualHost } from "./events";

/** Few enough to be spent at once. */
const few = { steps: 4_000_000 };

describe("the step limit", () => {
  const endless: Readonly<Record<string, string>> = {
    "a loop": `for (;;);`,
    "a loop that catches": `for (;;) try { throw 1 } catch {}`,
    "a loop in a getter of the answer": `return Object.defineProperty(new Response(), "status", { get() { for (;;); } })`,
    "a loop in a generator": `const endless = function* () { for (;;) yield 1 }; for (const one of endless()) one`,
    "a loop over promises": `for (;;) await 1`,
    "a loop over what is thenable": `const again = { then(done) { done(again) } }; await again`,
    "a flood of microtasks": `const again = () => queueMicrotask(again); again(); await new Promise(() => {})`,
    "a flood of promises": `const again = () => Promise.resolve().then(again); await again()`,
    "a regular expression that backtracks": `/^(a+)+$/.test("a".repeat(40) + "b")`,
    "a search of a long text in a longer one": `"a".repeat(4e6).indexOf("a".repeat(2e6) + "b")`,
    "a walk over a sparse array": `new Array(2 ** 32 - 1).indexOf(1)`,
    "a walk over what only claims to be long": `Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)`,
    "a join of nothing": `Array.prototype.forEach.call({ length: 2 ** 53 - 1 }, () => {})`,
    "flattening what holds itself twice, sixty times": `let all = []; for (let at = 0; at < 60; at++) all = [all, all]; all.flat(Infinity)`,
    "filling memory again and again": `const bytes = new Uint8Array(2e7); for (;;) bytes.fill(1)`,
    "copying memory again and again": `const bytes = new Uint8Array(2e7); for (;;) bytes.copyWithin(1, 0)`,
    "sorting with a comparison that never settles": `const all = Array.from({ length: 1e5 }, (_, at) => at); for (;;) all.sort(() => Math.random() - 0.5)`,
    "numbers of a million digits": `let big = 3n ** 500000n; for (;;) String(big)`,
    "hashing again and again": `const bytes = new Uint8Array(1e6); for (;;) await crypto.subtle.digest("SHA-512", bytes)`,
    "encoding again and again": `const text = "x".repeat(1e6); for (;;) new TextEncoder().encode(text)`,
    "logging again and again": `for (;;) console.log("x")`,
    "parsing URLs again and again": `for (;;) new URL("https://a.example/" + Math.random())`,
    "a stream that never ends": `await new Response(new ReadableStream({ pull(to) { to.enqueue(new Uint8Array(0)) } })).text()`,
    "a stream that never ends, as the answer": `return new Response(new ReadableStream({ pull(to) { to.enqueue(new Uint8Array(0)) } }))`,
    "a stream that never ends, through a transform": `await new ReadableStream({ pull(to) { to.enqueue("x") } }).pipeThrough(new TransformStream()).pipeTo(new WritableStream())`,
    "a stream of an iterator that never ends": `for await (const one of ReadableStream.from((function* () { for (;;) yield 1 })())) one`,
    "a listener that tells itself": `const target = new EventTarget(); const again = () => queueMicrotask(() => target.dispatchEvent(new Event("a"))); target.addEventListener("a", again); again(); await new Promise(() => {})`,
    "encrypting again and again": `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]); for (;;) await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, new Uint8Array(1e6))`,
    "showing dates again and again": `for (;;) new Date().toLocaleString()`,
    "asking for the stack again and again": `const error = new Error("no"); for (;;) error.stack`,
    "a proxy that answers for ever": `const all = new Proxy([], { get: (_, name) => name === "length" ? 2 ** 53 - 1 : 0, has: () => true }); Array.prototype.every.call(all, () => true)`,
  };
  test.each(Object.entries(endless))("endless work is stopped: %s", async (_, body) => {
    expect(await failure(body, { limits: few })).toBe("cpu");
  });

  test("endless work at the top level of the module is stopped", async () => {
    const { failure } = await call(`for (;;); export default { fetch() {} }`, { limits: few });
    expect(failure).toEqual({ kind: "cpu", message: "The script exceeded the CPU limit for an event." });
  });

  test("work that ends is not stopped", async () => {
    const body = `let sum = 0; for (let at = 0; at < 1e5; at++) sum += at; return sum`;
    expect(await value(body, { limits: few })).toBe(4_999_950_000);
  });

  test("endless work is stopped at the same step every time", async () => {
    const spent = async (steps: number) =>
      failure(`for (let at = 0; at < 1000; at++); return new Response()`, { limits: { steps } });
    let low = 0;
    let high = 10_000_000;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if ((await spent(middle)) === "cpu") low = middle;
      else high = middle;
    }
    for (let time = 0; time < 3; time++) expect([await spent(low), await spent(high)]).toEqual(["cpu", "answered 200"]);
  });
});

describe("the memory limit", () => {
  const bombs: Readonly<Record<string, string>> = {
    "arrays in an array": `const all = []; for (;;) all.push(new Array(1000).fill(1))`,
    "texts in an array": `const all = []; for (;;) all.push("x".repeat(1e6) + all.length)`,
    "a text that doubles": `let text = "x"; for (;;) text += text`,
    "a buffer of a gigabyte": `new ArrayBuffer(2 ** 30)`,
    "an array with a billion entries": `new Array(1e9).fill(0)`,
    "a map that grows": `const all = new Map(); for (let at = 0; ; at++) all.set(at, { at })`,
    "closures that hold each other": `let last; for (;;) { const before = last; last = () => before }`,
    "JSON that unfolds": `let all = ["x"]; for (let at = 0; at < 40; at++) all = [all, all]; JSON.stringify(all)`,
    "a text that is padded": `"x".padEnd(1e9)`,
    "a stream that nobody reads": `new ReadableStream({ start(to) { for (;;) to.enqueue(new Uint8Array(1e5)) } })`,
    "an answer that is a stream without end": `return new Response(new ReadableStream({ pull(to) { to.enqueue(new Uint8Array(1e6)) } }))`,
    "two readers of a stream, of which one reads": `const [one, two] = new ReadableStream({ pull(to) { to.enqueue(new Uint8Array(1e6)) } }).tee(); for await (const piece of one) piece`,
    listeners: `const target = new EventTarget(); for (;;) { const bytes = new Uint8Array(1e5); target.addEventListener("a" + Math.random(), () => bytes) }`,
    timers: `const bytes = () => new Uint8Array(1e6); const all = []; const again = () => { all.push(bytes()); setTimeout(again, 1) }; again(); await new Promise(() => {})`,
  };
  test.each(Object.entries(bombs))("endless memory is refused: %s", async (_, body) => {
    const limits = { memoryBytes: 10 * 1024 * 1024, steps: 2_000_000_000 };
    expect(await failure(body, { limits })).toBe("memory");
  });

  test("a script may continue after an allocation was refused", async () => {
    expect(await value(`try { new ArrayBuffer(2 ** 30) } catch { return "went on" }`)).toBe("went on");
  });

  test("a script that only catches and allocates again is stopped in the end", async () => {
    const body = `const all = []; for (;;) try { all.push("x".repeat(1e6) + all.length) } catch {}`;
    expect(["cpu", "memory"]).toContain(await failure(body, { limits: few }));
  });
});

describe("the stack limit", () => {
  const deep: Readonly<Record<string, string>> = {
    "a function that calls itself": `const again = () => again() + 1; again()`,
    "JSON of a million brackets": `JSON.parse("[".repeat(1e6))`,
    "an object a hundred thousand deep, as JSON": `let all = {}; for (let at = 0; at < 1e5; at++) all = { all }; JSON.stringify(all)`,
    "code of a hundred thousand brackets": `eval("(".repeat(1e5))`,
    "a regular expression of a hundred thousand groups": `new RegExp("(".repeat(1e5))`,
    "a getter that gets itself": `const all = { get it() { return this.it } }; all.it`,
    "a proxy of a proxy of a proxy": `let all = {}; for (let at = 0; at < 1e5; at++) all = new Proxy(all, {}); all.it`,
    "a toString that calls itself": `const all = { toString() { return String(all) } }; String(all)`,
  };
  test.each(Object.entries(deep))("endless depth is refused: %s", async (_, body) => {
    expect(["stack", "script_error"]).toContain(await failure(body));
  });

  test("a stack overflow is reported by its name", async () => {
    expect(await failure(`const again = () => again() + 1; again()`)).toBe("stack");
    expect(await failure(`JSON.parse("[".repeat(1e6))`)).toBe("stack");
  });
});

describe("time", () => {
  const waits = (milliseconds: number) =>
    `await new Promise((done) => setTimeout(done, ${milliseconds})); return new Response()`;

  test("a script that waits too long is ended, and one that waits less is not", async () => {
    expect(await failure(waits(10_001))).toBe("timeout");
    expect(await failure(waits(9_000))).toBe("answered 200");
  });

  test("a stream whose chunks come too late is ended", async () => {
    const slow = `new ReadableStream({ async pull(to) { await new Promise((done) => setTimeout(done, 1000)); to.enqueue(new Uint8Array(1)) } })`;
    expect(await failure(`return new Response(${slow})`)).toBe("timeout");
  });

  test("timers that start each other are ended", async () => {
    expect(await failure(`const again = () => setTimeout(again, 500); again(); await new Promise(() => {})`)).toBe(
      "timeout",
    );
    expect(
      await failure(`setInterval(() => {}, 0); await new Promise(() => {})`, { limits: { milliseconds: 50 } }),
    ).toBe("timeout");
  });

  test("the time is that of the host without a time zone", async () => {
    const body = `return [new Date().toISOString(), Date.now(), new Date(2030, 0, 2).toISOString(), new Date().getTimezoneOffset()]`;
    const begin = "2030-01-02T03:04:05.000Z";
    expect(await value(body)).toEqual([begin, Date.parse(begin), "2030-01-02T00:00:00.000Z", 0]);
  });

  test("the time advances while a script waits", async () => {
    const body = `const before = Date.now(); await new Promise((done) => setTimeout(done, 1234)); return Date.now() - before`;
    expect(await value(body)).toBe(1234);
  });

  test("work that takes too long by the host's clock is ended", async () => {
    let time = 0;
    const now = () => {
      time += 10;
      return new Date(time);
    };
    const host = { ...virtualHost(), now };
    const request = { method: "POST", url: "https://script.example/", headers: [], body: null };
    const { failure } = await createSandbox().run(script(`for (;;);`), { request, env: {} }, host);
    expect(failure?.kind).toBe("timeout");
  });

  test("a wait ends even if the host's clock stands still", async () => {
    const host = { ...virtualHost(), now: () => new Date(0), wait: async () => {} };
    const request = { method: "POST", url: "https://script.example/", headers: [], body: null };
    const { response } = await createSandbox().run(script(waits(500)), { request, env: {} }, host);
    expect(response?.status).toBe(200);
  });

  test("too many timers are refused", async () => {
    const body = `try { for (;;) setTimeout(() => {}, 1e6) } catch (error) { return error.message }`;
    expect(await value(body)).toBe("There are 1000 timers already.");
  });
});

describe("sizes of input and output", () => {
  const size = { answerBytes: 1000, headerBytes: 100, logLines: 3, logCharacters: 20, scriptBytes: 500 };
  const event: Event = { limits: size };

  test("a response that is too large is a failure", async () => {
    expect(await failure(`return new Response("x".repeat(1001))`, event)).toBe("too_much_output");
    expect(await failure(`return new Response("x".repeat(1000))`, event)).toBe("answered 200");
    expect(await failure(`return new Response("", { headers: { a: "x".repeat(200) } })`, event)).toBe(
      "invalid_response",
    );
  });

  test("a request that is too large is a failure", async () => {
    expect(await failure(`return new Response()`, { body: new Uint8Array(9 * 1024 * 1024) })).toBe("too_much_input");
    expect(await failure(`return new Response()`, { env: "x".repeat(9 * 1024 * 1024) })).toBe("too_much_input");
  });

  test("a script that is too large is rejected", async () => {
    expect(await failure(" ".repeat(500), event)).toBe("invalid_script");
  });

  test("the log is kept up to its limit, and the rest is counted", async () => {
    const lines = await call(script(`for (let at = 0; at < 9; at++) console.log(at); return new Response()`), event);
    expect(lines.logs.map(({ message }) => message)).toEqual(["0", "1", "2", "6 more lines were left out."]);
    const long = await call(script(`console.log("x".repeat(1e5)); console.log("y"); return new Response()`), event);
    expect(long.logs.map(({ message }) => message)).toEqual(["x".repeat(20), "1 more lines were left out."]);
  });
});

test("many runs leave no memory behind", async () => {
  const body = `const bytes = new Uint8Array(2e7).fill(1); globalThis.kept = bytes; return new Response(String(bytes.length))`;
  // The memory of the process is the subject, not when the runtime gives back what is garbage.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().rss / 1e6;
  };
  for (let time = 0; time < 20; time++) await call(script(body));
  const before = held();
  for (let time = 0; time < 40; time++) expect((await call(script(body))).response?.status).toBe(200);
  // Each run has held some 40 MB: had a tenth of them stayed, this would be 160.
  await until(() => expect(held() - before).toBeLessThan(130));
});
