// The guarded fetch against real servers: what it refuses, what it follows, and that it otherwise behaves like the
// platform's fetch.

import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { EgressError, guardedFetch } from "octavo/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { until } from "../../support/patience";
import { listen } from "../servers";
import { redirectTo, refusal, resolver, site } from "./servers";

const hello = (_req: unknown, res: { end(text: string): void }) => res.end("hello");

/** Never routed (the former 6bone), and of no special kind: a public address that no test can reach by accident. */
const PUBLIC = "3ffe::1";

describe("S1: private addresses", () => {
  test.each([
    "http://127.0.0.1",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0x7f.0.0.1",
    "http://0177.0.0.1",
    "http://017700000001",
    "http://127.0.0.1.",
    "http://1２7.0.0.1",
    "http://①②⑦.0.0.1",
    "http://127。0。0。1",
    "http://%31%32%37.0.0.1",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[0:0:0:0:0:ffff:7f00:1]",
    "http://[::127.0.0.1]",
    "http://[64:ff9b::127.0.0.1]",
    "http://[64:ff9b::7f00:1]",
    "http://[2002:7f00:1::]",
    "http://0.0.0.0",
    "http://0",
    "http://[::]",
    "http://localhost",
    "http://LOCALHOST",
  ])("%s does not reach this machine", async (origin) => {
    const { port, requests } = await site(hello);
    const error = await refusal(guardedFetch()(`${origin}:${port}/`));
    expect(error.reason).toBe("address");
    expect(requests).toHaveLength(0);
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data/", "cloud metadata"],
    ["http://[fd00:ec2::254]/latest/meta-data/", "cloud metadata"],
    ["http://2852039166/", "cloud metadata"],
    ["http://10.0.0.1/", "private"],
    ["https://192.168.1.1/", "private"],
    ["http://[fe80::1]/", "link-local"],
    ["http://100.64.0.1/", "shared (carrier-grade NAT)"],
    ["http://224.0.0.1/", "multicast"],
    ["http://255.255.255.255/", "reserved"],
  ])("%s is refused as %s", async (url, kind) => {
    const error = await refusal(guardedFetch()(url));
    expect(error.message).toBe(`The request to ${new URL(url).host} was refused: its address is ${kind}.`);
  });

  test.each(["http", "https"])(
    "a host name with a private address is refused over %s without revealing the address",
    async (scheme) => {
      const { lookup } = resolver(["10.1.2.3"]);
      const error = await refusal(guardedFetch({ lookup })(`${scheme}://wiki.corp.example/`));
      expect(error).toMatchObject({ name: "EgressError", host: "wiki.corp.example", reason: "address" });
      expect(error.message).toBe("The request to wiki.corp.example was refused: its address is private.");
    },
  );

  test.each([
    ["last", [PUBLIC, "10.0.0.1"]],
    ["first", ["::ffff:10.0.0.1", PUBLIC]],
  ])("a single forbidden address, as the %s, makes the host name forbidden", async (_, addresses) => {
    const { lookup } = resolver(addresses);
    expect((await refusal(guardedFetch({ lookup })("http://mixed.example/"))).reason).toBe("address");
  });

  test.each(["file:///etc/passwd", "ftp://example.com/", "data:text/plain,hello", "gopher://127.0.0.1:70/"])(
    "a request to %s is refused for its scheme",
    async (url) => {
      expect((await refusal(guardedFetch()(url))).reason).toBe("scheme");
    },
  );

  test("a URL with a password is refused without repeating it", async () => {
    const error = await refusal(guardedFetch()("http://ada:hunter2@example.com/"));
    expect(error.reason).toBe("credentials");
    expect(error.message).not.toContain("hunter2");
  });
});

