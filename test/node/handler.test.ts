// The Node door over real sockets: what goes in and out of node:http, Express and Fastify.

import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import express from "express";
import fastify from "fastify";
import { type AuthenticationRequest, createDocsApi, type DocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { type NodeHandlerOptions, nodeHandler } from "octavo/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { BodyDeadline } from "../../src/utils/concurrency/body-deadline";
import { until } from "../support/patience";
import { afterwards, dial, docs, listen, portOf, serve } from "./servers";

const json = { "content-type": "application/json" };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The head of a request whose body comes in pieces. */
const inPieces = (authorization: string) => [
  "POST /v1/orgs HTTP/1.1",
  "host: x",
  `authorization: ${authorization}`,
  "content-type: application/json",
  "transfer-encoding: chunked",
];

describe("requests and responses", () => {
  test("GET over node:http returns what fetch returns, with Content-Length", async () => {
    const { api, organization, authorization } = await docs();
    const origin = await serve(nodeHandler(api));
    const path = `/v1/orgs/${organization}`;
    const response = await fetch(origin + path, { headers: { authorization } });
    const body = await response.text();
    const same = await api.fetch(new Request(`http://localhost${path}`, { headers: { authorization } }));
    expect(response.status).toBe(200);
    expect(body).toBe(await same.text());
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("etag")).toBe(same.headers.get("etag"));
  });

  test("the body of a POST is read and answered", async () => {
    const { api, authorization } = await docs();
    const origin = await serve(nodeHandler(api));
    const body = JSON.stringify({ title: "Überschrift 🚀" });
    const response = await fetch(`${origin}/v1/orgs`, { method: "POST", headers: { ...json, authorization }, body });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ object: "organization", title: "Überschrift 🚀" });
  });

  test("a body that arrives in many pieces is joined", async () => {
    const { api, authorization } = await docs();
    const { head, socket, receives } = dial(portOf(await serve(nodeHandler(api))));
    head(...inPieces(authorization));
    for (const byte of Buffer.from(JSON.stringify({ title: "Größe" }))) {
      socket.write("1\r\n");
      socket.write(Buffer.of(byte));
      socket.write("\r\n");
    }
    socket.write("0\r\n\r\n");
    expect(await receives("urls")).toContain("HTTP/1.1 201 Created");
  });

  test("a response without a body has no Content-Length, and the connection stays open", async () => {
    const { api } = await docs();
    const { head, receives } = dial(portOf(await serve(nodeHandler(api))));
    head("OPTIONS /v1/orgs HTTP/1.1", "host: x");
    const first = await receives("\r\n\r\n");
    expect(first).toContain("HTTP/1.1 204 No Content");
    expect(first.toLowerCase()).not.toContain("content-length");
    expect(first.toLowerCase()).not.toContain("transfer-encoding");
    head("GET /v1/ HTTP/1.1", "host: x");
    expect(await receives('"version"')).toContain("HTTP/1.1 200 OK");
  });

  test("a resource that the client already has is answered with 304 and no body", async () => {
    const { api, organization, authorization } = await docs();
    const origin = await serve(nodeHandler(api));
    const url = `${origin}/v1/orgs/${organization}`;
    const etag = (await fetch(url, { headers: { authorization } })).headers.get("etag")!;
    const response = await fetch(url, { headers: { authorization, "if-none-match": etag } });
    expect([response.status, await response.text()]).toEqual([304, ""]);
  });

  test("HEAD has the headers of GET, including Content-Length, and no body", async () => {
    const { api, organization, authorization } = await docs();
    const origin = await serve(nodeHandler(api));
    const url = `${origin}/v1/orgs/${organization}`;
    const get = await fetch(url, { headers: { authorization, "x-request-id": "same" } });
    const head = await fetch(url, { method: "HEAD", headers: { authorization, "x-request-id": "same" } });
    const headersOf = ({ headers }: Response) =>
      [...headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name));
    expect(head.status).toBe(200);
    expect(headersOf(head)).toEqual(headersOf(get));
    expect(Number(head.headers.get("content-length"))).toBe((await get.text()).length);
    expect(await head.text()).toBe("");
  });

  test("request headers reach the API, and response headers reach the client", async () => {
    const seen: Record<string, string | null> = {};
    const authenticate = ({ headers }: AuthenticationRequest) => {
      for (const name of ["Cookie", "X-Many", "x-absent", "constructor", "__proto__"]) seen[name] = headers.get(name);
      return null;
    };
    const api = createDocsApi(memoryStorage(), { authenticate, cors: { origins: ["https://app.example"] } });
    const { head, receives } = dial(portOf(await serve(nodeHandler(api))));
    head(
      "GET /v1/user HTTP/1.1",
      "host: x",
      "cookie: a=1",
      "x-many: 1",
      "X-Many: 2",
      "x-request-id: mine-1",
      "origin: https://app.example",
    );
    const answer = await receives("\r\n\r\n");
    expect(seen).toEqual({ Cookie: "a=1", "X-Many": "1, 2", "x-absent": null, constructor: null, __proto__: null });
    expect(answer).toContain("HTTP/1.1 401");
    expect(answer).toMatch(/^x-request-id: mine-1\r$/im);
    expect(answer).toMatch(/^www-authenticate: Bearer\r$/im);
    expect(answer).toMatch(/^access-control-allow-origin: https:\/\/app\.example\r$/im);
  });

  test("headers that the host set on the response are kept", async () => {
    const { api } = await docs();
    const handler = nodeHandler(api);
    const origin = await serve((req, res) => {
      res.setHeader("x-host", "here");
      handler(req, res);
    });
    const response = await fetch(`${origin}/v1/`);
    expect([response.headers.get("x-host"), response.status]).toEqual(["here", 200]);
  });

  test("many simultaneous requests each get their own response", async () => {
    const { api, authorization } = await docs();
    const origin = await serve(nodeHandler(api));
    const titles = Array.from({ length: 60 }, (_, i) => `Number ${i}`);
    const answers = await Promise.all(
      titles.map(async (title) => {
        const body = JSON.stringify({ title });
        const response = await fetch(`${origin}/v1/orgs`, {
          method: "POST",
          headers: { ...json, authorization },
          body,
        });
        return ((await response.json()) as { title: string }).title;
      }),
    );
    expect(answers).toEqual(titles);
  });

  test("pipelined requests in one packet are answered in order", async () => {
    const { api } = await docs();
    const { socket, ends } = dial(portOf(await serve(nodeHandler(api))));
    const ask = (id: string, last = "") => `GET /v1/ HTTP/1.1\r\nhost: x\r\nx-request-id: ${id}\r\n${last}\r\n`;
    socket.write(ask("one") + ask("two") + ask("three", "connection: close\r\n"));
    const ids = [...(await ends()).matchAll(/x-request-id: (\w+)/gi)].map((match) => match[1]);
    expect(ids).toEqual(["one", "two", "three"]);
  });

  test("the handler works without the object it was created from", async () => {
    const { api } = await docs();
    const doors = { handler: nodeHandler(api) };
    const { handler } = doors;
    const origin = await serve((...both) => handler(...both));
    expect((await fetch(`${origin}/v1/`)).status).toBe(200);
  });
});

