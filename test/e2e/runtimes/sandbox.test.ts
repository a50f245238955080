// The sandbox in every runtime, out of the built package: the same small event, a script without end, and the engine where
// no WebAssembly may be compiled. What has threads does other things while a script computes.

import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { commands, inWorker } from "./everywhere";
import { project } from "./project";

/** What a runtime does: `octavo/sandbox` is imported, `engine` is there or undefined. */
const text = `
  const sandboxOf = (steps) => createSandbox({ limits: { steps, milliseconds: 600_000 }, ...(engine ? { engine } : {}) });
  // A new key takes many steps. What never ends is stopped sooner.
  const patient = sandboxOf(100_000_000);
  const strict = sandboxOf(10_000_000);
  const host = {
    fetch: async (url, { signal }) => new Response("from " + url + " " + signal.aborted),
    now: () => new Date(),
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
  };
  const run = async (body, sandbox = patient) => {
    const headers = [["content-type", "multipart/form-data; boundary=b"]];
    const event = '--b\\r\\nContent-Disposition: form-data; name="event"\\r\\n\\r\\n{"type":"grüße"}\\r\\n--b--\\r\\n';
    const request = { method: "POST", url: "https://script.example/v1", headers, body: new TextEncoder().encode(event) };
    const script = "export default { async fetch(request, env, context) {" + body + "} }";
    const { response, failure, logs } = await sandbox.run(script, { request, env: { secret: "s" } }, host);
    return [response ? new TextDecoder().decode(response.body) : failure.kind, logs.map(({ message }) => message)];
  };
  const answers = [
    await run('const { type } = JSON.parse((await request.formData()).get("event")); console.log(type); await new Promise((done) => setTimeout(done, 5)); const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(env.secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]); const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(type))); const answer = await fetch("https://a.example/"); return new Response([type, mac[0], await answer.text()].join())'),
    await run('const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }; const { privateKey, publicKey } = await crypto.subtle.generateKey({ ...rsa, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, false, ["sign", "verify"]); const data = new TextEncoder().encode(env.secret); const isRight = await crypto.subtle.verify(rsa, publicKey, await crypto.subtle.sign(rsa, privateKey, data), data); const key = await crypto.subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, ["encrypt", "decrypt"]); const iv = new Uint8Array(12); const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, data); const open = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed); return Response.json([isRight, privateKey instanceof CryptoKey, await crypto.subtle.exportKey("pkcs8", privateKey).catch((error) => error.name), sealed.byteLength, new TextDecoder().decode(open)])'),
    await run('const upper = new TransformStream({ transform: (one, to) => to.enqueue(one.toUpperCase()) }); const text = (await fetch("https://a.example/")).body.pipeThrough(new TextDecoderStream()).pipeThrough(upper).pipeThrough(new TextEncoderStream()); return new Response(text)'),
    await run('return Response.json([new Date(0).toLocaleDateString("en-US"), (1234.5).toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone, new Error("no").stack.slice(0, 9), performance.now() >= 0])'),
    await run("for (;;);", strict),
    await run('new Array(2 ** 32 - 1).indexOf(1)', strict),
    await run("const again = () => again() + 1; again()"),
    await run('JSON.parse("[".repeat(1e6))'),
    await run("const all = []; for (;;) all.push(new Uint8Array(1e6))"),
    await run("await new Promise(() => {})"),
  ];
  let turns = 0;
  let isOver = false;
  const turn = () => void (turns++, isOver || setTimeout(turn));
  turn();
  await run("for (;;);");
  isOver = true;
  answers.push(turns > 10 ? "others had their turn" : "others waited");
`;

const mac = createHmac("sha256", "s").update("grüße").digest();
const expected = [
  [`grüße,${mac[0]},from https://a.example/ false`, ["grüße"]],
  ['[true,true,"InvalidAccessError",17,"s"]', []],
  ["FROM HTTPS://A.EXAMPLE/ FALSE", []],
  ['["1/1/1970","1,234.5","UTC","Error: no",true]', []],
  ["cpu", []],
  ["cpu", []],
  ["stack", []],
  ["stack", []],
  ["memory", []],
  ["unanswered", []],
];
const ofThreads = [...expected, "others had their turn"];
const ofWorkers = [...expected, "others waited"];

const imports = 'import { createSandbox } from "octavo/sandbox";';
const withoutEngine = { imports, text: `const engine = undefined; ${text}` };

let path: string;
beforeAll(async () => {
  path = await project([]);
});

describe("the sandbox in every runtime", () => {
  test("an event is handled and an endless script is stopped on Node", async () => {
    expect(await commands.Node(path, withoutEngine)).toEqual(ofThreads);
  });

  test("an event is handled and an endless script is stopped on Bun", async () => {
    expect(await commands.Bun(path, withoutEngine)).toEqual(ofThreads);
  });

  test("an event is handled and an endless script is stopped on Deno without permissions", async () => {
    expect(await commands.Deno(path, withoutEngine)).toEqual(ofThreads);
  });

  test("an event is handled and an endless script is stopped in a Worker that passes the engine", async () => {
    const contents = await readFile(join(path, "node_modules/octavo/dist/sandbox.wasm"));
    // Bundlers for Workers leave this import as it is; the one of the tests knows only Node's.
    const engine = `const { default: engine } = await import(["./sandbox", "wasm"].join("."));`;
    const beside = [{ type: "CompiledWasm", path: "sandbox.wasm", contents } as const];
    expect(await inWorker(path, { imports: `${imports} ${engine}`, text }, beside)).toEqual(ofWorkers);
  });

  test("a Worker without the engine gets an error that says what is missing", async () => {
    expect(await inWorker(path, withoutEngine)).toEqual([...expected.map(() => ["unavailable", []]), "others waited"]);
  });
});
