// The Model Context Protocol as messages over HTTP, in every version that is spoken, with tools that know no API.

import * as v from "valibot";
import { expect, test } from "vitest";
import { createError, createValidationError } from "../../src/errors";
import { type McpServer, serveMcp } from "../../src/mcp/serve";
import { defineTool } from "../../src/mcp/tools";

const errors: unknown[] = [];

const server: McpServer = {
  name: "numbers",
  title: "Numbers",
  version: "1.2.3",
  instructions: "Use `add` for sums.",
  onError: (error) => errors.push(error),
  isListed: ({ name }) => name !== "hidden",
  tools: [
    defineTool({
      name: "add",
      title: "Add",
      description: "Adds two numbers.",
      input: v.strictObject({
        left: v.pipe(v.number(), v.description("The first number.")),
        right: v.optional(v.pipe(v.number(), v.maxValue(10, "At most 10")), 1),
      }),
      annotations: { readOnlyHint: true },
      call: async ({ left, right }) => ({ text: `**${left + right}**`, structured: { sum: left + right } }),
    }),
    defineTool({
      name: "refuse",
      title: "Refuse",
      description: "Refuses.",
      input: v.strictObject({ how: v.picklist(["reason", "field", "unexpected", "answer"]) }),
      annotations: {},
      async call({ how }) {
        if (how === "reason") throw createError("page_not_found");
        if (how === "field") throw createValidationError("body.title", "At most 100 characters");
        if (how === "unexpected") throw new Error("a detail that nobody should see");
        return { text: "No.", structured: { because: "of that" }, isError: true };
      },
    }),
    defineTool({
      name: "hidden",
      title: "Hidden",
      description: "Is not listed.",
      input: v.strictObject({}),
      annotations: {},
      call: async () => ({ text: "found" }),
    }),
  ],
};

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function send({ method = "POST", headers = {}, body }: Sent, to = server) {
  const all = new Headers({ "content-type": "application/json", ...headers });
  const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(textOf(body));
  const { status, ...rest } = await serveMcp(
    {
      method,
      url: "/mcp",
      headers: all,
      body: async (limit) => {
        if (bytes.length > limit) throw createError("body_too_large", { limit });
        return bytes;
      },
    },
    to,
  );
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
  const json: any = rest.body === undefined ? undefined : JSON.parse(rest.body as string);
  return { status, headers: rest.headers, json };
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : (JSON.stringify(body) ?? "");
}

const request = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });
const call = (name: unknown, given?: unknown) => request("tools/call", { name, arguments: given });

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of the present version. */
const present = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
  send({
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers },
    body: request(method, { _meta: meta, ...params }),
  });

test("a client that initializes gets the version it asks for, or the newest supported one", async () => {
  for (const [asked, agreed] of [
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2024-11-05"],
    ["2026-07-28", "2025-11-25"],
    ["1900-01-01", "2025-11-25"],
  ]) {
    const { status, json } = await send({ body: request("initialize", { protocolVersion: asked, capabilities: {} }) });
    expect(status).toBe(200);
    expect(json).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        protocolVersion: agreed,
        capabilities: { tools: {} },
        serverInfo: { name: "numbers", title: "Numbers", version: "1.2.3" },
        instructions: "Use `add` for sums.",
      },
    });
  }
  expect(await send({ body: request("ping", undefined, "p") })).toMatchObject({ json: { id: "p", result: {} } });
  const initialized = await send({ body: { jsonrpc: "2.0", method: "notifications/initialized" } });
  expect(initialized).toEqual({ status: 202, headers: {}, json: undefined });
  const answered = await send({ body: { jsonrpc: "2.0", id: 7, result: {} } });
  expect(answered).toMatchObject({ status: 202, json: undefined });
});

test("tools are listed with descriptions and JSON Schemas", async () => {
  const { json, headers } = await send({ body: request("tools/list") });
  expect(headers).toEqual({ "content-type": "application/json", "cache-control": "no-store" });
  expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(["add", "refuse"]);
  expect(json.result.tools[0]).toEqual({
    name: "add",
    title: "Add",
    description: "Adds two numbers.",
    inputSchema: {
      type: "object",
      properties: {
        left: { type: "number", description: "The first number." },
        right: { type: "number", maximum: 10, default: 1 },
      },
      required: ["left"],
      additionalProperties: false,
    },
    annotations: { title: "Add", readOnlyHint: true },
  });
  expect(await send({ body: request("tools/list", { cursor: "x" }) })).toMatchObject({
    json: { error: { code: -32602 } },
  });
});

test("a tool returns text and structured content, and an unlisted tool can be called", async () => {
  expect((await send({ body: call("add", { left: 2 }) })).json.result).toEqual({
    content: [{ type: "text", text: "**3**" }],
    structuredContent: { sum: 3 },
    isError: false,
  });
  expect((await send({ body: call("hidden") })).json.result).toEqual({
    content: [{ type: "text", text: "found" }],
    isError: false,
  });
});