describe("slow bodies", () => {
  const times = { toFake: ["setTimeout", "clearTimeout", "performance"] } as const;

  test("a slow body is refused after half a minute and the connection is closed, whoever sends it", async () => {
    vi.useFakeTimers({ toFake: [...times.toFake] });
    const { api, authorization } = await docs();
    const { head, socket, receives, ends } = dial(portOf(await serve(nodeHandler(api))));
    head(...inPieces(authorization), "expect: 100-continue");
    await receives("100 Continue");
    socket.write("1\r\n{\r\n");
    let answer = "";
    void receives('"body_too_slow"').then((received) => {
      answer = received;
    });
    await until(() => {
      vi.advanceTimersByTime(30_000);
      expect(answer).not.toBe("");
    });
    expect(answer).toContain("HTTP/1.1 408");
    expect(answer).toMatch(/^connection: close\r$/im);
    await until(() => {
      vi.advanceTimersByTime(5_000);
      expect(socket.readyState).not.toBe("open");
    });
    await ends();
  });

  test("a slow body gets more time the more of it has arrived", async () => {
    vi.useFakeTimers({ toFake: [...times.toFake] });
    let missed = 0;
    const miss = () => {
      missed++;
    };
    const deadline = new BodyDeadline(miss);
    deadline.addReceivedBytes(64 * 1024);
    vi.advanceTimersByTime(31_999);
    expect(missed).toBe(0);
    vi.advanceTimersByTime(1);
    expect(missed).toBe(1);
    const other = new BodyDeadline(miss);
    other.clear();
    vi.advanceTimersByTime(100_000);
    expect(missed).toBe(1);
  });

  test("fetch refuses a slow body too, and cancels its stream", async () => {
    vi.useFakeTimers({ toFake: [...times.toFake] });
    const { api, authorization } = await docs();
    const cancelled = vi.fn();
    const pulled = vi.fn();
    const body = new ReadableStream({ pull: () => pulled(), cancel: () => cancelled() }, { highWaterMark: 0 });
    const headers = { authorization, ...json };
    const init = { method: "POST", headers, body, duplex: "half" };
    const answer = api.fetch(new Request("http://localhost/v1/orgs", init));
    await until(() => expect(pulled).toHaveBeenCalled());
    vi.advanceTimersByTime(30_000);
    const response = await answer;
    expect([response.status, (await response.json()).error.reason]).toEqual([408, "body_too_slow"]);
    expect(cancelled).toHaveBeenCalledTimes(1);
  });
});

