// Content codings: which one a request gets, which responses are compressed, and that tags, caches and streams stay right.

import { execFile } from "node:child_process";
import { createServer, type IncomingHttpHeaders, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { PlainRequest, PlainResponse } from "../../src/http/plain-request";
import { nodeCompressor } from "../../src/node/compressor";
import { type Compressor, chooseCoding, createResponseEncoder, createWebCompressor } from "../../src/utils/compression";
import { bun } from "../e2e/runtimes/binaries";
import { setUp } from "../support/setting";

const all = ["br", "zstd", "gzip"] as const;

describe("the preferred coding", () => {
  test.each([
    [null, undefined],
    ["", undefined],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP;Q=0.5", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate, zstd", "zstd"],
    ["br;q=0.1, gzip;q=0.9", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["*", "br"],
    ["*;q=0", undefined],
    ["br;q=0, *", "zstd"],
    ["gzip, *;q=0", "gzip"],
    ["identity", undefined],
    ["identity;q=0", undefined],
    ["identity;q=0, gzip;q=0.001", "gzip"],
    ["identity;q=0.9, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip;q=0.5", "gzip"],
    ["*;q=0, identity;q=0", undefined],
    ["deflate, compress", undefined],
    ["gzip;q=1.5", undefined],
    ["gzip;q=high", undefined],
    ["gzip;level=9;q=0.2, br;q=0.1", "gzip"],
    [`${"a,".repeat(600)}gzip`, undefined],
  ])("the preferred coding of %j is %s", (header, expected) => {
    expect(chooseCoding(header, all)).toBe(expected);
  });
});

const text = "A sentence that says the same again. ".repeat(200);
const JSON_TYPE = "application/json; charset=utf-8";

const asks = (headers: Record<string, string>): Pick<PlainRequest, "headers"> => ({
  headers: { get: (name) => headers[name] ?? null },
});
const takesGzip = { "accept-encoding": "gzip" };

function answer(more: Partial<PlainResponse> = {}, headers: Record<string, string> = {}): PlainResponse {
  return { status: 200, headers: { "content-type": JSON_TYPE, ...headers }, body: text, ...more };
}

/** A compressor that counts, and says what it did. */
function counting() {
  const compress = vi.fn<Compressor["compress"]>(nodeCompressor.compress);
  const encode = createResponseEncoder({ ...nodeCompressor, compress });
  return { compress, encode };
}

describe("compressible responses", () => {
  const { encode } = counting();
  const codingOf = async (response: PlainResponse, headers: Record<string, string> = takesGzip) =>
    (await encode(asks(headers), response)).headers["content-encoding"];

  test.each([
    ["text/html; charset=utf-8", true],
    ["application/json", true],
    ["application/scim+json", true],
    ["application/rss+xml", true],
    ["text/javascript", true],
    ["image/svg+xml", true],
    ["image/png", false],
    ["application/pdf", false],
    ["application/zip", false],
    ["application/octet-stream", false],
    ["text/event-stream", false],
  ])("responses are compressed depending on their type: %s", async (type, isCompressed) => {
    expect(await codingOf(answer({}, { "content-type": type }))).toBe(isCompressed ? "gzip" : undefined);
  });

  test("small, partial, compressed and unmodifiable responses are not compressed", async () => {
    expect(await codingOf(answer({ body: "x".repeat(1023) }))).toBeUndefined();
    expect(await codingOf(answer({ body: "x".repeat(1024) }))).toBe("gzip");
    expect(await codingOf(answer({ body: undefined }))).toBeUndefined();
    expect(await codingOf(answer({ status: 206 }))).toBeUndefined();
    expect(await codingOf(answer({}, { "accept-ranges": "bytes" }))).toBeUndefined();
    expect(await codingOf(answer({}, { "content-encoding": "br" }))).toBe("br");
    expect(await codingOf(answer({}, { "cache-control": "public, no-transform" }))).toBeUndefined();
  });

  test("responses with secrets, and those to a cross-site request with cookies, are not compressed", async () => {
    expect(await codingOf(answer({}, { "cache-control": "no-store" }))).toBeUndefined();
    const from = (site: string, cookie = "session=1") =>
      codingOf(answer(), { ...takesGzip, "sec-fetch-site": site, ...(cookie ? { cookie } : {}) });
    expect([await from("cross-site"), await from("same-site")]).toEqual([undefined, undefined]);
    expect([await from("same-origin"), await from("none"), await from("cross-site", "")]).toEqual(
      Array(3).fill("gzip"),
    );
  });

  test("a response that could be compressed has Vary: Accept-Encoding, compressed or not", async () => {
    const vary = async (headers: Record<string, string>, has: Record<string, string> = {}) =>
      (await encode(asks(headers), answer({}, has))).headers.vary;
    expect([await vary({}), await vary(takesGzip)]).toEqual(["accept-encoding", "accept-encoding"]);
    expect(await vary(takesGzip, { vary: "Origin" })).toBe("Origin, accept-encoding");
    expect(await vary(takesGzip, { vary: "Origin, Accept-Encoding" })).toBe("Origin, Accept-Encoding");
    expect((await encode(asks(takesGzip), answer({}, { "content-type": "image/png" }))).headers.vary).toBeUndefined();
  });

  test("the ETag becomes weak, and a 304 has the ETag that the caller sent", async () => {
    const tagOf = async (response: PlainResponse, headers: Record<string, string>) =>
      (await encode(asks(headers), response)).headers.etag;
    expect(await tagOf(answer({}, { etag: '"1"' }), {})).toBe('"1"');
    expect(await tagOf(answer({}, { etag: '"1"' }), takesGzip)).toBe('W/"1"');
    expect(await tagOf(answer({}, { etag: 'W/"1"' }), takesGzip)).toBe('W/"1"');
    const notModified: PlainResponse = { status: 304, headers: { etag: '"1"' }, body: undefined };
    expect(await tagOf(notModified, { ...takesGzip, "if-none-match": 'W/"1"' })).toBe('W/"1"');
    expect(await tagOf(notModified, { ...takesGzip, "if-none-match": '"1"' })).toBe('"1"');
  });

  test("the original Content-Length is removed", async () => {
    const { headers } = await encode(asks(takesGzip), answer({}, { "content-length": String(text.length) }));
    expect(headers["content-length"]).toBeUndefined();
  });
});

const bytesOf = async (body: PlainResponse["body"]) =>
  new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
const unpack: Record<string, (bytes: Uint8Array) => Buffer> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  zstd: (zlib as unknown as { zstdDecompressSync: (bytes: Uint8Array) => Buffer }).zstdDecompressSync,
};

