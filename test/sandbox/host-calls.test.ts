// What the host does for a script: each of its functions is charged for what it costs and looks at the time, so a loop over
// any of them, with the largest that it takes, comes to an end.

import { createSandbox } from "octavo/sandbox";
import { beforeAll, describe, expect, test } from "vitest";
import { loadBuiltInEngine } from "../../src/sandbox/engine";
import { FetchRequests } from "../../src/sandbox/fetch-requests";
import { DEFAULT_SANDBOX_LIMITS } from "../../src/sandbox/port";
import { ScriptRun } from "../../src/sandbox/script-run";
import { getTemplate } from "../../src/sandbox/template";
import { call, failure, script, value, virtualHost } from "./events";
import keys from "./rsa-keys.json";

const STEPS = 5_000_000;

/** So many different letters, which is what takes long in a host. */
const letters = (length: number) =>
  `Array.from({ length: ${length} }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20000))).join("")`;
const key = (bytes: number, hash: string) =>
  `await crypto.subtle.importKey("raw", new Uint8Array(${bytes}), { name: "HMAC", hash: "${hash}" }, false, ["sign"])`;

/** A key for tests alone, by the bits of its modulus: to make one takes seconds. */
const jwk = (modulusLength: 1024 | 2048 | 4096) => JSON.stringify(keys[`${modulusLength}`]);
const rsa = `{ name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }`;