describe("bodies over the limit", () => {
  test("a body over the limit is refused by its Content-Length before it is sent", async () => {
    const { api, authorization } = await docs({ maxBodyBytes: 1000 });
    const { head, receives } = dial(portOf(await serve(nodeHandler(api))));
    head(
      "POST /v1/orgs HTTP/1.1",
      "host: x",
      `authorization: ${authorization}`,
      "content-type: application/json",
      "content-length: 100000000",
    );
    const answer = await receives('"body_too_large"');
    expect(answer).toContain("HTTP/1.1 413");
    expect(answer).toMatch(/^connection: close\r$/im);
  });

  test("a refused body is read for five seconds after the response, and then the connection is closed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { api } = await docs();
    const { head, receives, ends } = dial(portOf(await serve(nodeHandler(api))));
    head("POST /v1/orgs HTTP/1.1", "host: x", "content-length: 100000000");
    await receives('"unauthorized"');
    vi.advanceTimersByTime(5_000);
    await ends();
  });

  test("a streamed body is refused as soon as it exceeds the limit, while the client is still sending", async () => {
    const { api, authorization } = await docs({ maxBodyBytes: 1000 });
    const { head, socket, receives } = dial(portOf(await serve(nodeHandler(api))));
    head(...inPieces(authorization));
    socket.write(`3e8\r\n${" ".repeat(1000)}\r\n`);
    socket.write("1\r\n \r\n");
    expect(await receives('"body_too_large"')).toContain("HTTP/1.1 413");
  });

  test("a client that sends its whole body before it reads still gets the refusal", async () => {
    const { api, authorization } = await docs({ maxBodyBytes: 1000 });
    const { head, socket, receives, ends } = dial(portOf(await serve(nodeHandler(api))));
    head(...inPieces(authorization));
    socket.pause();
    const megabyte = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x100000, " "), Buffer.from("\r\n")]);
    for (let i = 0; i < 30; i++) {
      if (!socket.write(megabyte)) await new Promise((resolve) => socket.once("drain", resolve));
    }
    socket.write("0\r\n\r\n");
    socket.resume();
    expect(await receives('"body_too_large"')).toContain("HTTP/1.1 413");
    await ends();
  });

  test.each([
    ["with a content-length", (bytes: Buffer) => bytes],
    ["without one", (bytes: Buffer) => new Blob([bytes as Buffer<ArrayBuffer>]).stream()],
  ])("fetch understands the refusal of a body, %s", async (_, bodyOf) => {
    const { api, authorization } = await docs({ maxBodyBytes: 100_000 });
    const origin = await serve(nodeHandler(api));
    const body = bodyOf(Buffer.alloc(300_000, " "));
    const init = { method: "POST", headers: { ...json, authorization }, body, duplex: "half" };
    const response = await fetch(`${origin}/v1/orgs`, init as RequestInit);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { reason: "body_too_large" } });
  });

  test("a refused body that arrived completely does not cost the connection", async () => {
    const { api, authorization } = await docs({ maxBodyBytes: 1000 });
    const { head, socket, receives } = dial(portOf(await serve(nodeHandler(api))));
    socket.cork();
    head(...inPieces(authorization));
    socket.write(`7d0\r\n${" ".repeat(2000)}\r\n0\r\n\r\n`);
    socket.uncork();
    await receives('"body_too_large"');
    head("GET /v1/ HTTP/1.1", "host: x");
    expect(await receives('"version"')).toContain("HTTP/1.1 200 OK");
  });

  test("a body of exactly the limit is accepted", async () => {
    const { api, authorization } = await docs({ maxBodyBytes: 1000 });
    const origin = await serve(nodeHandler(api));
    const body = JSON.stringify({ title: "Just right" }).padEnd(1000);
    const response = await fetch(`${origin}/v1/orgs`, { method: "POST", headers: { ...json, authorization }, body });
    expect(response.status).toBe(201);
  });
});