describe("S2: DNS rebinding", () => {
  test("a host name is resolved once for a connection, which goes to the address that was checked", async () => {
    const { port, requests } = await site(hello);
    const { lookup, asked } = resolver([PUBLIC], ["127.0.0.1"]);
    const guarded = guardedFetch({ lookup, timeoutMs: 500 });
    const url = `http://rebind.example:${port}/`;
    const outcome = await guarded(url).catch((error: unknown) => error);
    // The public address is unreachable here: how the attempt ends is the network's affair.
    expect(outcome).toBeInstanceOf(Error);
    expect(outcome).not.toMatchObject({ reason: "address" });
    expect(asked).toEqual(["rebind.example"]);

    expect((await refusal(guarded(url))).reason).toBe("address");
    expect(asked).toHaveLength(2);
    expect(requests).toHaveLength(0);
  });

  test("a host name is checked again on every redirect", async () => {
    const { lookup, asked } = resolver(["127.0.0.1"]);
    const inner = await site(hello);
    const outer = await site(redirectTo(() => `http://rebind.example:${inner.port}/`));
    const guarded = guardedFetch({ lookup, allow: [`rebind.example:${outer.port}`] });
    expect((await refusal(guarded(`http://rebind.example:${outer.port}/`))).reason).toBe("address");
    expect(asked).toEqual(["rebind.example", "rebind.example"]);
    expect(inner.requests).toHaveLength(0);
  });
});

