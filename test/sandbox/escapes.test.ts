// What a script tries in order to get out, to look into another run, or to harm the host with what it gives back.

import { createSandbox } from "octavo/sandbox";
import { afterEach, describe, expect, test } from "vitest";
import { call, failure, script, value, virtualHost } from "./events";

/** What must be the same after every attempt. */
const untouched = () => [
  Object.getOwnPropertyNames(Object.prototype).sort(),
  Object.getOwnPropertyNames(Array.prototype).length,
  Object.getOwnPropertyNames(Function.prototype).length,
  JSON.stringify({ a: 1 }),
];
const before = untouched();
afterEach(() => expect(untouched()).toEqual(before));

describe("host access", () => {
  const names = [
    "require",
    "module",
    "exports",
    "__dirname",
    "Buffer",
    "global",
    "Deno",
    "Bun",
    "window",
    "document",
    "caches",
    "WebAssembly",
    "Atomics",
    "SharedArrayBuffer",
    "Worker",
    "XMLHttpRequest",
    "WebSocket",
    "EventSource",
    "importScripts",
    "std",
    "os",
    "scriptArgs",
    "print",
    "host",
    "made",
    "open",
    "world",
    "enter",
  ];
  test.each(names)("a script has no %s", async (name) => {
    expect(await value(`return typeof ${name}`)).toBe("undefined");
  });

  const chains: Readonly<Record<string, string>> = {
    "the constructor of a constructor": `return typeof request.constructor.constructor("return this")().WebAssembly`,
    "the constructor of the environment": `return typeof env.constructor.constructor("return this")().WebAssembly`,
    "the constructor of an async function": `return typeof (await (async () => {}).constructor("return this")()).WebAssembly`,
    "the constructor of a generator": `return typeof (function* () {}).constructor("return this")().next().value.WebAssembly`,
    "the constructor of fetch": `return typeof fetch.constructor("return this")().WebAssembly`,
    "the constructor of an error of the host's making": `try { new URL("x") } catch (error) { return typeof error.constructor.constructor("return this")().WebAssembly }`,
    "indirect eval": `return typeof (0, eval)("this").WebAssembly`,
    "the stack of an error": `const before = Error.prepareStackTrace; Error.prepareStackTrace = (_, calls) => calls; const { stack } = new Error(); Error.prepareStackTrace = before; return Array.isArray(stack) ? stack.map((call) => typeof call.getThis?.()?.WebAssembly)[0] ?? "undefined" : "undefined"`,
    "the caller of a function": `function who() { try { return who.caller } catch { return undefined } } return typeof who()?.WebAssembly`,
    "the bytes of a buffer of the host's": `const bytes = new TextEncoder().encode("x"); return bytes.buffer.byteLength === 1 ? "undefined" : "more"`,
  };
  test.each(Object.entries(chains))("a script cannot reach the host by %s", async (_, body) => {
    expect(await value(body, { env: { a: {} } })).toBe("undefined");
  });

  test("`process` is an empty environment and leads nowhere", async () => {
    const body = `return [Object.keys(process), Object.keys(process.env), typeof process.getBuiltinModule, typeof process.binding, typeof process.constructor.constructor("return this")().WebAssembly]`;
    expect(await value(body)).toEqual([["env"], [], "undefined", "undefined", "undefined"]);
  });

  test("eval and Function are those of the sandbox", async () => {
    expect(await value(`return [(0, eval)("1 + 1"), new Function("return this")() === globalThis]`)).toEqual([2, true]);
  });

  test("import finds no module, static or dynamic", async () => {
    for (const name of [
      "fs",
      "node:fs",
      "https://a.example/x.js",
      "data:text/javascript,export default 1",
      "std",
      "os",
      "../built/engine",
      "/etc/passwd",
    ]) {
      expect(await value(`return import("${name}").then(() => "loaded", (error) => error.name)`)).toBe(
        "ReferenceError",
      );
      expect((await call(`import "${name}"; ${script("")}`)).failure?.kind).toBe("invalid_script");
    }
  });

  test("import.meta is empty", async () => {
    expect(await value(`return Object.keys(import.meta)`)).toEqual([]);
  });
});