describe.each([
  ["node:zlib", nodeCompressor],
  ["CompressionStream", createWebCompressor()!],
])("%s", (_, compressor) => {
  const encode = createResponseEncoder(compressor);

  test.each(compressor.codings)("%s restores the content, whole and as a stream", async (coding) => {
    const pieces = ["one ", "two ", text];
    const stream = () => new Blob(pieces).stream() as ReadableStream<Uint8Array>;
    for (const body of [pieces.join(""), new TextEncoder().encode(pieces.join("")), stream()]) {
      const encoded = await encode(asks({ "accept-encoding": coding }), answer({ body }, { "content-length": "9999" }));
      expect(encoded.headers["content-encoding"]).toBe(coding);
      const bytes = await bytesOf(encoded.body);
      expect(bytes.length).toBeLessThan(1000);
      expect(String(unpack[coding]!(bytes))).toBe(pieces.join(""));
    }
  });

  test("a stream of unknown length is sent as it arrives", async () => {
    const body = new Blob([text]).stream() as ReadableStream<Uint8Array>;
    expect((await encode(asks(takesGzip), answer({ body }))).body).toBe(body);
  });

  test("an abandoned stream is cancelled", async () => {
    const cancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(crypto.getRandomValues(new Uint8Array(60_000))),
      cancel,
    });
    const encoded = await encode(asks(takesGzip), answer({ body }, { "content-length": "100000000" }));
    const reader = (encoded.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    await vi.waitFor(() => expect(cancel).toHaveBeenCalled());
  });
});

test("the platform compresses with the codings that it has and that are fast", async () => {
  // Bun has every coding, and a Brotli that takes 1.6 s for 240 KB. Deno and Node have no Zstandard.
  const module = fileURLToPath(new URL("../../src/utils/compression.ts", import.meta.url));
  const program = `import { createWebCompressor } from ${JSON.stringify(module)};
    const { codings, compress } = createWebCompressor();
    const body = new TextEncoder().encode("some text ".repeat(200));
    const lengths = await Promise.all(codings.map(async (coding) => (await compress(body, coding)).length));
    console.log(JSON.stringify([codings, lengths.every((it) => it < 100)]));`;
  const { stdout } = await promisify(execFile)(bun, ["-e", program]);
  expect(JSON.parse(stdout)).toEqual([["zstd", "gzip"], true]);
  expect(createWebCompressor()!.codings).toContain("gzip");
  expect(createWebCompressor()!.codings).not.toContain("br");
});

describe("the cost of compression", () => {
  test("the same response is compressed once for each coding", async () => {
    const { encode, compress } = counting();
    const [whole, bodyKey] = [answer(), {}];
    for (const coding of ["gzip", "br", "gzip", "br"]) await encode(asks({ "accept-encoding": coding }), whole);
    expect(compress).toHaveBeenCalledTimes(2);
    for (let i = 0; i < 3; i++) await encode(asks(takesGzip), answer({ bodyKey }));
    expect(compress).toHaveBeenCalledTimes(3);
    await encode(asks(takesGzip), answer());
    expect(compress).toHaveBeenCalledTimes(4);
  });

  test("compressing a large body yields to other requests", async () => {
    const large = Buffer.alloc(24 * 1024 * 1024, text);
    for (const coding of nodeCompressor.codings) {
      let turns = 0;
      let isDone = false;
      const done = nodeCompressor.compress(large, coding).then(() => {
        isDone = true;
      });
      while (!isDone) {
        turns++;
        await new Promise(setImmediate);
      }
      await done;
      // Without a pool everything would be done in the first turn.
      expect(turns).toBeGreaterThan(3);
    }
  });
});