describe("S3: redirects", () => {
  test.each(["http://localhost", "http://127.0.0.1", "http://[::ffff:7f00:1]", "//2130706433"])(
    "a redirect to %s is refused",
    async (target) => {
      const inner = await site(hello);
      const outer = await site(redirectTo(`${target}:${inner.port}/`));
      const error = await refusal(guardedFetch({ allow: [outer.host] })(outer.origin));
      expect(error.reason).toBe("address");
      expect(inner.requests).toHaveLength(0);
    },
  );

  test.each([
    ["file:///etc/passwd", "scheme"],
    ["data:text/plain,hello", "scheme"],
    ["http://ada:hunter2@example.com/", "credentials"],
    ["http://[", "redirects"],
  ])("a redirect to %s is refused for its target", async (target, reason) => {
    const outer = await site(redirectTo(target));
    expect((await refusal(guardedFetch({ allow: [outer.host] })(outer.origin))).reason).toBe(reason);
  });

  test("redirects are followed up to the limit and no further", async () => {
    const loop = await site((req, res) => {
      const left = Number(req.url!.slice(1));
      if (left === 0) res.end("arrived");
      else redirectTo(`/${left - 1}`)(req, res);
    });
    const guarded = guardedFetch({ allow: [loop.host], maxRedirects: 3 });
    const response = await guarded(`${loop.origin}/3`);
    expect([await response.text(), response.url, response.redirected]).toEqual(["arrived", `${loop.origin}/0`, true]);
    const error = await refusal(guarded(`${loop.origin}/4`));
    expect(error.message).toBe(`The request to ${loop.host} was refused: it redirects more than 3 times.`);
    await until(() => expect(loop.open()).toBe(0));
  });

  test("redirects are not followed with redirect: manual, and are an error with redirect: error", async () => {
    const inner = await site(hello);
    const outer = await site(redirectTo(inner.origin));
    const guarded = guardedFetch({ allow: [inner.host, outer.host] });
    const manual = await guarded(outer.origin, { redirect: "manual" });
    expect([manual.status, manual.headers.get("location"), await manual.text()]).toEqual([302, inner.origin, "Moved."]);
    await expect(guarded(outer.origin, { redirect: "error" })).rejects.toThrow(TypeError);
    expect(inner.requests).toHaveLength(0);
  });

  test("a 3xx response without a location is returned as it is", async () => {
    const { origin, host } = await site((_req, res) => res.writeHead(302).end("where?"));
    const response = await guardedFetch({ allow: [host] })(origin);
    expect([response.status, await response.text()]).toEqual([302, "where?"]);
  });

  test("a stream is sent as it arrives and cannot be sent again after a redirect", async () => {
    const inner = await site((req, res) => req.pipe(res));
    const outer = await site(redirectTo(inner.origin, 307));
    const guarded = guardedFetch({ allow: [inner.host, outer.host] });
    const asStream = () => ({ method: "POST", body: new Blob(["one ", "two"]).stream(), duplex: "half" });
    expect(await (await guarded(inner.origin, asStream())).text()).toBe("one two");
    expect(inner.requests[0]!.headers).toMatchObject({ "transfer-encoding": "chunked" });
    await expect(guarded(outer.origin, asStream())).rejects.toThrow("redirected after its body was sent");
    expect(await (await guarded(outer.origin, { method: "POST", body: "whole" })).text()).toBe("whole");
    expect(inner.requests).toHaveLength(2);
  });

  const secrets = {
    authorization: "Bearer s",
    cookie: "s=1",
    "proxy-authorization": "s",
    "private-token": "s",
    "x-api-key": "s",
    "x-signature": "s",
  };

  test("a redirect to another origin drops the credentials and keeps all other headers", async () => {
    const inner = await site(hello);
    const outer = await site(redirectTo(inner.origin));
    const headers = { ...secrets, accept: "text/plain", "x-trace": "1" };
    await guardedFetch({ allow: [inner.host, outer.host] })(outer.origin, { headers });
    expect(outer.requests[0]!.headers).toMatchObject(headers);
    expect(inner.requests[0]!.headers).toMatchObject({ accept: "text/plain", "x-trace": "1" });
    for (const name of Object.keys(secrets)) expect(inner.requests[0]!.headers).not.toHaveProperty(name);
  });

  test("a redirect back to the first origin does not restore the credentials", async () => {
    const back = await site(redirectTo(() => `${home.origin}/back`));
    const home = await site((req, res) => (req.url === "/back" ? res.end("home") : redirectTo(back.origin)(req, res)));
    await guardedFetch({ allow: [home.host, back.host] })(home.origin, { headers: secrets });
    expect(home.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer s", undefined]);
  });

  test("a redirect within an origin keeps the credentials", async () => {
    const home = await site((req, res) => (req.url === "/b" ? res.end() : redirectTo("/b")(req, res)));
    await guardedFetch({ allow: [home.host] })(`${home.origin}/a`, { headers: secrets });
    expect(home.requests[1]!.headers).toMatchObject(secrets);
  });

  test.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [302, "PUT", "PUT", "payload"],
    [303, "PUT", "GET", ""],
    [307, "POST", "POST", "payload"],
    [308, "POST", "POST", "payload"],
  ])("status %i turns %s into %s", async (status, method, becomes, payload) => {
    const inner = await site((req, res) => void req.pipe(res));
    const outer = await site(redirectTo(inner.origin, status));
    const headers = { "content-type": "text/plain", "content-language": "en" };
    const guarded = guardedFetch({ allow: [inner.host, outer.host] });
    const response = await guarded(outer.origin, { method, headers, body: "payload" });
    expect(await response.text()).toBe(payload);
    expect(inner.requests[0]!.method).toBe(becomes);
    expect(inner.requests[0]!.headers["content-type"]).toBe(payload ? "text/plain" : undefined);
    expect(inner.requests[0]!.headers["content-language"]).toBe(payload ? "en" : undefined);
  });
});