describe("misbehaving clients", () => {
  test("a request without a token is refused before its body arrives", async () => {
    const { api } = await docs();
    const { head, receives } = dial(portOf(await serve(nodeHandler(api))));
    head("POST /v1/orgs HTTP/1.1", "host: x", "content-type: application/json", "transfer-encoding: chunked");
    expect(await receives('"unauthorized"')).toContain("HTTP/1.1 401");
  });

  test("a client that disconnects within its body disturbs no one and is not a server error", async () => {
    const errors: unknown[] = [];
    const { api, authorization } = await docs({ onError: (error) => errors.push(error) });
    const handled: Promise<unknown>[] = [];
    const watched: Pick<DocsApi, "handle"> = {
      handle(request) {
        const answer = api.handle(request);
        handled.push(answer);
        return answer;
      },
    };
    const origin = await serve(nodeHandler(watched));
    const { head, socket, receives } = dial(portOf(origin));
    head(
      "POST /v1/orgs HTTP/1.1",
      "host: x",
      `authorization: ${authorization}`,
      "content-type: application/json",
      "content-length: 100",
      "expect: 100-continue",
    );
    await receives("HTTP/1.1 100 Continue");
    socket.write('{"title":');
    socket.resetAndDestroy();
    await until(() => expect(handled).toHaveLength(1));
    expect(await handled[0]).toMatchObject({ status: 400 });
    expect(errors).toEqual([]);
    expect((await fetch(`${origin}/v1/`)).status).toBe(200);
  });

  test("a client that disconnects before its body is read does not leave the request hanging", async () => {
    const { api, authorization } = await docs();
    let answered: Promise<unknown> | undefined;
    const origin = await serve((req, res) => {
      req.on("close", () => {
        const late: Pick<DocsApi, "handle"> = {
          handle(request) {
            const answer = api.handle(request);
            answered = answer;
            return answer;
          },
        };
        nodeHandler(late)(req, res);
      });
    });
    const { head, socket } = dial(portOf(origin));
    head(
      "POST /v1/orgs HTTP/1.1",
      "host: x",
      `authorization: ${authorization}`,
      "content-type: application/json",
      "content-length: 100",
      "expect: 100-continue",
    );
    socket.once("data", () => socket.resetAndDestroy());
    await until(() => expect(answered).toBeDefined());
    expect(await answered).toMatchObject({ status: 400 });
  });

  test.each([
    ["a request that is no HTTP", "what?\r\n\r\n", "400 Bad Request"],
    [
      "two lengths that differ",
      "POST /v1/orgs HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
      "400",
    ],
    [
      "a length beside chunks",
      "POST /v1/orgs HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
      "400",
    ],
    ["a path with broken encoding", "GET /v1/orgs/%zz HTTP/1.1\r\nhost: x\r\nauthorization: TOKEN\r\n\r\n", "400"],
    ["a path outside the API", "GET /v2/orgs HTTP/1.1\r\nhost: x\r\n\r\n", "404"],
    ["a path with two slashes in front", "GET //v1/orgs HTTP/1.1\r\nhost: x\r\n\r\n", "400"],
    ["a target that is no path", "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n", "400"],
    ["a method that nothing takes", "PURGE /v1/orgs HTTP/1.1\r\nhost: x\r\n\r\n", "405"],
    ["an absolute target", "GET http://X/v1/ HTTP/1.1\r\nhost: x\r\n\r\n", "200"],
    ["an absolute target of another host", "GET http://elsewhere/v1/ HTTP/1.1\r\nhost: x\r\n\r\n", "400"],
  ])("%s is answered, and so is the next request", async (_, raw, status) => {
    const { api, authorization } = await docs();
    const origin = await serve(nodeHandler(api));
    const { socket, receives } = dial(portOf(origin));
    socket.write(raw.replace("TOKEN", authorization));
    expect(await receives("\r\n\r\n")).toContain(`HTTP/1.1 ${status}`);
    expect((await fetch(`${origin}/v1/`)).status).toBe(200);
  });
});

