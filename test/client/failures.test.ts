// The client on servers that fail: every failure is a value with a reason, and a write has one effect.

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createClient } from "octavo/client";
import { nodeHandler } from "octavo/node";
import { describe, expect, test } from "vitest";
import { buildClient } from "../../src/client/client";
import { docs, serve } from "../node/servers";

/** Nobody waits between two attempts. */
const hurried = { wait: async () => {}, random: () => 0, now: Date.now };

async function clientOf(handler: RequestListener, options: object = {}) {
  return buildClient(hurried, { url: await serve(handler), token: "a-token", ...options });
}

const answer = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
const failed = (reason: string, message = "It failed.") =>
  JSON.stringify({ error: { reason, message, requestId: "r1" } });

describe("a failing server", () => {
  test("a server that does not exist is a network failure", async () => {
    const client = createClient({ url: "http://127.0.0.1:9", retries: 0 });
    const { error } = await client.call("getCurrentUser");
    expect(error).toMatchObject({ reason: "network", status: undefined, cause: expect.any(TypeError) });
    expect(error?.message).toMatch(/^No answer came: ./);
  });

  test("a call succeeds after the server reset two connections", async () => {
    let requests = 0;
    const client = await clientOf((request, response) =>
      ++requests < 3 ? request.socket.destroy() : answer(response, 200, '{"id":"usr_1"}'),
    );
    expect(await client.call("getCurrentUser")).toMatchObject({ ok: true, value: { id: "usr_1" } });
    expect(requests).toBe(3);
  });

  test("a call fails when the server resets every connection", async () => {
    let requests = 0;
    const client = await clientOf((request) => {
      requests++;
      request.socket.destroy();
    });
    expect((await client.call("getCurrentUser")).error?.reason).toBe("network");
    expect(requests).toBe(3);
    expect((await client.call("getCurrentUser", {}, { retries: 0 })).error?.reason).toBe("network");
    expect(requests).toBe(4);
  });

  test("a truncated body is a failure", async () => {
    const client = await clientOf((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write('{"id":');
      setImmediate(() => response.destroy());
    });
    expect((await client.call("getCurrentUser")).error?.reason).toBe("network");
  });

  test("a call succeeds after the server was busy", async () => {
    const answers = [503, 429, 200];
    const client = await clientOf((_, response) => {
      const status = answers.shift()!;
      const reason = status === 503 ? "unavailable" : "rate_limited";
      answer(response, status, status === 200 ? '{"id":"usr_1"}' : failed(reason), { "retry-after": "1" });
    });
    expect(await client.call("getCurrentUser")).toMatchObject({ ok: true });
    expect(answers).toEqual([]);
  });

  test("a server that asks for a longer delay than the time limit ends the call", async () => {
    const client = await clientOf((_, response) =>
      answer(response, 503, failed("printer_busy"), { "retry-after": "3600" }),
    );
    expect((await client.call("getCurrentUser")).error).toMatchObject({
      reason: "printer_busy",
      retryAfter: 3600,
      requestId: "r1",
    });
  });

  test("a server that never answers ends the call at its time limit", async () => {
    const client = await clientOf(() => {});
    const { error } = await client.call("getCurrentUser", {}, { timeout: 50 });
    expect(error).toMatchObject({ reason: "timeout", message: "The call took longer than 50 ms." });
  });

  test("a response that stalls ends the call at its time limit", async () => {
    const client = await clientOf((_, response) => void response.writeHead(200).write("{"));
    expect((await client.call("getCurrentUser", {}, { timeout: 50 })).error?.reason).toBe("timeout");
  });

  test("a response of a different server is a failure", async () => {
    const page = (status: number) =>
      clientOf((_, response) => answer(response, status, "<html>", { "content-type": "text/html; charset=utf-8" }));
    for (const status of [200, 404, 502]) {
      const { error } = await (await page(status)).call("getCurrentUser");
      expect(error).toMatchObject({ reason: "not_json", status });
      expect(error?.message).toContain(`answered ${status} with text/html instead of JSON`);
    }
    const other = await clientOf((_, response) => answer(response, 418, '{"error":"teapot"}'));
    expect((await other.call("getCurrentUser")).error).toMatchObject({ reason: "unexpected", status: 418 });
  });

  test("a list that contains something else or whose pages form a cycle is a failure", async () => {
    const walk = async (body: string) => {
      const client = await clientOf((_, response) => answer(response, 200, body));
      for await (const _ of client.each("listTokens"));
    };
    await expect(walk('{"id":"usr_1"}')).rejects.toMatchObject({ reason: "unexpected" });
    await expect(walk("null")).rejects.toMatchObject({ reason: "unexpected" });
    await expect(walk('{"items":[],"count":0,"next":{"page":"a"}}')).rejects.toMatchObject({ reason: "unexpected" });
  });
});