test("errors in a tool are reported to the model without details of the server", async () => {
  const refused = async (name: string, given: unknown) => (await send({ body: call(name, given) })).json.result;
  expect(await refused("refuse", { how: "reason" })).toMatchObject({
    content: [{ text: "Page not found, or you don't have access to it." }],
    structuredContent: { error: { reason: "page_not_found" } },
    isError: true,
  });
  expect((await refused("refuse", { how: "field" })).content[0].text).toMatch(
    /\n- body\.title: At most 100 characters$/,
  );
  expect(await refused("refuse", { how: "answer" })).toEqual({
    content: [{ type: "text", text: "No." }],
    structuredContent: { because: "of that" },
    isError: true,
  });
  expect(errors).toEqual([]);
  expect(JSON.stringify(await refused("refuse", { how: "unexpected" }))).not.toContain("a detail");
  expect(String(errors.splice(0))).toContain("a detail");
  // Wrong arguments are the model's to correct, too.
  const { content } = await refused("add", { left: "2", wrong: true, right: 11 });
  expect(content[0].text).toContain("- arguments.left: Expected a number");
  expect(content[0].text).toContain("- arguments.right: At most 10");
  expect(content[0].text).toContain("- arguments.wrong: Unknown field.");
});

test("the current version needs no initialization, since every request names its version", async () => {
  const discovered = await present("server/discover");
  expect(discovered).toMatchObject({ status: 200 });
  expect(discovered.json.result).toEqual({
    resultType: "complete",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "numbers", title: "Numbers", version: "1.2.3" } },
    ttlMs: 60_000,
    cacheScope: "private",
    supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
    capabilities: { tools: {} },
    instructions: "Use `add` for sums.",
  });
  const listed = await present("tools/list");
  expect(listed.json.result).toMatchObject({ resultType: "complete", cacheScope: "private" });
  expect(listed.json.result.tools).toHaveLength(2);
  const called = await present("tools/call", { name: "add", arguments: { left: 1 } }, { "mcp-name": "add" });
  expect(called.json.result).toMatchObject({ resultType: "complete", structuredContent: { sum: 2 } });
  const encoded = await present(
    "tools/call",
    { name: "add", arguments: { left: 1 } },
    { "mcp-name": "=?base64?YWRk?=" },
  );
  expect(encoded.json.result).toMatchObject({ structuredContent: { sum: 2 } });
  for (const method of ["initialize", "ping", "subscriptions/listen", "constructor"])
    expect(await present(method)).toMatchObject({ status: 404, json: { id: 1, error: { code: -32601 } } });
});

test("a request whose headers and body disagree is rejected", async () => {
  const code = async (sent: Promise<{ status: number; json: { error: { code: number } } }>) => {
    const { status, json } = await sent;
    expect(status).toBe(400);
    return json.error.code;
  };
  const body = request("tools/list", { _meta: meta });
  const version = { "mcp-protocol-version": "2026-07-28" };
  const method = { "mcp-method": "tools/list" };
  expect(await code(send({ headers: method, body }))).toBe(-32020);
  expect(await code(send({ headers: version, body }))).toBe(-32020);
  expect(await code(send({ headers: { ...version, "mcp-method": "tools/call" }, body }))).toBe(-32020);
  expect(await code(send({ headers: { ...method, "mcp-protocol-version": "2025-11-25" }, body }))).toBe(-32020);
  const add = { name: "add", arguments: { left: 1 } };
  expect(await code(present("tools/call", add))).toBe(-32020);
  expect(await code(present("tools/call", add, { "mcp-name": "refuse" }))).toBe(-32020);
  expect(await code(present("tools/call", add, { "mcp-name": "=?base64?=A=?=" }))).toBe(-32020);
  expect(await code(send({ headers: version, body: request("initialize", { protocolVersion: "2026-07-28" }) }))).toBe(
    -32020,
  );
  // A version in the header alone, or half of what it demands.
  expect(await code(send({ headers: { ...version, ...method }, body: request("tools/list") }))).toBe(-32602);
  const half = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
  expect(await code(send({ headers: { ...version, ...method }, body: request("tools/list", half) }))).toBe(-32602);
});

test("an unsupported version is rejected with the list of supported ones", async () => {
  const named = await send({ headers: { "mcp-protocol-version": "1900-01-01" }, body: request("tools/list") });
  const claimed = await send({
    headers: { "mcp-protocol-version": "1900-01-01", "mcp-method": "tools/list" },
    body: request("tools/list", { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "1900-01-01" } }),
  });
  for (const { status, json } of [named, claimed]) {
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: -32022, data: { requested: "1900-01-01" } });
    expect(json.error.data.supported).toContain("2025-11-25");
  }
});