describe("misbehaving hosts", () => {
  test.each([
    ["rejects", async () => Promise.reject(new Error("secret"))],
    [
      "throws",
      () => {
        throw new Error("secret");
      },
    ],
    ["answers with a header that HTTP forbids", async () => ({ status: 200, headers: { "x-a": "a\nb" }, body: "{}" })],
  ])("an API that %s is answered with a masked 500", async (_, handle) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const origin = await serve(nodeHandler({ handle }));
    const response = await fetch(`${origin}/v1/`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { code: 500, reason: "internal", message: expect.stringContaining("Internal error") },
    });
    expect(logged).toHaveBeenCalledOnce();
  });

  test("a response that the host sent in the meantime stands", async () => {
    const handler = nodeHandler({ handle: async () => ({ status: 200, headers: {}, body: "late" }) });
    const origin = await serve((req, res) => {
      handler(req, res);
      res.writeHead(503).end("first");
    });
    const response = await fetch(origin);
    expect([response.status, await response.text()]).toEqual([503, "first"]);
  });

  test("a body that other middleware consumed is reported to the operator and not guessed", async () => {
    const errors: unknown[] = [];
    const { api, authorization } = await docs({ onError: (error) => errors.push(error) });
    const handler = nodeHandler(api);
    const origin = await serve((req, res) => {
      req.on("end", () => handler(req, res)).resume();
    });
    const response = await fetch(`${origin}/v1/orgs`, {
      method: "POST",
      headers: { ...json, authorization },
      body: '{"title":"Gone"}',
    });
    expect(response.status).toBe(500);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining("req.body") })]);
  });

  test.each([-1, 1.5, Number.NaN, true as unknown as number])("trustProxy: %s is rejected", async (trustProxy) => {
    const { api } = await docs();
    expect(() => nodeHandler(api, { trustProxy })).toThrow(TypeError);
  });
});

