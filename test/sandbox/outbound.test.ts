// What a script can reach: what the host's fetch lets it reach, as often and as much as the limits say.

import { guardedFetch } from "octavo/node";
import { describe, expect, test } from "vitest";
import { call, script, value } from "./events";

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
}

/** A network of one host, and what was asked of it. */
function network(answer: (asked: Asked) => Response | Promise<Response>) {
  const asked: Asked[] = [];
  const fetch = (async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return answer({ url, init });
  }) as typeof globalThis.fetch;
  return { fetch, asked };
}

/** What an expression is rejected with. */
const rejection = (expression: string) =>
  `try { await ${expression}; return "nothing" } catch (error) { return error.name + ": " + error.message }`;

describe("fetch", () => {
  test("fetch sends what the script says and returns the response", async () => {
    const { fetch, asked } = network(
      () =>
        new Response("grüße", {
          status: 418,
          statusText: "Teapot",
          headers: { "x-a": "1", "content-type": "text/plain" },
        }),
    );
    const body = `const response = await fetch("https://a.example/x?y", { method: "POST", body: "ü", headers: { "X-Mine": "2", Host: "b.example", "Content-Length": "7", Connection: "close", "Transfer-Encoding": "chunked" } });
      return [response.status, response.statusText, response.ok, response.headers.get("x-a"), await response.text()]`;
    expect(await value(body, { fetch })).toEqual([418, "Teapot", false, "1", "grüße"]);
    const [{ url, init }] = asked as [Asked];
    expect([url, init.method, init.redirect]).toEqual(["https://a.example/x?y", "POST", "follow"]);
    expect(init.headers).toEqual([
      ["content-type", "text/plain;charset=UTF-8"],
      ["x-mine", "2"],
    ]);
    expect(new TextDecoder().decode(init.body as Uint8Array)).toBe("ü");
  });

  test("fetch accepts a Request, JSON, bytes and a response without a body", async () => {
    const { fetch, asked } = network(({ init }) =>
      init.method === "GET" ? Response.json({ a: 1 }) : new Response(null, { status: 204 }),
    );
    const body = `const first = await (await fetch(new Request("https://a.example/", { headers: { a: "b" } }))).json();
      const second = await fetch("https://a.example/", { method: "DELETE", redirect: "manual" });
      return [first, second.status, second.body, await second.text()]`;
    expect(await value(body, { fetch })).toEqual([{ a: 1 }, 204, null, ""]);
    expect(asked.map(({ init }) => init.redirect)).toEqual(["follow", "manual"]);
  });

  test("fetch does not reveal why the network refused", async () => {
    const fetch = (async () => {
      throw new Error("connect ECONNREFUSED 10.0.0.7:5432, password hunter2");
    }) as unknown as typeof globalThis.fetch;
    expect(await value(rejection(`fetch("https://a.example/")`), { fetch })).toBe("TypeError: The request failed.");
  });

  test("fetch fails where the host provides none", async () => {
    expect(await value(rejection(`fetch("https://a.example/")`))).toBe("TypeError: Nothing can be fetched here.");
  });

  test.each([
    "file:///etc/passwd",
    "data:text/plain,x",
    "blob:https://a.example/1",
    "ftp://a.example/",
    "javascript:1",
  ])("fetch rejects %s", async (url) => {
    const { fetch, asked } = network(() => new Response());
    expect(await value(rejection(`fetch("${url}")`), { fetch })).toBe("TypeError: Only http and https can be fetched.");
    expect(asked).toEqual([]);
  });

  test("fetch is aborted by the script's signal", async () => {
    let wasAborted = false;
    const { fetch } = network(
      ({ init }) =>
        new Promise<Response>((_, reject) => {
          init.signal!.addEventListener("abort", () => {
            wasAborted = true;
            reject(new Error("aborted"));
          });
        }),
    );
    expect(await value(rejection(`fetch("https://a.example/", { signal: AbortSignal.timeout(20) })`), { fetch })).toBe(
      "TimeoutError: The time is over.",
    );
    expect(wasAborted).toBe(true);
    expect(await value(rejection(`fetch("https://a.example/", { signal: AbortSignal.abort() })`), { fetch })).toBe(
      "AbortError: This was aborted.",
    );
  });

  test("fetch ends with the run, which does not wait forever", async () => {
    const signals: AbortSignal[] = [];
    const { fetch } = network(({ init }) => {
      signals.push(init.signal!);
      return new Promise<Response>(() => {});
    });
    const stalled = await call(script(`await fetch("https://a.example/"); return new Response()`), { fetch });
    expect(stalled.failure?.kind).toBe("timeout");
    const left = await call(script(`void fetch("https://a.example/"); return new Response()`), { fetch });
    expect(left.response?.status).toBe(200);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test("fetch treats a redirect as an error if the script says so", async () => {
    const { fetch } = network(() => new Response(null, { status: 302, headers: { location: "https://b.example/" } }));
    expect(await value(rejection(`fetch("https://a.example/", { redirect: "error" })`), { fetch })).toBe(
      "TypeError: The request was redirected.",
    );
  });

  test("S3: fetch reaches no private address through the guarded fetch, however it is spelled", async () => {
    const urls = [
      "http://127.0.0.1/",
      "http://localhost/",
      "http://[::1]/",
      "http://0x7f.1/",
      "http://169.254.169.254/latest/meta-data/",
      "http://10.0.0.1/",
      "http://[::ffff:127.0.0.1]/",
      "http://2130706433/",
    ];
    const body = `return Promise.all(${JSON.stringify(urls)}.map((url) => fetch(url).then(() => "reached", (error) => error.message)))`;
    expect(await value(body, { fetch: guardedFetch(), isReal: true })).toEqual(urls.map(() => "The request failed."));
  });
});

describe("limits of fetch", () => {
  test("the number of requests is limited", async () => {
    const { fetch, asked } = network(() => new Response("x"));
    const body = `const all = await Promise.allSettled(Array.from({ length: 2000 }, () => fetch("https://a.example/")));
      return [all.filter(({ status }) => status === "fulfilled").length, all.at(-1).reason.message]`;
    expect(await value(body, { fetch })).toEqual([50, "An event makes 50 requests at most."]);
    expect(asked.length).toBe(50);
  });

  test("the number of simultaneous requests is limited", async () => {
    let now = 0;
    let most = 0;
    const { fetch } = network(async () => {
      most = Math.max(most, ++now);
      await new Promise((done) => setImmediate(done));
      now--;
      return new Response("x");
    });
    await value(`await Promise.all(Array.from({ length: 30 }, () => fetch("https://a.example/")))`, {
      fetch,
      limits: { requestsAtOnce: 3 },
    });
    expect(most).toBe(3);
  });

  test("the number of sent bytes is limited", async () => {
    const { fetch, asked } = network(() => new Response());
    const body = `const send = () => fetch("https://a.example/", { method: "POST", body: "x".repeat(600) }).then(() => "sent", (error) => error.message); return [await send(), await send()]`;
    expect(await value(body, { fetch, limits: { sentBytes: 1000 } })).toEqual([
      "sent",
      "An event sends 1000 bytes at most.",
    ]);
    expect(asked.length).toBe(1);
  });

  test("the number of received bytes is limited for an endless body", async () => {
    let isCancelled = false;
    const endless = () =>
      new ReadableStream({
        pull: (stream) => stream.enqueue(new Uint8Array(400)),
        cancel: () => {
          isCancelled = true;
        },
      });
    const { fetch } = network(() => new Response(endless()));
    expect(await value(rejection(`fetch("https://a.example/")`), { fetch, limits: { receivedBytes: 1000 } })).toBe(
      "TypeError: An event receives 1000 bytes at most.",
    );
    expect(isCancelled).toBe(true);
  });

  test("the size of headers is limited", async () => {
    const { fetch, asked } = network(() => new Response());
    expect(
      await value(rejection(`fetch("https://a.example/", { headers: { a: "x".repeat(40000) } })`), { fetch }),
    ).toBe("TypeError: The headers cannot be sent.");
    expect(asked).toEqual([]);
  });
});

describe("work after the response", () => {
  test("a run waits for promises passed to waitUntil", async () => {
    const { fetch, asked } = network(() => new Response());
    const { response, logs } = await call(
      script(
        `context.waitUntil((async () => { await fetch("https://a.example/"); console.log("done") })()); return new Response("early")`,
      ),
      { fetch },
    );
    expect([response?.status, asked.length, logs.map(({ message }) => message)]).toEqual([200, 1, ["done"]]);
  });

  test("an error, a loop or an endless wait after the response is in the trace, and the response stands", async () => {
    const ending = async (work: string) => {
      const { response, logs } = await call(
        script(`context.waitUntil((async () => { ${work} })()); return new Response("early")`),
        { limits: { steps: 20_000_000 } },
      );
      return [response?.status, logs.map(({ level, message }) => `${level} ${message.split("\n")[0]}`)];
    };
    expect(await ending(`throw new Error("too late")`)).toEqual([200, ["error Error: too late"]]);
    expect(await ending(`await 1; await 1; await 1; await 1; await 1; await 1; for (;;);`)).toEqual([
      200,
      ["error After the answer: The script exceeded the CPU limit for an event."],
    ]);
    expect(await ending(`await new Promise(() => {})`)).toEqual([
      200,
      ["error After the answer: The script is waiting for a promise that never resolves."],
    ]);
  });
});
