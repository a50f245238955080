// Parts of files: which bytes a request gets, and that they are read alone and are those of the file.

import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { serveFile } from "../../src/operation/byte-ranges";
import { type Setting, setUp } from "../support/setting";
import { through } from "../support/through";

const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
const modified = new Date("2026-03-01T09:00:00.000Z");
const TAG = '"tag"';

function ask(headers: Record<string, string>, method = "GET", size = 100) {
  const asking = { method, headers: { get: (name: string) => headers[name] ?? null } };
  const read = async (range?: { start: number; end: number }) =>
    bytes.subarray(0, size).slice(range?.start, range?.end);
  return serveFile(asking, {
    size,
    headers: { "content-type": "image/png" },
    etag: TAG,
    lastModified: modified,
    read,
  });
}

describe("parsing a Range header", () => {
  test.each([
    ["bytes=0-9", [0, 9]],
    ["bytes=90-", [90, 99]],
    ["bytes=-10", [90, 99]],
    ["bytes=-1000", [0, 99]],
    ["bytes=95-1000", [95, 99]],
    ["bytes=0-9999999999999999", [0, 99]],
    [`bytes=0-${"9".repeat(400)}`, [0, 99]],
    ["bytes=0000000000000000000-00000000000000000009", [0, 9]],
    [`bytes=-${"9".repeat(400)}`, [0, 99]],
    ["bytes=99-99", [99, 99]],
    ["BYTES= 5-5 ", [5, 5]],
  ])("the range %s is answered with 206", async (range, [first, last]) => {
    const { status, headers, body } = await ask({ range });
    expect(status).toBe(206);
    expect(headers["content-range"]).toBe(`bytes ${first}-${last}/100`);
    expect(headers["content-length"]).toBe(String(last! - first! + 1));
    expect(body).toEqual(bytes.slice(first, last! + 1));
    expect(headers).toMatchObject({ etag: TAG, "accept-ranges": "bytes", "content-type": "image/png" });
  });

  test.each([
    "bytes=0-1,4-5",
    "bytes=5-4",
    "bytes=-",
    "bytes=a-b",
    "pages=1-2",
    "bytes=1",
    "bytes 0-1",
    `bytes=${"0-1,".repeat(5000)}`,
  ])("the range %s is answered with all bytes", async (range) => {
    const { status, headers, body } = await ask({ range });
    expect([status, headers["content-length"], headers["content-range"]]).toEqual([200, "100", undefined]);
    expect(body).toEqual(bytes);
  });

  test.each([
    "bytes=100-",
    "bytes=100-200",
    "bytes=-0",
    "bytes=99999999999999999999-",
    `bytes=${"9".repeat(400)}-${"9".repeat(400)}`,
  ])("the range %s is not satisfiable", async (range) => {
    await expect(ask({ range })).rejects.toMatchObject({
      status: 416,
      reason: "range_not_satisfiable",
      headers: { "content-range": "bytes */100" },
    });
  });

  test("an empty file has no ranges and is sent whole", async () => {
    await expect(ask({ range: "bytes=0-" }, "GET", 0)).rejects.toMatchObject({ status: 416 });
    expect((await ask({}, "GET", 0)).status).toBe(200);
  });

  test("HEAD ignores ranges", async () => {
    expect((await ask({ range: "bytes=0-9" }, "HEAD")).status).toBe(200);
  });

  test("If-Range returns a part only if the bytes are unchanged", async () => {
    const status = async (condition: string) => (await ask({ range: "bytes=0-9", "if-range": condition })).status;
    expect(await status(TAG)).toBe(206);
    expect(await status(modified.toUTCString())).toBe(206);
    for (const other of ['"other"', `W/${TAG}`, new Date(0).toUTCString(), "yesterday"])
      expect(await status(other)).toBe(200);
  });

  test("If-Match and If-Unmodified-Since refuse a file that changed", async () => {
    const status = (headers: Record<string, string>, method = "GET") =>
      ask(headers, method).then(
        ({ status }) => status,
        ({ status, reason, headers }) => [status, reason, headers.etag],
      );
    const refused = [412, "precondition_failed", TAG];
    for (const tags of [TAG, "*", `"other", ${TAG}`])
      expect([await status({ "if-match": tags }), await status({ "if-match": tags, range: "bytes=0-9" })]).toEqual([
        200, 206,
      ]);
    for (const tags of ['"other"', `W/${TAG}`, "tag", ""]) {
      expect(await status({ "if-match": tags })).toEqual(refused);
      expect(await status({ "if-match": tags, range: "bytes=0-9", "if-range": TAG })).toEqual(refused);
      expect(await status({ "if-match": tags }, "HEAD")).toEqual(refused);
    }
    const since = (ms: number) => ({ "if-unmodified-since": new Date(modified.getTime() + ms).toUTCString() });
    expect([await status(since(0)), await status(since(1000)), await status(since(-1000))]).toEqual([
      200,
      200,
      refused,
    ]);
    expect(await status({ ...since(-1000), "if-match": TAG }), "a tag says more").toBe(200);
    expect(await status({ "if-unmodified-since": "yesterday" })).toBe(200);
  });

  test("If-Modified-Since returns 304 unless an ETag decides otherwise", async () => {
    const status = async (headers: Record<string, string>) => (await ask(headers)).status;
    const since = (ms: number) => ({ "if-modified-since": new Date(modified.getTime() + ms).toUTCString() });
    expect([await status(since(0)), await status(since(1000)), await status(since(-1000))]).toEqual([304, 304, 200]);
    expect(await status({ ...since(0), "if-none-match": '"other"' })).toBe(200);
    expect(await status({ "if-modified-since": "yesterday" })).toBe(200);
  });
});