/** Loops over each of the host's functions: with what is small, and with what is as large or as bad as may be. */
const loops: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  encode: {
    "one letter": `const it = new TextEncoder(); for (;;) it.encode("x")`,
    "a million letters": `const it = new TextEncoder(), text = "x".repeat(1e6); for (;;) it.encode(text)`,
    "a million of another script": `const it = new TextEncoder(), text = "中".repeat(1e6); for (;;) it.encode(text)`,
    "a million that JSON escapes": `const it = new TextEncoder(), text = "\\0".repeat(1e6); for (;;) it.encode(text)`,
    "a text as a body": `const text = "x".repeat(1e6); for (;;) await new Response(text).text()`,
    "a form as a body": `const form = new FormData(); for (let at = 0; at < 100; at++) form.append(at, "x".repeat(1e4)); for (;;) await new Response(form).formData()`,
  },
  decode: {
    "a byte": `const it = new TextDecoder(), bytes = new Uint8Array(1); for (;;) it.decode(bytes)`,
    megabytes: `const it = new TextDecoder(), bytes = new Uint8Array(4e6).fill(65); for (;;) it.decode(bytes)`,
    "megabytes that are wrong": `const it = new TextDecoder(), bytes = new Uint8Array(2e6).fill(255); for (;;) it.decode(bytes)`,
    "megabytes of another encoding": `const it = new TextDecoder("gb18030"), bytes = new Uint8Array(2e6).fill(129); for (;;) it.decode(bytes)`,
    "names of encodings": `for (;;) try { new TextDecoder("x".repeat(1e5)) } catch {}`,
  },
  url: {
    "a short one": `for (;;) new URL("https://a.example/")`,
    none: `for (;;) URL.canParse("x")`,
    "a host of sixty thousand letters": `const host = ${letters(60_000)}; for (;;) try { new URL("https://" + host) } catch {}`,
    "a host as long as may be": `const host = ${letters(250)}; for (;;) try { new URL("https://" + host) } catch {}`,
    "a long host as the base": `const host = ${letters(250)}; for (;;) try { new URL("x", "https://" + host) } catch {}`,
    "a path as long as may be": `const path = "中".repeat(65000); for (;;) try { new URL("https://a/" + path) } catch {}`,
    megabytes: `const path = "x".repeat(4e6); for (;;) try { new URL("https://a/" + path) } catch {}`,
    "of requests": `const host = ${letters(60_000)}; for (;;) try { new Request("https://" + host) } catch {}`,
    "of redirects": `const host = ${letters(250)}; for (;;) try { Response.redirect("https://" + host) } catch {}`,
  },
  "url-set": {
    "a long host": `const host = ${letters(60_000)}, url = new URL("https://a/"); for (;;) url.host = host`,
    "a host as long as may be": `const host = ${letters(250)}, url = new URL("https://a/"); for (;;) url.hostname = host`,
    "a long path": `const path = "中".repeat(65000), url = new URL("https://a/"); for (;;) url.pathname = path`,
    parameters: `const url = new URL("https://a/?" + "a=1&".repeat(3000)); for (;;) url.searchParams.append("b", 1)`,
  },
  random: {
    numbers: `for (;;) Math.random()`,
    names: `for (;;) crypto.randomUUID()`,
    "as many bytes as may be": `const bytes = new Uint8Array(65536); for (;;) crypto.getRandomValues(bytes)`,
  },
  subtle: {
    "a byte": `const bytes = new Uint8Array(1); for (;;) await crypto.subtle.digest("SHA-512", bytes)`,
    ...Object.fromEntries(
      ["SHA-1", "SHA-256", "SHA-384", "SHA-512"].map((hash) => [
        `megabytes with ${hash}`,
        `const bytes = new Uint8Array(4e6); for (;;) await crypto.subtle.digest("${hash}", bytes)`,
      ]),
    ),
    "without waiting": `const bytes = new Uint8Array(1); for (;;) crypto.subtle.digest("SHA-512", bytes).catch(() => {})`,
    "megabytes without waiting": `const bytes = new Uint8Array(4e6); for (;;) crypto.subtle.digest("SHA-512", bytes).catch(() => {})`,
    "more than one operation may take": `const bytes = new Uint8Array(9e6); for (;;) await crypto.subtle.digest("SHA-1", bytes).catch(() => {})`,
    "what is no algorithm": `for (;;) await crypto.subtle.digest("x".repeat(1e5), new Uint8Array(1)).catch(() => {})`,
    "HMAC of a byte": `const key = ${key(64, "SHA-512")}; for (;;) await crypto.subtle.sign("HMAC", key, new Uint8Array(1))`,
    "HMAC of megabytes": `const key = ${key(64, "SHA-512")}, bytes = new Uint8Array(4e6); for (;;) await crypto.subtle.sign("HMAC", key, bytes)`,
    "HMAC with a key as large as may be": `const key = ${key(65_536, "SHA-512")}; for (;;) await crypto.subtle.sign("HMAC", key, new Uint8Array(1))`,
    "keys of HMAC that are too large": `for (;;) await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-1", length: 2 ** 31 - 8 }, false, ["sign"]).catch(() => {})`,
    "AES of a byte": `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"]), iv = new Uint8Array(12); for (;;) await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new Uint8Array(1))`,
    "AES of megabytes": `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"]), iv = new Uint8Array(12), bytes = new Uint8Array(4e6); for (;;) await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, bytes)`,
    "AES with additional data of megabytes": `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"]), iv = new Uint8Array(12), additionalData = new Uint8Array(4e6); for (;;) await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, iv)`,
    "AES with an iv of megabytes": `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"]), iv = new Uint8Array(4e6); for (;;) await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new Uint8Array(1)).catch(() => {})`,
    "keys of AES": `for (;;) await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt"]).catch(() => {})`,
    "keys of an elliptic curve": `for (;;) await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-521" }, true, ["sign"]).catch(() => {})`,
    "signatures with an elliptic curve": `const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-521" }, true, ["sign"]); for (;;) await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-512" }, privateKey, new Uint8Array(1))`,
    "signatures with RSA": `const key = await crypto.subtle.importKey("jwk", ${jwk(2048)}, ${rsa}, false, ["sign"]); for (;;) await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, new Uint8Array(1))`,
    "signatures with RSA of 4096 bits": `const key = await crypto.subtle.importKey("jwk", ${jwk(4096)}, ${rsa}, false, ["sign"]); for (;;) await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, new Uint8Array(1))`,
    "imports of RSA keys": `const jwk = ${jwk(4096)}; for (;;) await crypto.subtle.importKey("jwk", jwk, ${rsa}, false, ["sign"]).catch(() => {})`,
    "RSA pairs": `for (;;) await crypto.subtle.generateKey({ ...${rsa}, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, false, ["sign"])`,
    "RSA pairs that are too large": `for (;;) await crypto.subtle.generateKey({ ...${rsa}, modulusLength: 65536, publicExponent: new Uint8Array([1, 0, 1]) }, false, ["sign"]).catch(() => {})`,
    "RSA pairs with an exponent that there is no key for": `for (;;) await crypto.subtle.generateKey({ ...${rsa}, modulusLength: 2048, publicExponent: new Uint8Array([2]) }, false, ["sign"]).catch(() => {})`,
  },
  intl: {
    "a number": `for (;;) (1).toLocaleString()`,
    "a date": `const date = new Date(0); for (;;) date.toLocaleString("de-DE", { timeZone: "Asia/Tokyo" })`,
    "formatters, each another": `for (let at = 0; ; at++) new Intl.NumberFormat("en-US", { maximumFractionDigits: at % 20, minimumIntegerDigits: 1 + (at % 21) })`,
    "texts that are compared": `const collator = new Intl.Collator("sv"), text = "ö".repeat(1e5); for (;;) collator.compare(text, text + "a")`,
    "lists of many texts": `const format = new Intl.ListFormat("en"), list = new Array(1e4).fill("x"); for (;;) format.format(list)`,
    "numbers with many digits": `const big = 10n ** 999n; for (;;) big.toLocaleString()`,
    "numbers with too many digits": `const big = 10n ** 50000n; for (;;) try { big.toLocaleString() } catch {}`,
    "locales without end": `const locales = new Array(1e5).fill("en"); for (;;) try { new Intl.PluralRules(locales) } catch {}`,
  },
  origin: { "its only answer": `for (;;) performance.now()` },
  log: {
    "short lines": `for (;;) console.log("x")`,
    "long lines": `const text = "x".repeat(8000); for (;;) console.log(text)`,
  },
  wake: { "timers that come and go": `for (;;) clearTimeout(setTimeout(() => {}, 1))` },
  fetch: {
    "without waiting": `for (;;) fetch("https://a.example/").catch(() => {})`,
    waiting: `for (;;) await fetch("https://a.example/").catch(() => {})`,
    "with megabytes": `const body = new Uint8Array(4e6); for (;;) await fetch("https://a.example/", { method: "POST", body }).catch(() => {})`,
    "with headers of megabytes": `const headers = { a: "x".repeat(4e6) }; for (;;) await fetch("https://a.example/", { headers }).catch(() => {})`,
  },
  abort: {
    "one after the other": `for (;;) { const it = new AbortController(); fetch("https://a.example/", { signal: it.signal }).catch(() => {}); it.abort() }`,
  },
};