describe("the client address (S42)", () => {
  async function addressSeen(options: NodeHandlerOptions, ...lines: string[]): Promise<string | undefined> {
    let seen: string | undefined;
    const handle: DocsApi["handle"] = async ({ address }) => {
      seen = address;
      return { status: 200, headers: {}, body: "{}" };
    };
    const { head, receives } = dial(portOf(await serve(nodeHandler({ handle }, options))));
    head("GET /v1/ HTTP/1.1", "host: x", ...lines);
    await receives("{}");
    return seen;
  }

  test.each([
    ["without a proxy, the connection's", 0, ["x-forwarded-for: 198.51.100.7"], "127.0.0.1"],
    ["behind one proxy, what that proxy saw", 1, ["x-forwarded-for: 6.6.6.6, 198.51.100.7"], "198.51.100.7"],
    ["behind two, what the outer one saw", 2, ["x-forwarded-for: 6.6.6.6, 198.51.100.7, 10.0.0.1"], "198.51.100.7"],
    [
      "over several headers, counted through",
      2,
      ["x-forwarded-for: 198.51.100.7", "x-forwarded-for: 10.0.0.1"],
      "198.51.100.7",
    ],
    ["with fewer hops than proxies, the connection's", 2, ["x-forwarded-for: 6.6.6.6"], "127.0.0.1"],
    ["without the header, the connection's", 1, [], "127.0.0.1"],
    ["out of a hop that is no address, the connection's", 1, ["x-forwarded-for: 198.51.100.7, unknown"], "127.0.0.1"],
    ["out of a hop with a port", 1, ["x-forwarded-for: 198.51.100.7:4711"], "198.51.100.7"],
    ["out of an IPv6 hop", 1, ["x-forwarded-for: 2001:db8::7"], "2001:db8::7"],
    ["out of an IPv6 hop with a port", 1, ["x-forwarded-for: [2001:db8::7]:4711"], "2001:db8::7"],
  ])("the client address is read correctly: %s", async (_, trustProxy, lines, address) => {
    expect(await addressSeen({ trustProxy }, ...lines)).toBe(address);
  });

  const ours = ["127.0.0.1", "10.0.0.0/8", "2001:db8:1::/48"];
  const said = (...hops: string[]) => [`x-forwarded-for: ${hops.join(", ")}`];
  test.each([
    ["of a caller that is no proxy, the connection's", ["10.0.0.0/8"], said("198.51.100.7"), "127.0.0.1"],
    ["behind a known proxy, what that proxy saw", ours, said("198.51.100.7"), "198.51.100.7"],
    ["behind several, what the outermost saw", ours, said("198.51.100.7", "10.1.2.3", "2001:db8:1::9"), "198.51.100.7"],
    ["never what the client made up", ours, said("6.6.6.6", "10.9.9.9", "198.51.100.7", "10.1.2.3"), "198.51.100.7"],
    ["not even as a proxy's address", ours, said("10.0.0.1", "198.51.100.7"), "198.51.100.7"],
    ["if all are proxies, the outermost", ours, said("10.0.0.1", "10.0.0.2"), "10.0.0.1"],
    ["without the header, the connection's", ours, [], "127.0.0.1"],
    [
      "of a hop that is no address, the proxy that wrote it",
      ours,
      said("198.51.100.7", "unknown", "10.1.2.3"),
      "10.1.2.3",
    ],
    ["of an empty hop, the proxy that wrote it", ours, said("198.51.100.7", ""), "127.0.0.1"],
    ["beyond a proxy that is written as IPv6", ours, said("198.51.100.7", "::ffff:10.1.2.3"), "198.51.100.7"],
    ["beyond a proxy with a port", ours, said("198.51.100.7", "10.1.2.3:4711"), "198.51.100.7"],
    ["outside of a network of IPv6", ours, said("198.51.100.7", "2001:db8:2::9"), "2001:db8:2::9"],
    ["inside of no network at all", [], said("198.51.100.7"), "127.0.0.1"],
  ])("the client address is read with a list of proxies: %s", async (_, trustProxy, lines, address) => {
    expect(await addressSeen({ trustProxy }, ...lines)).toBe(address);
  });

  test.each(["10.0.0.0/33", "::1/129", "proxy.internal", "", "10.0.0.0/", "10.0.0"])(
    "a proxy list with %j is rejected",
    (proxy) => {
      expect(() =>
        nodeHandler({ handle: async () => ({ status: 200, headers: {}, body: "" }) }, { trustProxy: [proxy] }),
      ).toThrow(TypeError);
    },
  );

  test("a forged X-Forwarded-For does not raise the rate limit by default", async () => {
    const { api } = await docs({ rateLimit: { limit: 2 } });
    const origin = await serve(nodeHandler(api));
    const statuses: number[] = [];
    for (const from of ["198.51.100.1", "198.51.100.2", "198.51.100.3"]) {
      statuses.push((await fetch(`${origin}/v1/user`, { headers: { "x-forwarded-for": from } })).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
  });

  test("behind a trusted proxy, every client has its own rate limit", async () => {
    const { api } = await docs({ rateLimit: { limit: 1 } });
    const origin = await serve(nodeHandler(api, { trustProxy: 1 }));
    const statuses: number[] = [];
    for (const chain of ["198.51.100.1", "198.51.100.2", "6.6.6.6, 198.51.100.1"]) {
      statuses.push((await fetch(`${origin}/v1/user`, { headers: { "x-forwarded-for": chain } })).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
  });
});

describe("in Express", () => {
  async function mounted(...parsers: express.RequestHandler[]) {
    const { api, authorization } = await docs({ basePath: "/docs-api", maxBodyBytes: 1000 });
    const app = express();
    if (parsers.length > 0) app.use(...parsers);
    app.use("/docs-api", nodeHandler(api));
    app.get("/", (_req, res) => void res.send("the host"));
    const origin = `http://127.0.0.1:${await listen(createServer(app))}`;
    const post = (body: string, headers: Record<string, string> = json) =>
      fetch(`${origin}/docs-api/v1/orgs`, { method: "POST", headers: { ...headers, authorization }, body });
    return { origin, authorization, post };
  }

  test.each([
    ["without a body parser", []],
    ["behind express.json()", [express.json()]],
    ["behind express.raw()", [express.raw({ type: "*/*" })]],
    ["behind express.text()", [express.text({ type: "*/*" })]],
    ["behind express.urlencoded()", [express.urlencoded({ extended: true })]],
  ] satisfies [string, express.RequestHandler[]][])(
    "the handler works in Express under a path, %s",
    async (_, parsers) => {
      const { origin, authorization, post } = await mounted(...parsers);
      const created = await post('{"title":"In Express"}');
      expect(created.status).toBe(201);
      const { urls } = (await created.json()) as { urls: { location: string } };
      const { pathname } = new URL(urls.location);
      expect(pathname).toMatch(/^\/docs-api\/v1\/orgs\//);
      const found = await fetch(origin + pathname, { headers: { authorization } });
      expect(await found.json()).toMatchObject({ title: "In Express" });
      expect(await (await fetch(origin)).text()).toBe("the host");
    },
  );

  test("the body limit applies to a body that an Express parser has read", async () => {
    const { post } = await mounted(express.json());
    const response = await post(JSON.stringify({ title: "x".repeat(2000) }));
    expect(response.status).toBe(413);
  });

  test("an Express parser that finds no body leaves none", async () => {
    const { post } = await mounted(express.json());
    const response = await post("");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { reason: "invalid_request" } });
  });

  test("a form that an Express parser has read is still not JSON", async () => {
    const { post } = await mounted(express.urlencoded());
    const response = await post("title=Form", { "content-type": "application/x-www-form-urlencoded" });
    expect(response.status).toBe(415);
  });
});

describe("in Fastify", () => {
  test("the handler works in Fastify as documented, beside routes whose bodies Fastify parses", async () => {
    const { api, authorization } = await docs();
    const handler = nodeHandler(api);
    const app = fastify();
    afterwards(() => app.close());
    app.post("/echo", async (request) => request.body);
    app.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
      scope.all("/v1/*", (request, reply) => {
        reply.hijack();
        handler(request.raw, reply.raw);
      });
      done();
    });
    const origin = await app.listen({ port: 0, host: "127.0.0.1" });
    const post = (path: string, body: string) =>
      fetch(origin + path, { method: "POST", headers: { ...json, authorization }, body });
    const created = await post("/v1/orgs", '{"title":"In Fastify"}');
    expect([created.status, await created.json()]).toEqual([201, expect.objectContaining({ title: "In Fastify" })]);
    const head = await fetch(`${origin}/v1/orgs`, { method: "HEAD", headers: { authorization } });
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(2);
    expect(await (await post("/echo", '{"a":1}')).json()).toEqual({ a: 1 });
  });
});

test("a response to Node's own keep-alive client leaves the socket to the next request", async () => {
  const { api } = await docs();
  const origin = await serve(nodeHandler(api));
  const { Agent } = await import("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterwards(() => agent.destroy());
  const ports = new Set<number>();
  for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      httpRequest(`${origin}/v1/`, { agent, method }, resolve)
        .on("error", reject)
        .end(method === "POST" ? "{}" : undefined),
    );
    ports.add(response.socket.localPort!);
    await new Promise((resolve) => response.on("end", resolve).resume());
  }
  expect(ports.size).toBe(1);
});