describe("files of a space", () => {
  let setting: Setting<Storage>;
  const reads = vi.fn();
  const large = Buffer.alloc(200_000, "0123456789");
  const urls: Record<"small" | "large", string> = { small: "", large: "" };

  beforeAll(async () => {
    const storage = memoryStorage();
    const watched = through(storage, {
      blob(call, go, range) {
        if (call === "get") reads(range);
        return go();
      },
    });
    setting = await setUp(watched);
    const space = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Files" })).body.id;
    const files = [
      { name: "small.txt", contentType: "text/plain", base64: Buffer.from("Hello, world").toString("base64") },
      { name: "large.txt", contentType: "text/plain", base64: large.toString("base64") },
    ];
    const changes = [{ operation: "insert_files", files }];
    expect((await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes })).status).toBe(200);
    const { items } = (await setting.ask("admin", `GET /v1/spaces/${space}/content/files`)).body;
    for (const { name, downloadURL } of items)
      urls[name === "small.txt" ? "small" : "large"] = new URL(downloadURL).pathname;
  });

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    setting.api.fetch(new Request(`http://localhost:3000${path}`, { method, headers }));

  test("a range of a small file in a record is sent", async () => {
    const whole = await get(urls.small);
    expect([whole.status, whole.headers.get("accept-ranges"), await whole.text()]).toEqual([
      200,
      "bytes",
      "Hello, world",
    ]);
    expect(Date.parse(whole.headers.get("last-modified")!)).toBe(modified.getTime());
    const part = await get(urls.small, { range: "bytes=7-" });
    expect([part.status, await part.text()]).toEqual([206, "world"]);
    expect(part.headers.get("etag")).toBe(whole.headers.get("etag"));
  });

  test("a range of a large file reads only that part", async () => {
    reads.mockClear();
    const part = await get(urls.large, { range: "bytes=100003-100012", "accept-encoding": "gzip" });
    expect([part.status, await part.text()]).toEqual([206, "3456789012"]);
    expect([part.headers.get("content-length"), part.headers.get("content-encoding")]).toEqual(["10", null]);
    expect(reads.mock.calls).toEqual([[{ start: 100003, end: 100013 }]]);
  });

  test("a file that the client already has is neither sent nor read", async () => {
    const etag = (await get(urls.large)).headers.get("etag")!;
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    reads.mockClear();
    for (const known of [etag, `W/${etag}`, "*"])
      expect((await get(urls.large, { "if-none-match": known })).status).toBe(304);
    const since = (await get(urls.large, {}, "HEAD")).headers.get("last-modified")!;
    reads.mockClear();
    const again = await get(urls.large, { "if-modified-since": since });
    expect([again.status, again.headers.get("etag"), again.headers.get("content-length")]).toEqual([304, etag, null]);
    expect(reads).not.toHaveBeenCalled();
  });

  test("a changed file is refused before it is read", async () => {
    const etag = (await get(urls.large)).headers.get("etag")!;
    expect((await get(urls.large, { "if-match": etag })).status).toBe(200);
    reads.mockClear();
    const other = await get(urls.large, { "if-match": '"other"', range: "bytes=0-9" });
    expect([other.status, other.headers.get("etag")]).toEqual([412, etag]);
    expect((await other.json()).error).toMatchObject({ code: 412, reason: "precondition_failed" });
    expect(reads).not.toHaveBeenCalled();
  });

  test("an unsatisfiable range is an error like others", async () => {
    const none = await get(urls.large, { range: "bytes=200000-" });
    expect([none.status, none.headers.get("content-range")]).toEqual([416, "bytes */200000"]);
    expect((await none.json()).error).toMatchObject({ code: 416, reason: "range_not_satisfiable" });
  });

  test("an interrupted download over node:http continues where it was cut", async () => {
    const server = createServer(nodeHandler(setting.api));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const over = (headers: Record<string, string>, method = "GET") =>
      new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
        send({ port, path: urls.large, method, headers }, (res) => {
          const chunks: Buffer[] = [];
          res.on("data", (chunk) => chunks.push(chunk));
          res.on("end", () => resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(chunks) }));
        })
          .on("error", reject)
          .end();
      });
    const first = await over({ range: "bytes=0-149999" });
    expect([first.status, first.headers["content-length"]]).toEqual([206, "150000"]);
    const rest = await over({ range: "bytes=150000-", "if-range": first.headers.etag as string });
    expect(rest.status).toBe(206);
    expect(Buffer.concat([first.body, rest.body]).equals(large)).toBe(true);
    expect((await over({ range: "bytes=150000-", "if-range": '"other"' })).body.equals(large)).toBe(true);
    const head = await over({ range: "bytes=0-9" }, "HEAD");
    expect([head.status, head.headers["content-length"], head.headers["accept-ranges"]]).toEqual([
      200,
      "200000",
      "bytes",
    ]);
  });
});