describe("isolation between scripts", () => {
  test("a script that changes prototypes affects only itself", async () => {
    const poison = `for (const one of [Object, Array, Function, String, Promise, Map, Uint8Array, Response, Headers, Error]) for (const name of ["then", "toJSON", "status", "headers", "body", "get", "kind", "message"]) try { Object.defineProperty(one.prototype, name, { get() { return "poison" }, set() {}, configurable: true }) } catch {}`;
    const { response } = await call(script(`${poison} return new Response("x")`));
    expect(response === undefined || response.status === 200).toBe(true);
    expect(({} as Record<string, unknown>).poison).toBeUndefined();
    expect(await value(`return ({}).status === undefined`)).toBe(true);
  });

  test("a script that uses __proto__ in JSON, headers, forms and logs affects only itself", async () => {
    const body = `console.log(JSON.parse('{"__proto__": {"polluted": 1}}')); const headers = new Headers(); headers.set("__proto__", "polluted"); headers.set("constructor", "x"); return new Response('{"__proto__": {"polluted": 1}}', { headers })`;
    const { response, logs } = await call(script(body));
    expect(response?.headers).toContainEqual(["__proto__", "polluted"]);
    expect(logs.length).toBe(1);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("a script that replaces globals affects only itself", async () => {
    const replaced = `JSON.stringify = () => "}"; JSON.parse = () => ({ get status() { throw 1 } }); globalThis.Response = class {}; globalThis.Headers = undefined; Array.prototype[Symbol.iterator] = function* () { yield ["a\\r\\nb", "c"] }; Map.prototype.get = () => null; Reflect.apply = () => {}; Function.prototype.call = Function.prototype.apply = () => "x"; Promise.prototype.then = function () { return this };`;
    const answered = await call(
      `const Kept = Response; ${script(`${replaced} return new Kept("still", { headers: { a: "b" } })`)}`,
    );
    if (answered.response)
      for (const [name, text] of answered.response.headers) expect(name + text).not.toMatch(/[\r\n]/);
    else expect(["invalid_response", "unanswered", "script_error", "invalid_script"]).toContain(answered.failure.kind);
    expect(await value(`return JSON.stringify({})`)).toBe("{}");
  });

  test("values set in one run are absent in the next", async () => {
    const sandbox = createSandbox();
    const request = { method: "POST", url: "https://script.example/", headers: [], body: null };
    const run = (body: string, env: unknown) => sandbox.run(script(body), { request, env }, virtualHost());
    await run(
      `globalThis.kept = env.secret; Object.prototype.kept = env.secret; Response.prototype.kept = env.secret; console.kept = env.secret; Math.kept = env.secret; return new Response()`,
      { secret: "of the first run" },
    );
    const { response } = await run(
      `return Response.json([typeof kept, typeof ({}).kept, typeof new Response().kept, typeof console.kept, typeof Math.kept])`,
      {},
    );
    expect(new TextDecoder().decode(response?.body)).toBe(JSON.stringify(Array(5).fill("undefined")));
  });

  test("the memory of one run contains nothing of another", async () => {
    const memories: WebAssembly.Memory[] = [];
    const { Memory } = WebAssembly;
    WebAssembly.Memory = class extends Memory {
      constructor(size: WebAssembly.MemoryDescriptor) {
        super(size);
        memories.push(this);
      }
    };
    try {
      await call(script(`return new Response(env.secret)`), { env: { secret: "found only where it was" } });
      await call(script(`return new Response(env.secret)`), { env: { secret: "another" } });
    } finally {
      WebAssembly.Memory = Memory;
    }
    const holds = memories.map(({ buffer }) => Buffer.from(buffer).includes("found only where it was"));
    expect(holds.slice(-2)).toEqual([true, false]);
  });

  test("simultaneous runs do not see each other", async () => {
    const body = `globalThis.mine = env.name; await new Promise((done) => setTimeout(done, 5)); return new Response(globalThis.mine)`;
    const results = await Promise.all(["a", "b", "c"].map((name) => call(script(body), { env: { name } })));
    expect(results.map(({ response }) => new TextDecoder().decode(response?.body))).toEqual(["a", "b", "c"]);
  });

  test("the environment is a copy", async () => {
    const env = { secrets: { key: "1" }, list: [1] };
    await call(script(`env.secrets.key = "2"; env.list.push(2); env.__proto__.x = 1; return new Response()`), { env });
    expect(env).toEqual({ secrets: { key: "1" }, list: [1] });
  });
});

describe("keys", () => {
  const secret = `const key = await crypto.subtle.importKey("raw", new Uint8Array(16).fill(77), "AES-GCM", false, ["encrypt", "decrypt"]);`;
  const tries: Readonly<Record<string, string>> = {
    "by what it says of itself": `Object.defineProperty(key, "extractable", { value: true }); Object.defineProperty(CryptoKey.prototype, "extractable", { get: () => true }); return [...new Uint8Array(await crypto.subtle.exportKey("raw", key))]`,
    "by prototypes that see all bytes": `const seen = []; for (const name of ["set", "slice", "subarray"]) { const real = Uint8Array.prototype[name]; Uint8Array.prototype[name] = function (...args) { seen.push(...Array.prototype.slice.call(this)); return Reflect.apply(real, this, args) } } await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, new Uint8Array(2)); return seen.filter((byte) => byte === 77)`,
    "by JSON that sees all texts": `const seen = []; Object.prototype.toJSON = function () { seen.push(this); return this }; await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, new Uint8Array(2)); delete Object.prototype.toJSON; return Object.keys(Object.assign({}, ...seen)).filter((name) => /secret|bytes|raw/.test(name))`,
    "by its own properties": `return [Object.keys(key), Object.getOwnPropertyNames(key), JSON.stringify(key)].flat().filter((one) => one !== "{}")`,
  };
  test.each(Object.entries(tries))("a secret key cannot be read %s", async (_, body) => {
    expect(await value(`${secret} try { ${body} } catch { return [] }`)).toEqual([]);
  });

  test("another run does not find a key under its number", async () => {
    const forged = `const real = JSON.stringify; const own = await crypto.subtle.importKey("raw", new Uint8Array(16), "AES-GCM", true, ["encrypt"]); return (await crypto.subtle.exportKey("raw", own)).byteLength`;
    await value(`${secret} return 1`);
    expect(await value(forged)).toBe(16);
  });
});

describe("hostile objects", () => {
  const tries: Readonly<Record<string, readonly [body: string, gives: unknown]>> = {
    "an algorithm whose name changes between two looks": [
      `let looks = 0; const algorithm = { get name() { return looks++ === 0 ? "AES-GCM" : "HMAC" }, length: 128 }; const key = await crypto.subtle.generateKey(algorithm, true, ["encrypt"]); return [key.algorithm.name, looks]`,
      ["AES-GCM", 1],
    ],
    "an algorithm whose getter throws": [
      `return crypto.subtle.digest({ get name() { throw new RangeError("mine") } }, new Uint8Array()).catch((error) => error.message)`,
      "mine",
    ],
    "data that changes while it is computed": [
      `const data = new Uint8Array([1]); const one = crypto.subtle.digest("SHA-256", data); data[0] = 2; const two = await crypto.subtle.digest("SHA-256", new Uint8Array([1])); return new Uint8Array(await one).join() === new Uint8Array(two).join()`,
      true,
    ],
    "usages without end": [
      `return crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, true, { length: 1e9, [Symbol.iterator]: () => { throw new TypeError("no") } }).catch((error) => error.name)`,
      "TypeError",
    ],
    "a jwk that holds itself": [
      `const jwk = { kty: "oct", k: "AAAA" }; jwk.jwk = jwk; return crypto.subtle.importKey("jwk", jwk, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]).catch((error) => error.name)`,
      "TypeError",
    ],
    "a prototype of promises that is replaced": [
      `const then = Promise.prototype.then; Promise.prototype.then = function (...args) { return Reflect.apply(then, this, args) }; const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["encrypt"]); return key instanceof CryptoKey`,
      true,
    ],
    "a source that enqueues into itself while it is pulled": [
      `let controller; const stream = new ReadableStream({ start(to) { controller = to }, pull(to) { to.enqueue(1); controller.close() } }); const reader = stream.getReader(); return [(await reader.read()).value, (await reader.read()).done]`,
      [1, true],
    ],
    "a transform that writes to itself": [
      `const pair = new TransformStream({ transform(one, to) { if (one < 3) writer.write(one + 1).catch(() => {}); to.enqueue(one) } }); const writer = pair.writable.getWriter(); writer.write(1); const reader = pair.readable.getReader(); return [(await reader.read()).value, (await reader.read()).value, (await reader.read()).value]`,
      [1, 2, 3],
    ],
    "a reader that is released while it reads": [
      `const reader = new ReadableStream().getReader(); const one = reader.read().catch((error) => error.name); reader.releaseLock(); return one`,
      "TypeError",
    ],
    "pieces of a body that change after they are sent": [
      `const piece = new Uint8Array([104]); const response = new Response(new ReadableStream({ start(to) { to.enqueue(piece); to.close() } })); const text = response.text(); piece[0] = 105; return (await text).length`,
      1,
    ],
    "a body that errors": [
      `return new Response(new ReadableStream({ pull() { throw new RangeError("no") } })).text().catch((error) => error.name)`,
      "RangeError",
    ],
    "a listener that removes and adds itself": [
      `const target = new EventTarget(); let count = 0; const listener = () => { count++; target.removeEventListener("a", listener); target.addEventListener("a", listener) }; target.addEventListener("a", listener); target.dispatchEvent(new Event("a")); return count`,
      1,
    ],
    "a locale that is an object": [
      `return [(1).toLocaleString({ length: 1, 0: "de-DE", [Symbol.iterator]: function* () { yield { toString: () => "de-DE" } } }), (() => { try { (1).toLocaleString({ __proto__: null }) } catch (error) { return error.name } })()]`,
      ["1", "TypeError"],
    ],
    "options with a prototype": [
      `return (0.5).toLocaleString("en-US", JSON.parse('{"__proto__": {"style": "percent"}, "style": "percent"}'))`,
      "50%",
    ],
    "an error whose name is a getter that throws": [
      `const error = new Error("no"); Object.defineProperty(error, "name", { get() { throw 1 } }); return error.stack.split("\\n")[0]`,
      "Error",
    ],
    "an error whose stack is asked of another object": [
      `return [Object.getOwnPropertyDescriptor(Error.prototype, "stack").get.call({ "@from": 7 }) ?? null, Object.getOwnPropertyDescriptor(Error.prototype, "stack").get.call(1) ?? null]`,
      [null, null],
    ],
  };
  test.each(Object.entries(tries))("a hostile object does no harm: %s", async (_, [body, gives]) => {
    expect(await value(body)).toEqual(gives);
  });

  test("a Response whose stream contains non-bytes is an error of the script", async () => {
    expect(await failure(`return new Response(ReadableStream.from([1]))`)).toBe("script_error");
  });

  test("a Response whose stream never ends is unanswered, whoever holds its controller", async () => {
    expect(
      await failure(`return new Response(new ReadableStream({ start(to) { to.enqueue(new Uint8Array(1)) } }))`),
    ).toBe("unanswered");
  });

  test("a Response may be written after it was returned", async () => {
    const body = `const { readable, writable } = new TransformStream(); context.waitUntil((async () => { const writer = writable.getWriter(); for (const one of ["a", "b"]) { await new Promise((done) => setTimeout(done, 50)); await writer.write(new TextEncoder().encode(one)) } await writer.close() })()); return new Response(readable)`;
    const { response } = await call(script(body));
    expect(new TextDecoder().decode(response?.body)).toBe("ab");
  });
});

describe("checking results", () => {
  const broken: Readonly<Record<string, readonly [string, string]>> = {
    nothing: [``, "invalid_response"],
    "a text": [`return "x"`, "invalid_response"],
    "what looks like a Response": [`return { status: 200, headers: new Headers(), body: null }`, "invalid_response"],
    "a proxy of a Response": [`return new Proxy(new Response("x"), {})`, "script_error"],
    "a Response whose status is a getter that throws": [
      `return Object.defineProperty(new Response(), "status", { get() { throw new Error("no") } })`,
      "script_error",
    ],
    "a Response with a status out of range": [
      `return Object.defineProperty(new Response(), "status", { value: 99 })`,
      "invalid_response",
    ],
    "a Response with a status that is no number": [
      `return Object.defineProperty(new Response(), "status", { value: { valueOf: () => 200 } })`,
      "invalid_response",
    ],
    "headers with a line break": [
      `return Object.defineProperty(new Response(), "headers", { value: [["a", "b\\r\\nset-cookie: c"]] })`,
      "invalid_response",
    ],
    "headers with a line break in a name": [
      `return Object.defineProperty(new Response(), "headers", { value: [["a\\r\\nb", "c"]] })`,
      "invalid_response",
    ],
    "headers that are no pairs": [
      `return Object.defineProperty(new Response(), "headers", { value: [1, [2], [{}, {}]] })`,
      "invalid_response",
    ],
    "a Response that was read already": [
      `const response = new Response("x"); await response.text(); return response`,
      "script_error",
    ],
    "a promise that never settles": [`return new Promise(() => {})`, "unanswered"],
    "a thenable that throws": [`return { then() { throw new Error("no") } }`, "script_error"],
  };
  test.each(Object.entries(broken))("the returned value is checked: %s", async (_, [body, kind]) => {
    expect(await failure(body)).toBe(kind);
  });

  const thrown: Readonly<Record<string, readonly [string, string]>> = {
    "an error": [`throw new TypeError("no")`, "TypeError: no"],
    "a text": [`throw "no"`, '"no"'],
    nothing: [`throw undefined`, "undefined"],
    null: [`throw null`, "null"],
    "an object": [`throw { a: [1, { b: 2 }] }`, "{a: [1, {b: 2}]}"],
    "what holds itself": [`const all = {}; all.all = all; throw all`, "{all: [circular]}"],
    "an error whose message is a getter that throws": [
      `throw Object.defineProperty(new Error(), "message", { get() { throw 1 } })`,
      "[cannot be shown]",
    ],
    "a proxy that throws": [
      `throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 1 }, getPrototypeOf() { throw 1 } })`,
      "[cannot be shown]",
    ],
    "a symbol": [`throw Symbol("no")`, "Symbol(no)"],
    "a long message": [`throw new Error("x".repeat(1e6))`, `Error: ${"x".repeat(1993)}`],
  };
  test.each(Object.entries(thrown))("the thrown value is reported: %s", async (_, [body, message]) => {
    expect((await call(script(body))).failure).toMatchObject({ kind: "script_error", message });
  });

  test("the stack trace mentions only the script", async () => {
    const { failure } = await call(`const deep = () => { throw new Error("no") };\n${script("deep()")}`);
    expect(failure?.stack).toMatch(/^ +at deep \(script\.js:1:\d+\)\n +at fetch \(script\.js:2:\d+\)$/);
  });
});

describe("checking a script before publishing", () => {
  const check = (text: string) => createSandbox({ limits: { steps: 20_000_000 } }).check(text, virtualHost());

  test("a valid script passes the check before publishing", async () => {
    expect(await check(script(""))).toBeUndefined();
    expect(
      await check(
        `const x = await Promise.resolve(1); class Handler { fetch() { return x } } export default new Handler()`,
      ),
    ).toBeUndefined();
  });

  const refused: Readonly<Record<string, readonly [string, string, string]>> = {
    "no code": ["export default {", "invalid_script", "SyntaxError"],
    "no default export": ["export const fetch = () => {}", "invalid_script", "no default export"],
    "a default export without fetch": ["export default { get: () => {} }", "invalid_script", "no default export"],
    "a default export that is nothing": ["export default null", "invalid_script", "no default export"],
    "an error at the top": [`throw new Error("no"); export default { fetch() {} }`, "invalid_script", "Error: no"],
    "a loop at the top": ["for (;;); export default { fetch() {} }", "cpu", "CPU limit"],
    "an await that never ends": [
      "await new Promise(() => {}); export default { fetch() {} }",
      "unanswered",
      "never resolves",
    ],
    "a request at the top": [
      `await fetch("https://a.example/"); export default { fetch() {} }`,
      "script_error",
      "Nothing can be fetched",
    ],
    "a module that it imports": [`import "other"; export default { fetch() {} }`, "invalid_script", "could not load"],
  };
  test.each(Object.entries(refused))(
    "an invalid script fails the check before publishing: %s",
    async (_, [text, kind, message]) => {
      expect(await check(text)).toMatchObject({ kind, message: expect.stringContaining(message) });
    },
  );
});

test("log entries of a script keep their level and time", async () => {
  const body = `console.log("a", 1, { b: [true, null] }); console.error(new TypeError("no").message); console.warn(); console.info(new Map([["k", 1]]), new Set([1]), 10n, () => {}, Symbol("s")); console.debug(undefined); console.assert(false, "wrong"); await new Promise((done) => setTimeout(done, 1000)); console.log("later"); return new Response()`;
  const { logs } = await call(script(body));
  expect(logs.map(({ level, message }) => [level, message])).toEqual([
    ["log", "a 1 {b: [true, null]}"],
    ["error", "no"],
    ["warn", ""],
    ["info", "Map {k: 1} Set [1] 10n [function without a name] Symbol(s)"],
    ["debug", "undefined"],
    ["error", "Assertion failed: wrong"],
    ["log", "later"],
  ]);
  expect([logs[0]?.timestamp, logs.at(-1)?.timestamp]).toEqual([
    "2030-01-02T03:04:05.000Z",
    "2030-01-02T03:04:06.000Z",
  ]);
});

test("a multipart event is parsed as the protocol defines", async () => {
  const form = new FormData();
  form.append("event", JSON.stringify({ eventId: "evt_1", type: "fetch", request: { method: "POST" } }));
  form.append("environment", JSON.stringify({ secrets: { key: "ü" } }));
  form.append("fetch-body", new Blob([new Uint8Array([0, 13, 10, 45, 45, 255])]));
  const sent = new Response(form);
  const body = `const form = await request.formData(); const event = JSON.parse(form.get("event")); return [request.method, new URL(request.url).pathname, event.type, JSON.parse(form.get("environment")).secrets.key, [...new Uint8Array(await form.get("fetch-body").arrayBuffer())]]`;
  const event = { body: new Uint8Array(await sent.clone().arrayBuffer()), type: sent.headers.get("content-type")! };
  expect(await value(body, event)).toEqual(["POST", "/v1", "fetch", "ü", [0, 13, 10, 45, 45, 255]]);
});