describe("over node:http", () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  interface Got {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly bytes: Buffer;
  }

  async function serve(options: Parameters<typeof nodeHandler>[1] = {}) {
    const setting = await setUp(memoryStorage());
    const server = createServer(nodeHandler(setting.api, options));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
      new Promise<Got>((resolve, reject) => {
        const authorization = `Bearer ${setting.tokens.admin}`;
        send({ port, path, method, headers: { authorization, ...headers } }, (res) => {
          const chunks: Buffer[] = [];
          res.on("data", (chunk) => chunks.push(chunk));
          res.on("end", () => resolve({ status: res.statusCode!, headers: res.headers, bytes: Buffer.concat(chunks) }));
        })
          .on("error", reject)
          .end();
      });
    return { ...setting, get };
  }

  test("the API and its pages are compressed over node:http and decompress to the same bytes", async () => {
    const { get, org } = await serve();
    for (const path of [`/v1/orgs/${org}/members`, "/v1/docs", "/v1/docs/style.css", "/v1/openapi.json"]) {
      const plain = await get(path);
      expect([path, plain.status, plain.headers["content-encoding"]]).toEqual([path, 200, undefined]);
      expect(plain.headers.vary).toContain("accept-encoding");
      for (const coding of nodeCompressor.codings) {
        const packed = await get(path, { "accept-encoding": coding });
        expect([path, packed.headers["content-encoding"]]).toEqual([path, coding]);
        expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
        expect(String(unpack[coding]!(packed.bytes))).toBe(String(plain.bytes));
        const head = await get(path, { "accept-encoding": coding }, "HEAD");
        expect(head.headers["content-encoding"]).toBe(coding);
        expect([head.headers["content-length"], head.bytes.length]).toEqual([packed.headers["content-length"], 0]);
      }
    }
  });

  test("the ETag of a compressed response is accepted for reads and writes", async () => {
    const { get, org, ask } = await serve();
    const title = "A title ".repeat(30).trim();
    await ask("admin", `PATCH /v1/orgs/${org}`, {
      title,
      emailDomains: Array.from({ length: 20 }, (_, n) => `example-${n}-of-many.example`),
    });
    const first = await get(`/v1/orgs/${org}`, takesGzip);
    expect(first.headers["content-encoding"]).toBe("gzip");
    const etag = first.headers.etag!;
    expect(etag).toMatch(/^W\//);
    for (const headers of [takesGzip, {}]) {
      const again = await get(`/v1/orgs/${org}`, { ...headers, "if-none-match": etag });
      expect([again.status, again.headers.etag, again.bytes.length]).toEqual([304, etag, 0]);
    }
    const strong = etag.slice(2);
    expect((await get(`/v1/orgs/${org}`, { "if-none-match": strong })).headers.etag).toBe(strong);
    expect((await ask("admin", `PATCH /v1/orgs/${org}`, { title: "New" }, { "if-match": etag })).status).toBe(200);
    expect((await get(`/v1/orgs/${org}`, { ...takesGzip, "if-none-match": etag })).status).toBe(200);
  });

  test("JSON that is written in pieces is compressed as it is sent", async () => {
    const { get, ask, org } = await serve();
    const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Large" })).body.id;
    for (let i = 0; i < 4; i++) {
      const changes = Array.from({ length: 50 }, (_, n) => ({
        operation: "insert_page",
        title: `Page ${i} ${n}`,
        document: { markdown: "Text" },
      }));
      expect((await ask("admin", `POST /v1/spaces/${space}/content`, { changes })).status).toBe(200);
    }
    const [plain, packed] = [
      await get(`/v1/spaces/${space}/content/pages`),
      await get(`/v1/spaces/${space}/content/pages`, takesGzip),
    ];
    expect(plain.bytes.length).toBeGreaterThan(64 * 1024);
    expect([packed.headers["content-encoding"], packed.headers["content-length"]]).toEqual(["gzip", undefined]);
    expect(String(zlib.gunzipSync(packed.bytes))).toBe(String(plain.bytes));
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
  });

  test("compression can be left to a proxy", async () => {
    const { get } = await serve({ compress: false });
    expect((await get("/v1/docs", takesGzip)).headers["content-encoding"]).toBeUndefined();
  });
});

test("`fetch` compresses if the request asks for it", async () => {
  const { api } = await setUp(memoryStorage());
  const get = (headers: Record<string, string>) => api.fetch(new Request("http://test.invalid/v1/docs", { headers }));
  const [plain, packed] = [await get({}), await get(takesGzip)];
  expect([plain.headers.get("content-encoding"), packed.headers.get("content-encoding")]).toEqual([null, "gzip"]);
  expect(String(zlib.gunzipSync(new Uint8Array(await packed.arrayBuffer())))).toBe(await plain.text());
});
