// What the S3 driver sends, and what it makes of the answers of servers: the real SDK against a server on this machine
// that answers as it is told.

import { createServer, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildBatch } from "../../../adapters/conformance/cases";
import { s3Storage } from "../../../adapters/s3/index";
import { PART_BYTES, StoreFailure } from "../../../adapters/s3/object-store";
import { S3Objects } from "../../../adapters/s3/s3-objects";
import { resolveTimeouts } from "../../../adapters/s3/waits";
import { listenOn } from "../../support/listening";

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
type Behaviour = (request: IncomingMessage) => Answer | "hang up" | "say nothing";

const errorOf = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Because.</Message></Error>`;

describe("S3Objects", () => {
  let behaviour: Behaviour = () => ({ status: 200 });
  let sent: string[] = [];
  const server = createServer(async (request, response) => {
    const { "if-match": ifMatch, "if-none-match": ifNoneMatch, range } = request.headers;
    const conditions = Object.entries({ ifMatch, ifNoneMatch, range }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} ${value}`],
    );
    sent.push([`${request.method} ${request.url?.replace(/[?&]x-id=\w+/, "")}`, ...conditions].join(", "));
    for await (const _ of request);
    const answer = behaviour(request);
    if (answer === "hang up") return void request.socket.destroy();
    if (answer === "say nothing") return;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  let endpoint: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ origin: endpoint, close } = await listenOn(server));
  });
  afterAll(() => close());
  beforeEach(() => {
    sent = [];
  });

  const config = () => ({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
  });
  const open = (firstByteMs = 5000) =>
    new S3Objects({ bucket: "docs", config: config(), waits: resolveTimeouts({ firstByteMs }) });
  const bytes = new Uint8Array([1, 2, 3]);

  test("conditions are sent as headers, with quotes unless the server rejects them", async () => {
    behaviour = () => ({ status: 200, headers: { etag: '"abc"' } });
    const objects = open();
    expect(await objects.put("h/p", bytes, { ifAbsent: true })).toEqual({ outcome: "stored", etag: "abc" });
    await objects.put("h/p", bytes, { ifMatch: "abc" });
    await objects.get("h/p", { ifNoneMatch: "abc", range: { start: 5, end: 10 } });
    expect(objects.adapt()).toBe(true);
    expect(objects.adapt()).toBe(false);
    await objects.put("h/p", bytes, { ifMatch: "abc" });
    expect(sent).toEqual([
      "PUT /docs/h/p, ifNoneMatch *",
      'PUT /docs/h/p, ifMatch "abc"',
      'GET /docs/h/p, ifNoneMatch "abc", range bytes=5-9',
      "PUT /docs/h/p, ifMatch abc",
    ]);
  });

  test("responses that decide a condition are values, and nothing is sent twice", async () => {
    const objects = open();
    const put = (status: number, code: string) => {
      behaviour = () => ({ status, body: errorOf(code) });
      return objects.put("h/p", bytes, { ifMatch: "abc" });
    };
    expect(await put(412, "PreconditionFailed")).toEqual({ outcome: "refused" });
    expect(await put(404, "NoSuchKey")).toEqual({ outcome: "refused" });
    expect(await put(409, "ConditionalRequestConflict")).toEqual({ outcome: "busy" });
    behaviour = () => ({ status: 304 });
    expect(await objects.get("h/p", { ifNoneMatch: "abc" })).toEqual({ outcome: "unchanged" });
    behaviour = () => ({ status: 404, body: errorOf("NoSuchKey") });
    expect(await objects.get("h/p")).toEqual({ outcome: "absent" });
    expect(await objects.stat("h/p")).toBeUndefined();
    expect(await objects.open("h/p")).toBeUndefined();
    await objects.delete("h/p");
    expect(sent.length).toBe(8);
  });

  const failures: [string, Behaviour, Partial<StoreFailure>, RegExp][] = [
    [
      "wrong credentials",
      () => ({ status: 403, body: errorOf("InvalidAccessKeyId") }),
      none(false),
      /refuses the cred/,
    ],
    ["a missing bucket", () => ({ status: 404, body: errorOf("NoSuchBucket") }), none(false), /does not exist; create/],
    ["another region", () => ({ status: 301, body: errorOf("PermanentRedirect") }), none(false), /in another region/],
    ["throttling", () => ({ status: 503, body: errorOf("SlowDown") }), none(true), /asks for fewer requests/],
    ["a bad request", () => ({ status: 400, body: errorOf("InvalidArgument") }), none(false), /refuses a request/],
    ["an upload that took too long", () => ({ status: 400, body: errorOf("RequestTimeout") }), doubt(), /answered 400/],
    ["a server error", () => ({ status: 500, body: errorOf("InternalError") }), doubt(), /answered 500; try later/],
    ["a gateway without a server", () => ({ status: 502, body: "<html>" }), doubt(), /answered 502; try later/],
    ["a connection that ends", () => "hang up", doubt(), /gave no answer; try later/],
    ["silence", () => "say nothing", doubt(), /gave no answer; try later/],
    [
      "conditions that are not known",
      () => ({ status: 501, body: errorOf("NotImplemented") }),
      { ...none(false), unsupported: true },
      /cannot do what was asked/,
    ],
  ];
  function none(passing: boolean): Partial<StoreFailure> {
    return { outcome: "none", isTransient: passing };
  }
  function doubt(): Partial<StoreFailure> {
    return { outcome: "unknown", isTransient: true };
  }
  for (const [what, answers, expected, sentence] of failures) {
    test(`${what} is an error that says what to do, after one request`, async () => {
      behaviour = answers;
      const failure = await open(200)
        .put("h/p", bytes, { ifMatch: "abc" })
        .catch((error) => error);
      expect(failure).toBeInstanceOf(StoreFailure);
      expect(failure).toMatchObject(expected);
      expect(failure.message).toMatch(sentence);
      expect(failure.message).toContain(`The S3 bucket docs at ${endpoint} `);
      expect(sent.length).toBe(1);
    });
  }

  test("when no one listens, the write cannot have happened", async () => {
    const objects = new S3Objects({
      bucket: "docs",
      config: { ...config(), endpoint: "http://127.0.0.1:1" },
      waits: resolveTimeouts(),
    });
    await expect(objects.put("a", bytes)).rejects.toMatchObject({
      outcome: "none",
      isTransient: true,
      message: expect.stringContaining("cannot be reached; check the endpoint, the region and the network."),
    });
  });

  test("a range includes the size of the whole, and one beyond the end is empty", async () => {
    const objects = open();
    behaviour = () => ({ status: 206, headers: { "content-range": "bytes 2-4/10" }, body: "cde" });
    const part = await objects.open("b/a", { start: 2, end: 5 });
    expect([part?.size, await new Response(part!.stream).text()]).toEqual([10, "cde"]);
    behaviour = ({ method }) =>
      method === "HEAD"
        ? { status: 200, headers: { "content-length": "10" } }
        : { status: 416, body: errorOf("InvalidRange") };
    const behind = await objects.open("b/a", { start: 10 });
    expect([behind?.size, await new Response(behind!.stream).text()]).toEqual([10, ""]);
  });

  test("a list continues after its last name", async () => {
    const page = (names: string[], more: boolean) =>
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${names.map((name) => `<Contents><Key>${name}</Key></Contents>`).join("")}</ListBucketResult>`;
    behaviour = ({ url }) => ({
      status: 200,
      body: url?.includes("start-after=h%2Fb") ? page(["h/c"], false) : page(["h/a", "h/b"], true),
    });
    const names: string[] = [];
    for await (const name of open().list("h/")) names.push(name);
    expect(names).toEqual(["h/a", "h/b", "h/c"]);
    expect(sent.length).toBe(2);
  });

  const upload =
    '<?xml version="1.0"?><InitiateMultipartUploadResult><UploadId>up</UploadId></InitiateMultipartUploadResult>';
  const complete =
    '<?xml version="1.0"?><CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>';

  test("parts are uploaded one after another and completed under the condition", async () => {
    behaviour = ({ method, url }) => {
      if (method === "PUT") return { status: 200, headers: { etag: '"part"' } };
      return { status: 200, body: url?.includes("uploads") ? upload : complete };
    };
    async function* parts() {
      yield new Uint8Array(PART_BYTES);
      yield bytes;
    }
    expect(await open().putParts("b/a", parts(), { ifAbsent: true })).toEqual({ outcome: "stored", etag: "whole" });
    expect(sent).toEqual([
      "POST /docs/b/a?uploads=",
      "PUT /docs/b/a?partNumber=1&uploadId=up",
      "PUT /docs/b/a?partNumber=2&uploadId=up",
      "POST /docs/b/a?uploadId=up, ifNoneMatch *",
    ]);
  });

  test("failed parts are aborted, and their error is thrown", async () => {
    behaviour = ({ method }) =>
      method === "POST" ? { status: 200, body: upload } : { status: 200, headers: { etag: '"part"' } };
    const failure = new Error("The stream broke.");
    async function* parts() {
      yield new Uint8Array(PART_BYTES);
      throw failure;
    }
    await expect(open().putParts("b/a", parts())).rejects.toBe(failure);
    expect(sent.at(-1)).toBe("DELETE /docs/b/a?uploadId=up");
  });

  test("a storage reports what is wrong and needs no restart after it is fixed", async () => {
    behaviour = () => ({ status: 403, body: errorOf("AccessDenied") });
    const storage = s3Storage({ bucket: "docs", config: config() });
    const p = storage.partition("p");
    const wrong = { code: "unavailable", outcome: "none", message: expect.stringContaining("refuses the credentials") };
    await expect(p.snapshot()).rejects.toMatchObject(wrong);
    await expect(p.commit(buildBatch({ puts: { a: 1 } }))).rejects.toMatchObject(wrong);
    behaviour = () => ({ status: 404, body: errorOf("NoSuchKey") });
    expect((await p.snapshot()).version).toBe(0);
    await storage.close();
    await expect(p.snapshot()).rejects.toMatchObject({ code: "closed" });
  });
});