describe("the allow list", () => {
  test.each([
    ["a host", () => "127.0.0.1"],
    ["a host with its port", (port: number) => `127.0.0.1:${port}`],
    ["another spelling of the host", (port: number) => `0x7f.1:${port}`],
  ])("the entry of the allow list opens %s", async (_, entry) => {
    const { origin, port } = await site(hello);
    const response = await guardedFetch({ allow: [entry(port)] })(origin);
    expect(await response.text()).toBe("hello");
  });

  test.each(["intranet", "INTRANET", "intranet."])(
    "the entry of the allow list opens the private address of the name %s",
    async (entry) => {
      const { port } = await site(hello);
      const { lookup } = resolver(["127.0.0.1"]);
      const guarded = guardedFetch({ allow: [entry], lookup });
      expect(await (await guarded(`http://intranet:${port}/`)).text()).toBe("hello");
      expect(await (await guarded(`http://Intranet.:${port}/`)).text()).toBe("hello");
    },
  );

  test("an IPv6 entry is accepted with and without brackets", async () => {
    const nothing = createServer();
    await new Promise<void>((resolve) => nothing.listen(0, "127.0.0.1", resolve));
    const { port } = nothing.address() as { port: number };
    await new Promise((resolve) => nothing.close(resolve));
    for (const entry of ["::1", "[::1]", `[::1]:${port}`]) {
      // Nobody listens there: it is the network that fails, not the guard.
      await expect(guardedFetch({ allow: [entry] })(`http://[::1]:${port}/`)).rejects.toThrow(TypeError);
    }
  });

  test("an entry with a port opens no other port, and an entry with a name opens no other name", async () => {
    const { origin, port } = await site(hello);
    const { lookup } = resolver(["127.0.0.1"]);
    for (const entry of [`127.0.0.1:${port + 1}`, "127.0.0.1:80", "intranet", "0.0.0.1"]) {
      expect((await refusal(guardedFetch({ allow: [entry], lookup })(origin))).reason).toBe("address");
    }
    for (const name of ["evil-intranet", "intranet.example", "a.intranet"]) {
      const guarded = guardedFetch({ allow: ["intranet"], lookup });
      expect((await refusal(guarded(`http://${name}:${port}/`))).reason).toBe("address");
    }
  });

  test("the default port matches an entry that names it", async () => {
    const guarded = guardedFetch({ allow: ["127.0.0.1:80"] });
    const outcome = await guarded("http://127.0.0.1/").catch((error: unknown) => error);
    expect(outcome).not.toBeInstanceOf(EgressError);
    expect((await refusal(guarded("https://127.0.0.1/"))).reason).toBe("address");
  });

  test.each(["", "http://intranet", "intranet/path", "a b", "host:port", "host:99999", "user@host", "[::1", "*.corp"])(
    "the invalid entry %j is rejected when the fetch is created",
    (entry) => {
      expect(() => guardedFetch({ allow: [entry] })).toThrow(TypeError);
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
});

describe("limits", () => {
  test("a response that never begins is aborted", async () => {
    const silent = await site(() => {});
    const error = await refusal(guardedFetch({ allow: [silent.host], timeoutMs: 100 })(silent.origin));
    expect(error.message).toBe(`The request to ${silent.host} was refused: it took longer than 100 ms.`);
    await until(() => expect(silent.open()).toBe(0));
  });

  test("a response that never ends is aborted, both while it is read and when it is not read", async () => {
    const dripping = await site((_req, res) => void res.write("drip"));
    // The time of the test, so that a busy machine gets to the beginning of an answer.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const guarded = guardedFetch({ allow: [dripping.host], timeoutMs: 100 });
    const read = refusal((await guarded(dripping.origin)).text());
    vi.advanceTimersByTime(100);
    expect((await read).reason).toBe("timeout");
    const unread = await guarded(dripping.origin);
    vi.advanceTimersByTime(100);
    await until(() => expect(dripping.open()).toBe(0));
    expect((await refusal(unread.text())).reason).toBe("timeout");
  });

  test("redirects share one time limit", async () => {
    const loop = await site(redirectTo("/"));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const guarded = guardedFetch({ allow: [loop.host], timeoutMs: 200, maxRedirects: Number.POSITIVE_INFINITY });
    const refused = refusal(guarded(loop.origin));
    await until(() => expect(loop.requests.length).toBeGreaterThan(1));
    vi.advanceTimersByTime(200);
    expect((await refused).reason).toBe("timeout");
  });

  test("a host name that never resolves is aborted", async () => {
    const guarded = guardedFetch({ lookup: () => {}, timeoutMs: 50 });
    expect((await refusal(guarded("http://never.example/"))).reason).toBe("timeout");
  });

  test("a connection that is never established is aborted long before the overall time limit", async () => {
    const unresolved = guardedFetch({ lookup: () => {}, connectMs: 50 });
    const told = "was refused: its connection took longer than 50 ms.";
    expect((await refusal(unresolved("http://never.example/"))).message).toContain(told);
    // It takes the connection, and never answers the hello of TLS.
    const deaf = createServer((socket) => void socket.on("error", () => {}).resume());
    const port = await listen(deaf);
    const guarded = guardedFetch({ allow: [`127.0.0.1:${port}`], connectMs: 50 });
    expect((await refusal(guarded(`https://127.0.0.1:${port}/`))).message).toContain(told);
  });

  test("an established connection without a response has its own time limit", async () => {
    const silent = await site(() => {});
    const guarded = guardedFetch({ allow: [silent.host], connectMs: 200, firstByteMs: 600 });
    const { message } = await refusal(guarded(silent.origin));
    expect(message).toContain("was refused: the beginning of its answer took longer than 600 ms.");
    await until(() => expect(silent.open()).toBe(0));
  });

  test("a response that stalls is aborted, and a slow reader is not", async () => {
    const halting = await site((_req, res) => void res.write("half"));
    const error = await guardedFetch({ allow: [halting.host], betweenBytesMs: 50 })(halting.origin).then((response) =>
      refusal(response.text()),
    );
    expect(error.message).toContain("was refused: the next piece of its answer took longer than 50 ms.");
    await until(() => expect(halting.open()).toBe(0));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { origin, host } = await site((_req, res) => res.end("x".repeat(1_000_000)));
    const response = await guardedFetch({ allow: [host], betweenBytesMs: 1000 })(origin);
    const reader = response.body!.getReader();
    let size = (await reader.read()).value!.length;
    await vi.advanceTimersByTimeAsync(1500);
    for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.length;
    expect(size).toBe(1_000_000);
  });

  test.each([
    ["says so", (res: ServerResponse) => res.writeHead(200, { "content-length": 1001 }).write("x")],
    ["does not say so", (res: ServerResponse) => res.write("x".repeat(1001))],
    [
      "is compressed",
      (res: ServerResponse) => res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(1_000_000))),
    ],
  ])("a response over the size limit is cut when it %s", async (_, answer) => {
    const large = await site((_req, res) => void answer(res));
    const guarded = guardedFetch({ allow: [large.host], maxBytes: 1000 });
    const error = await refusal(guarded(large.origin).then((response) => response.text()));
    expect(error.message).toBe(`The request to ${large.host} was refused: its answer is larger than 1000 bytes.`);
    await until(() => expect(large.open()).toBe(0));
  });

  test("a response of exactly the size limit is read", async () => {
    const { origin, host } = await site((_req, res) => res.end("x".repeat(1000)));
    const response = await guardedFetch({ allow: [host], maxBytes: 1000 })(origin);
    expect(await response.text()).toHaveLength(1000);
  });

  test("a reader may pause after the response has arrived in time", async () => {
    const { origin, host } = await site(hello);
    const controller = new AbortController();
    const response = await guardedFetch({ allow: [host] })(origin, { signal: controller.signal });
    expect(await response.text()).toBe("hello");
    controller.abort();
    expect(response.status).toBe(200);
  });
});