describe("AbortSignal", () => {
  test("a signal aborts a running call", async () => {
    const controller = new AbortController();
    const client = await clientOf(() => controller.abort(new Error("enough")));
    const { error } = await client.call("getCurrentUser", {}, { signal: controller.signal });
    expect(error).toMatchObject({ reason: "aborted", cause: new Error("enough") });
  });

  test("a signal aborts a call that waits for its next attempt", async () => {
    const controller = new AbortController();
    const url = await serve((_, response) => {
      answer(response, 503, failed("unavailable"), { "retry-after": "1000" });
      setTimeout(() => controller.abort(), 20);
    });
    const client = createClient({ url, timeout: Number.POSITIVE_INFINITY });
    const { error } = await client.call("getCurrentUser", {}, { signal: controller.signal });
    expect(error?.reason).toBe("aborted");
  });

  test("a signal aborts a call that has not begun, and one whose fetch ignores the signal", async () => {
    let sent = 0;
    const fetch = () => {
      sent++;
      return new Promise<Response>(() => {});
    };
    const client = createClient({ url: "https://a.example", fetch });
    const aborted = await client.call("getCurrentUser", {}, { signal: AbortSignal.abort() });
    expect(aborted.error?.reason).toBe("aborted");
    const late = await client.call("getCurrentUser", {}, { timeout: 20 });
    expect(late.error?.reason).toBe("timeout");
    expect(sent).toBe(1);
  });
});

describe("a write whose response was cut", () => {
  /** An API behind a server that does what it is asked and cuts the first answers. */
  async function cutting(cuts: number) {
    const { api, organization, authorization } = await docs();
    const keys: (string | undefined)[] = [];
    const handle = nodeHandler(api);
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      keys.push(request.headers["idempotency-key"] as string | undefined);
      if (keys.length > cuts) return void handle(request, response);
      const end = response.end.bind(response);
      response.end = ((...args: []) => {
        request.socket.destroy();
        return end(...args);
      }) as typeof response.end;
      return void handle(request, response);
    };
    const client = buildClient(hurried, { url: await serve(listener), token: authorization.slice(7) });
    return { api, client, keys, params: { organizationId: organization } };
  }

  test("a write whose response was cut is sent again with the same key and has one effect", async () => {
    const { client, keys, params } = await cutting(2);
    const made = await client.call("createSpace", { params, body: { title: "Guide" } });
    expect(made).toMatchObject({ ok: true, value: { title: "Guide" } });
    expect(made.headers?.get("idempotent-replayed")).toBe("true");
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    const spaces = await client.call("listSpaces", { params });
    expect(spaces.value?.items.map(({ id }) => id)).toEqual([made.value!.id]);
    await client.call("createSpace", { params, body: { title: "Guide" } });
    expect(keys.at(-1)).not.toBe(keys[0]);
  });

  test("a write whose response was cut is not sent again if the operation takes no key", async () => {
    const { client, keys, params } = await cutting(1);
    const made = await client.call("createTeam", { params, body: { title: "Writers" } });
    expect(made.error?.reason).toBe("network");
    expect(keys).toEqual([undefined]);
    expect((await client.call("listTeams", { params })).value?.count).toBe(1);
  });

  test("a deletion whose response was cut is sent again", async () => {
    const { api, client, keys, params } = await cutting(1);
    const { user } = await api.provision({ user: { displayName: "Ada", email: "ada@example.org" } });
    const team = await api.call("createTeam", { params, body: { title: "Writers" } }, { user });
    const gone = await client.call("deleteTeam", { params: { ...params, teamId: team.id } });
    expect(gone).toMatchObject({ ok: true, status: 204 });
    expect(keys).toHaveLength(2);
  });
});