/** These end a run, or come once in it. */
const once = ["answer", "done", "fail"];

/** Processor time in milliseconds, and how it ended. */
async function costOf(body: string): Promise<{ readonly milliseconds: number; readonly ended: string }> {
  const before = process.cpuUsage();
  const ended = await failure(body, { limits: { steps: STEPS }, fetch: async () => new Response("x") });
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: (user + system) / 1000, ended };
}

/** Of a host that is parsed without a bound, one call alone would take fifty times as long as a plain loop. */
const isCheap = (milliseconds: number, plain: number) => milliseconds < 20 * plain + 200;

/** What a plain loop takes. */
let plain: number;
const plainCost = async () => (await costOf("for (;;);")).milliseconds;
beforeAll(async () => {
  // The first one loads the engine.
  await plainCost();
  plain = await plainCost();
});

describe.each(Object.entries(loops))("%s", (_, bodies) => {
  test.each(Object.entries(bodies))("a loop over %s ends and costs little more than any loop", async (_, body) => {
    const { milliseconds, ended } = await costOf(body);
    expect(ended).toBe("cpu");
    if (isCheap(milliseconds, plain)) return;
    // A machine may have been slowed down while the loop ran: then the better of two counts.
    const [again, besides] = [await plainCost(), (await costOf(body)).milliseconds];
    const least = Math.min(milliseconds, besides);
    expect(isCheap(least, again), `${least} ms, against ${again} ms of a plain loop`).toBe(true);
  });
});

test("the table contains every host function", async () => {
  const engine = await loadBuiltInEngine();
  const { world } = await import("../../src/sandbox/built/world");
  const none = new FetchRequests(undefined, DEFAULT_SANDBOX_LIMITS);
  const run = new ScriptRun(engine, getTemplate(engine, world), DEFAULT_SANDBOX_LIMITS, virtualHost(), none);
  expect([...run.hostFunctions.keys()].sort()).toEqual([...Object.keys(loops), ...once].sort());
});