describe("compatibility with fetch", () => {
  test("the response is a Response with its headers and URL", async () => {
    const { origin, host } = await site((_req, res) => {
      res.writeHead(201, "Made", { "x-one": "1", "set-cookie": ["a=1", "b=2"] }).end('{"a":1}');
    });
    const response = await guardedFetch({ allow: [host] })(new URL(`${origin}/path?q=1`));
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.statusText, response.ok]).toEqual([201, "Made", true]);
    expect([response.url, response.redirected]).toEqual([`${origin}/path?q=1`, false]);
    expect([response.headers.get("x-one"), response.headers.getSetCookie()]).toEqual(["1", ["a=1", "b=2"]]);
    expect(await response.json()).toEqual({ a: 1 });
  });

  test("a Request is accepted, and init overrides it", async () => {
    const { origin, host, requests } = await site((req, res) => void req.pipe(res));
    const request = new Request(origin, { method: "POST", headers: { "x-a": "1" }, body: "from the request" });
    const guarded = guardedFetch({ allow: [host] });
    expect(await (await guarded(request.clone())).text()).toBe("from the request");
    expect(await (await guarded(request, { method: "PUT", body: "from init" })).text()).toBe("from init");
    expect(requests.map(({ method }) => method)).toEqual(["POST", "PUT"]);
    expect(requests[0]!.headers).toMatchObject({ "x-a": "1", "content-length": "16" });
  });

  test("a request body may be a stream", async () => {
    const { origin, host } = await site((req, res) => void req.pipe(res));
    const body = new Blob(["a", "b", "c"]).stream();
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    expect(await (await guardedFetch({ allow: [host] })(origin, init)).text()).toBe("abc");
  });

  test.each([204, 205, 304])("a response with the status %i has no body", async (status) => {
    const { origin, host, open } = await site((_req, res) => void res.writeHead(status).end());
    const response = await guardedFetch({ allow: [host] })(origin);
    expect([response.status, response.body]).toEqual([status, null]);
    await until(() => expect(open()).toBe(0));
  });

  test("the response to HEAD has headers and an empty body", async () => {
    const { origin, host } = await site((_req, res) => void res.writeHead(200, { "content-length": 9 }).end());
    const response = await guardedFetch({ allow: [host] })(origin, { method: "HEAD" });
    expect([response.headers.get("content-length"), await response.text()]).toEqual(["9", ""]);
  });

  test("a compressed response is decompressed", async () => {
    const { origin, host } = await site((_req, res) => {
      res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("plain"));
    });
    expect(await (await guardedFetch({ allow: [host] })(origin)).text()).toBe("plain");
  });

  test("abort ends the request and the reading of the response", async () => {
    const silent = await site((req, res) => void (req.url === "/drip" && res.write("drip")));
    const guarded = guardedFetch({ allow: [silent.host] });
    const reason = new Error("no longer wanted");
    await expect(guarded(silent.origin, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(silent.requests).toHaveLength(0);

    const waiting = new AbortController();
    const answer = guarded(silent.origin, { signal: waiting.signal });
    await until(() => expect(silent.requests).toHaveLength(1));
    waiting.abort(reason);
    await expect(answer).rejects.toBe(reason);

    const reading = new AbortController();
    const response = await guarded(new Request(`${silent.origin}/drip`, { signal: reading.signal }));
    const text = response.text();
    reading.abort(reason);
    await expect(text).rejects.toBe(reason);
    await until(() => expect(silent.open()).toBe(0));
  });

  test("an abandoned response closes its connection", async () => {
    const { origin, host, open } = await site((_req, res) => void res.write("drip"));
    const response = await guardedFetch({ allow: [host] })(origin);
    await response.body!.cancel();
    await until(() => expect(open()).toBe(0));
  });

  test("a network failure is a TypeError with a cause", async () => {
    const { origin, host } = await site((req) => void req.socket.destroy());
    const error = await guardedFetch({ allow: [host] })(origin).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({
      message: `The request to ${host} failed: it broke off the connection.`,
      cause: { code: "ECONNRESET" },
    });
  });

  test("a truncated response is never taken for a complete one", async () => {
    const { origin, host } = await site((req, res) => {
      res.writeHead(200, { "content-length": 10 });
      res.write("half", () => req.socket.destroy());
    });
    const response = await guardedFetch({ allow: [host] })(origin);
    await expect(response.text()).rejects.toThrow();
  });

  test("a status that no Response can have is an error and leaves no connection open", async () => {
    const { origin, host, open } = await site((_req, res) => void res.writeHead(999).write("x"));
    await expect(guardedFetch({ allow: [host] })(origin)).rejects.toThrow();
    await until(() => expect(open()).toBe(0));
  });

  test("callers cannot set connection headers", async () => {
    const { origin, host, requests } = await site(hello);
    const headers = { host: "elsewhere.example", "transfer-encoding": "chunked", "content-length": "5" };
    await guardedFetch({ allow: [host] })(origin, { headers });
    expect(requests[0]!.headers.host).toBe(host);
    expect(requests[0]!.headers).not.toHaveProperty("transfer-encoding");
    expect(requests[0]!.headers).not.toHaveProperty("content-length");
  });
});