test("batches are accepted in versions that have them, up to a limit", async () => {
  const body = [request("ping", undefined, 1), { jsonrpc: "2.0", method: "x" }, call("add", { left: 1 }), "nonsense"];
  for (const headers of [{}, { "mcp-protocol-version": "2025-03-26" }]) {
    const { status, json } = await send({ headers, body });
    expect(status).toBe(200);
    expect(json).toMatchObject([
      { id: 1, result: {} },
      { id: 1, result: { isError: false } },
      { id: null, error: { code: -32600 } },
    ]);
  }
  expect(await send({ body: [{ jsonrpc: "2.0", method: "x" }] })).toMatchObject({ status: 202, json: undefined });
  for (const sent of [
    { headers: { "mcp-protocol-version": "2025-06-18" }, body },
    { headers: { "mcp-protocol-version": "2026-07-28" }, body },
    { body: [] },
    { body: Array(21).fill(request("ping")) },
  ])
    expect(await send(sent)).toMatchObject({ status: 400, json: { id: null, error: { code: -32600 } } });
});

test("GET and DELETE are not supported without streams and sessions", async () => {
  for (const method of ["GET", "DELETE", "PUT"]) {
    const { status, headers, json } = await send({ method });
    expect(status).toBe(405);
    expect(headers.allow).toBe("POST");
    expect(json).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
  }
});

test("hostile and malformed messages are rejected as JSON-RPC prescribes", async () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(600)}1${"}".repeat(601)}`;
  const cases: readonly [sent: Sent, status: number, code: number][] = [
    [{ body: "{" }, 400, -32700],
    [{ body: new Uint8Array([0xff]) }, 400, -32700],
    [{ body: "" }, 400, -32600],
    [{ body: "null" }, 400, -32600],
    [{ body: "7" }, 400, -32600],
    [{ body: deep }, 400, -32600],
    [{ body: '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}' }, 400, -32600],
    [{ body: { id: 1, method: "ping" } }, 400, -32600],
    [{ body: { jsonrpc: "1.0", id: 1, method: "ping" } }, 400, -32600],
    [{ body: { jsonrpc: "2.0", id: 1 } }, 400, -32600],
    [{ body: { jsonrpc: "2.0", id: 1, method: 7 } }, 400, -32600],
    [{ body: request("ping", undefined, null) }, 400, -32600],
    [{ body: request("ping", undefined, 1.5) }, 400, -32600],
    [{ body: request("ping", undefined, {}) }, 400, -32600],
    [{ body: request("ping", []) }, 400, -32602],
    [{ body: request("ping", "x") }, 400, -32602],
    [{ body: "a".repeat(3_000_000) }, 413, -32600],
    [{ body: request("ping"), headers: { "content-type": "text/plain" } }, 415, -32600],
    [{ body: request("ping"), headers: { accept: "text/html" } }, 406, -32600],
    [{ body: request("initialize") }, 200, -32602],
    [{ body: request("initialize", { protocolVersion: 7 }) }, 200, -32602],
    [{ body: request("resources/list") }, 200, -32601],
    [{ body: request("toString") }, 200, -32601],
    [{ body: call("constructor") }, 200, -32602],
    [{ body: call("ad", {}) }, 200, -32602],
    [{ body: call(7) }, 200, -32602],
    [{ body: call("add", [1]) }, 200, -32602],
    [{ body: call("add", "left") }, 200, -32602],
    [{ body: call("add", null) }, 200, -32602],
  ];
  for (const [sent, status, code] of cases) {
    const told = await send(sent);
    expect({ sent: textOf(sent.body).slice(0, 80), status: told.status, code: told.json.error.code }).toEqual({
      sent: textOf(sent.body).slice(0, 80),
      status,
      code,
    });
    expect(told.json.error.message.length).toBeLessThan(400);
    const members = (sent.body ?? {}) as { id?: unknown };
    // Known ids come back, even if the rest of the message is wrong. All others are null, as JSON-RPC demands.
    const isKnown = status !== 415 && status !== 406 && Number.isSafeInteger(members.id);
    expect({ sent: textOf(sent.body).slice(0, 80), id: told.json.id }).toEqual({
      sent: textOf(sent.body).slice(0, 80),
      id: isKnown ? members.id : null,
    });
  }
  expect((await send({ body: call("ad") })).json.error.message).toContain("Did you mean `add`?");
  const failing = { ...server, isListed: () => Promise.reject(new Error("a detail")) };
  const listing = await send({ body: request("tools/list") }, failing);
  expect(listing).toMatchObject({ status: 500, json: { error: { code: -32603 } } });
  expect(JSON.stringify(listing.json)).not.toContain("a detail");
  expect(String(errors.splice(0))).toContain("a detail");
  for (const accept of ["application/json, text/event-stream", "*/*", "application/*"])
    expect((await send({ headers: { accept }, body: request("ping") })).status).toBe(200);
  expect(errors).toEqual([]);
});