describe("time limits around host calls", () => {
  const request = { method: "POST", url: "https://script.example/", headers: [], body: null };

  test("the time limit is checked around each host call, so a slow one is the last", async () => {
    let time = 0;
    let calls = 0;
    const random = (bytes: number) => {
      calls++;
      time += 6000;
      return new Uint8Array(bytes);
    };
    const host = { ...virtualHost(), now: () => new Date(time), random };
    const body = `for (;;) try { crypto.randomUUID() } catch {}`;
    const { failure } = await createSandbox({ threads: 0 }).run(script(body), { request, env: {} }, host);
    expect([failure?.kind, calls]).toEqual(["timeout", 2]);
  });
});

describe("expensive keys", () => {
  const member = (change: string) =>
    `const jwk = ${jwk(1024)}; ${change}; try { await crypto.subtle.importKey("jwk", jwk, ${rsa}, false, ["sign"]); return "taken" } catch (error) { return error.name }`;

  test("keys that would cost more than they seem to are rejected", async () => {
    expect(await value(member(""))).toBe("taken");
    expect(await value(member(`jwk.dp = jwk.n + jwk.n`))).toBe("DataError");
    expect(await value(member(`jwk.p = jwk.n`))).toBe("DataError");
    expect(await value(member(`jwk.d = jwk.n + "AAAA"`))).toBe("DataError");
    expect(await value(member(`jwk.e = jwk.n`))).toBe("DataError");
    expect(await value(member(`jwk.n = jwk.n.repeat(9)`))).toBe("DataError");
    expect(await value(member(`jwk.more = "x".repeat(9000)`))).toBe("DataError");
  });

  test("generating a key pair ends an event that has no steps for it", async () => {
    const body = `await crypto.subtle.generateKey({ ...${rsa}, modulusLength: 4096, publicExponent: new Uint8Array([1, 0, 1]) }, false, ["sign"])`;
    expect(await failure(body)).toBe("cpu");
  });

  test("more keys than an event may have are rejected", async () => {
    const body = `let made = 0; try { for (;;) { await crypto.subtle.importKey("raw", new Uint8Array(16), "AES-GCM", false, ["encrypt"]); made++ } } catch (error) { return [made, error.name] }`;
    expect(await value(body)).toEqual([200, "QuotaExceededError"]);
  });

  test("more pending bytes than allowed are rejected, and those within the limit are processed", async () => {
    const body = `const bytes = new Uint8Array(3e6); const all = await Promise.allSettled([1, 2, 3, 4].map(() => crypto.subtle.digest("SHA-1", bytes))); return all.map(({ status, reason }) => reason?.name ?? status)`;
    expect(await value(body)).toEqual(["fulfilled", "fulfilled", "QuotaExceededError", "QuotaExceededError"]);
  });
});

describe("overlong URLs", () => {
  test("a URL that is too long is invalid with the standard error", async () => {
    const body = `const host = ${letters(60_000)}; try { new URL("https://" + host) } catch (error) { return error.name + ": " + error.message }`;
    expect(await value(body)).toBe("TypeError: Invalid URL");
  });

  test("a URL cannot be made too long by setting its parts", async () => {
    const body = `const url = new URL("https://a.example/x"); url.hostname = ${letters(60_000)}; url.host = ${letters(300)}; url.pathname = "x".repeat(70000); return url.href`;
    expect(await value(body)).toBe("https://a.example/x");
    const short = `const url = new URL("https://a.example/x"); url.hostname = "b.example"; url.pathname = "/y z"; return url.href`;
    expect(await value(short)).toBe("https://b.example/y%20z");
  });

  test("a URL that is too long cannot be fetched", async () => {
    const asked: unknown[] = [];
    const fetch = (async (url: string) => {
      asked.push(url);
      return new Response();
    }) as typeof globalThis.fetch;
    const body = `try { await fetch("https://" + ${letters(300)}) } catch (error) { return error.name }`;
    expect([await value(body, { fetch }), asked]).toEqual(["TypeError", []]);
  });
});

test("a script within its limits is not prevented from answering", async () => {
  const body = `for (let at = 0; at < 1000; at++) new URL("https://bücher.example/" + at); return new Response("ok")`;
  expect((await call(script(body), { limits: { steps: 2 * STEPS } })).response?.status).toBe(200);
});
