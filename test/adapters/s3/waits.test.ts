// A bucket that does not answer properly: every wait ends with an error.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createDocsApi } from "octavo";
import { nodeHandler } from "octavo/node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildBatch } from "../../../adapters/conformance/cases";
import { createObjectStorage, type MaintainedStorage } from "../../../adapters/s3/engine";
import { s3Storage } from "../../../adapters/s3/index";
import { PART_BYTES } from "../../../adapters/s3/object-store";
import { S3Objects } from "../../../adapters/s3/s3-objects";
import { resolveTimeouts } from "../../../adapters/s3/waits";
import { host, listenOn } from "../../support/listening";
import { PATIENCE_MS } from "../../support/patience";
import { ObjectsInMemory } from "./objects-in-memory";

// A bucket on this machine that speaks as much of S3 as the storage needs, and misbehaves when it is told to: the real SDK,
// real sockets, and a server that is silent, stalls, trickles, cuts or hangs up.

/** What the server does instead of answering. `swallows`: it does as it was told, and says nothing. */
type Misbehaviour =
  | "is silent"
  | "swallows"
  | "takes no more of an upload"
  | "sends headers and stalls"
  | "sends half and stalls"
  | "sends half and hangs up"
  | "trickles"
  | "hangs up";

interface BadBucket {
  readonly config: object;
  readonly objects: ObjectsInMemory;
  /** How many requests came. */
  requests: number;
  /** Misbehaves from now on, with requests that the test names; undefined: with none. */
  misbehave(how?: Misbehaviour, withThese?: (request: IncomingMessage) => boolean): void;
  close(): void;
}

/** How often a trickling server sends a byte, in ms. */
const TRICKLE_MS = 25;

async function badBucket(): Promise<BadBucket> {
  const objects = new ObjectsInMemory();
  let how: Misbehaviour | undefined;
  let picks: (request: IncomingMessage) => boolean = () => true;
  const trickles = new Set<NodeJS.Timeout>();
  const server = createServer(async (request, response) => {
    bucket.requests++;
    const wrong = how && picks(request) ? how : undefined;
    if (wrong === "is silent" || wrong === "takes no more of an upload") return;
    if (wrong === "hangs up") return void request.socket.resetAndDestroy();
    const answer = await answerOf(objects, request);
    const { status, headers = {}, body = new Uint8Array() } = answer;
    if (wrong === "swallows") return;
    const length = { "content-length": String(body.length) };
    if (request.method === "HEAD" || !wrong) {
      response.writeHead(status, { ...(request.method === "HEAD" ? {} : length), ...headers }).end(body);
      return;
    }
    send(wrong, response, status, { ...headers, ...(body.length < 2 ? { "content-length": "100" } : length) }, body);
  });

  function send(wrong: Misbehaviour, response: ServerResponse, status: number, headers: object, body: Uint8Array) {
    response.writeHead(status, headers as Record<string, string>);
    if (wrong === "sends headers and stalls") return response.flushHeaders();
    if (wrong === "trickles") {
      let at = 0;
      const timer = setInterval(
        () => response.write(body.subarray(at % body.length, (at++ % body.length) + 1)),
        TRICKLE_MS,
      );
      trickles.add(timer);
      response.on("close", () => clearInterval(timer));
      return;
    }
    response.write(body.length < 2 ? " " : body.subarray(0, body.length / 2), () => {
      if (wrong === "sends half and hangs up") setImmediate(() => response.socket?.end());
    });
  }

  const { origin, close } = await listenOn(server);
  const bucket: BadBucket = {
    config: {
      endpoint: origin,
      region: "us-east-1",
      forcePathStyle: true,
      credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    },
    objects,
    requests: 0,
    misbehave(next, withThese = () => true) {
      how = next;
      picks = withThese;
    },
    close() {
      for (const timer of trickles) clearInterval(timer);
      void close();
    },
  };
  return bucket;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array;
}

const uploads = new Map<string, Uint8Array[]>();

async function answerOf(objects: ObjectsInMemory, request: IncomingMessage): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const sent = new Uint8Array(Buffer.concat(chunks));
  const url = new URL(request.url!, "http://localhost");
  const [, , ...path] = url.pathname.split("/").map(decodeURIComponent);
  const name = path.join("/");
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch, range } = request.headers;
  const bare = (tag: string) => tag.replaceAll('"', "");
  if (url.searchParams.has("list-type")) return listed(objects, url);
  if (request.method === "POST") return multipart(objects, url, name);
  if (request.method === "DELETE") {
    objects.deleteNow(name);
    return { status: 204 };
  }
  if (request.method === "PUT" && url.searchParams.has("uploadId")) {
    uploads.get(url.searchParams.get("uploadId")!)?.push(sent);
    return { status: 200, headers: { etag: '"part"' } };
  }
  if (request.method === "PUT") {
    const condition = ifMatch ? { ifMatch: bare(ifMatch) } : ifNoneMatch ? ({ ifAbsent: true } as const) : undefined;
    const put = objects.putNow(name, sent, condition);
    return put.outcome === "stored"
      ? { status: 200, headers: { etag: `"${put.etag}"` } }
      : error(412, "PreconditionFailed");
  }
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  const got = objects.getNow(name, {
    ifNoneMatch: ifNoneMatch && bare(ifNoneMatch),
    range: start === undefined ? undefined : { start: Number(start), end: end ? Number(end) + 1 : undefined },
  });
  if (got.outcome === "unchanged") return { status: 304 };
  if (got.outcome === "absent") return error(404, "NoSuchKey");
  const whole = objects.getNow(name);
  const size = whole.outcome === "found" ? whole.bytes.length : 0;
  const part = start === undefined ? {} : { "content-range": `bytes ${start}-${end}/${size}` };
  if (request.method === "HEAD")
    return { status: 200, headers: { etag: `"${got.etag}"`, "content-length": String(size) } };
  return { status: start === undefined ? 200 : 206, headers: { etag: `"${got.etag}"`, ...part }, body: got.bytes };
}

function multipart(objects: ObjectsInMemory, url: URL, name: string): Answer {
  const id = url.searchParams.get("uploadId");
  if (id === null) {
    uploads.set("up", []);
    return xml("<InitiateMultipartUploadResult><UploadId>up</UploadId></InitiateMultipartUploadResult>");
  }
  const put = objects.putNow(name, new Uint8Array(Buffer.concat(uploads.get(id) ?? [])));
  return xml(`<CompleteMultipartUploadResult><ETag>"${put.outcome}"</ETag></CompleteMultipartUploadResult>`);
}

function listed(objects: ObjectsInMemory, url: URL): Answer {
  const names = objects.namesNow(url.searchParams.get("prefix") ?? "", url.searchParams.get("start-after") ?? "");
  const contents = names.map((name) => `<Contents><Key>${name}</Key></Contents>`).join("");
  return xml(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`);
}

function xml(text: string): Answer {
  return { status: 200, body: new TextEncoder().encode(`<?xml version="1.0"?>${text}`) };
}

function error(status: number, code: string): Answer {
  return { ...xml(`<Error><Code>${code}</Code><Message>Because.</Message></Error>`), status };
}

/** More than fits into one part. */
const LARGE = PART_BYTES + 1000;

/** So short that a test can wait for them. Whatever must succeed is done with the limits that are the default. */
const timeouts = { connectMs: 250, firstByteMs: 250, betweenBytesMs: 8 * TRICKLE_MS, wholeMs: 600 };

const unavailable = { code: "unavailable" };
const everyWay: Misbehaviour[] = [
  "is silent",
  "swallows",
  "takes no more of an upload",
  "sends headers and stalls",
  "sends half and stalls",
  "sends half and hangs up",
  "trickles",
  "hangs up",
];

let bucket: BadBucket;
let storage: MaintainedStorage;

/** A storage without patience, which has not looked at anything yet. */
function impatient(probes = true): MaintainedStorage {
  const objects = new S3Objects({ bucket: "docs", config: bucket.config, waits: resolveTimeouts(timeouts) });
  return createObjectStorage(objects, { timeouts, testConditions: probes });
}

beforeAll(async () => {
  bucket = await badBucket();
  storage = s3Storage({ bucket: "docs", config: bucket.config, inlineBytes: 200 });
  await storage.partition("p").commit(buildBatch({ puts: { a: 1, b: "x".repeat(5000) } }));
  await storage.blobs.put("small", new Uint8Array(10_000));
});
beforeEach(() => bucket.misbehave());
afterAll(async () => {
  bucket.misbehave();
  await storage.close();
  bucket.close();
});

describe.each(everyWay)("a bucket that %s", (how) => {
  const calls: Record<string, (storage: MaintainedStorage) => Promise<unknown>> = {
    "a snapshot": (storage) => storage.partition("p").snapshot(),
    "a first commit": (storage) => storage.partition("q").commit(buildBatch({ puts: { a: 1 } })),
    "a blob that is put": (storage) => storage.blobs.put("other", new Uint8Array(1000)),
    "a list": async (storage) => {
      for await (const _ of storage.partitions());
    },
    "maintain()": (storage) => storage.maintain(),
  };

  test("a silent bucket delays no call longer than its time limit", async () => {
    bucket.misbehave(how);
    const ends = async (name: string) => {
      const storage = impatient();
      await expect(calls[name]!(storage), name).rejects.toMatchObject(unavailable);
      await storage.close();
    };
    await Promise.all(Object.keys(calls).map(ends));
  });

  test("a silent bucket never makes a partial download look complete", async () => {
    bucket.misbehave(how, ({ method }) => method === "GET");
    const read = async () => {
      const found = await impatient().blobs.get("small");
      return new Response(found!.stream).bytes();
    };
    await expect(read()).rejects.toMatchObject(unavailable);
  });

  test("a silent bucket delays a large upload no longer than its time limit", async () => {
    bucket.misbehave(how, ({ method }) => method === "PUT");
    const storage = impatient(false);
    const name = `large-${everyWay.indexOf(how)}`;
    await expect(storage.blobs.put(name, new Uint8Array(LARGE))).rejects.toMatchObject(unavailable);
    expect(bucket.objects.namesNow("b/")).not.toContain(`b/${name}`);
  });

  test("a bucket that recovers is used again without a restart", async () => {
    bucket.misbehave(how);
    const storage = impatient();
    await expect(storage.partition("p").snapshot()).rejects.toMatchObject(unavailable);
    bucket.misbehave();
    const get = async () => (await (await storage.partition("p").snapshot()).get(["a"]))[0]?.value;
    // It is left alone for a moment.
    await expect.poll(get, { timeout: PATIENCE_MS }).toBe(1);
  });
});

test("a commit that the bucket did not answer has an unknown outcome", async () => {
  const hurried = impatient(false).partition("p");
  const version = async () => (await hurried.snapshot()).version;
  for (const how of ["swallows", "is silent"] as const) {
    await expect.poll(version, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    bucket.misbehave(how);
    const doubt = { ...unavailable, outcome: "unknown" };
    await expect(hurried.commit(buildBatch({ puts: { [how]: 1 } }))).rejects.toMatchObject(doubt);
    bucket.misbehave();
  }
  const made = await (await storage.partition("p").snapshot()).get(["swallows", "is silent"]);
  expect(made.map((entry) => entry?.value)).toEqual([1, undefined]);
});

test("a bucket that cannot be connected to has seen nothing, so the outcome is known", async () => {
  const nobody = s3Storage({ bucket: "docs", config: { ...bucket.config, endpoint: "http://127.0.0.1:1" }, timeouts });
  const commit = nobody.partition("p").commit(buildBatch({ puts: { a: 1 } }));
  await expect(commit).rejects.toMatchObject({ ...unavailable, outcome: "none" });
  await nobody.close();
});

test("an invalid time limit is rejected by its name", () => {
  for (const wrong of [0, -1, Number.NaN, 2 ** 31, "5"])
    expect(() => createObjectStorage(new ObjectsInMemory(), { timeouts: { wholeMs: wrong as number } })).toThrow(
      /timeouts\.wholeMs/,
    );
  expect(() => createObjectStorage(new ObjectsInMemory(), { timeouts: { whole: 5 } as object })).toThrow(
    /timeouts\.whole/,
  );
});

test("no timer outlives the call it was set for", async () => {
  const set = new Set<object>();
  const alarm = () => {
    const mine = {};
    set.add(mine);
    return () => void set.delete(mine);
  };
  const storage = createObjectStorage(new ObjectsInMemory(), { alarm });
  const partition = storage.partition("p");
  await partition.commit(buildBatch({ puts: { a: 1 } }));
  await (await partition.snapshot()).get(["a"]);
  await storage.blobs.put("blob", new Uint8Array(10));
  await new Response((await storage.blobs.get("blob"))!.stream).bytes();
  await storage.blobs.delete("blob");
  for await (const _ of storage.partitions());
  await storage.maintain();
  expect(set.size).toBe(0);
});

describe("the API on a silent bucket", () => {
  const secret = "a secret of more than thirty-two characters";

  /** The API on a server that has no patience with its bucket, and one on the same bucket that has. */
  async function serve() {
    const own = await badBucket();
    const open = (options: object) =>
      createDocsApi(s3Storage({ bucket: "docs", config: own.config, ...options }), { secret, onError: () => {} });
    const [patient, hurried] = [open({}), open({ timeouts })];
    const { token } = await patient.provision({
      user: { displayName: "Ada", email: "ada@example.com" },
      token: { label: "test" },
    });
    const { origin, close } = await host(nodeHandler(hurried));
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const requestOf = (method: string, path: string, body?: object) =>
      new Request(`${origin}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    return {
      own,
      hurried,
      origin,
      ask: async (...asked: Parameters<typeof requestOf>) => (await patient.fetch(requestOf(...asked))).json(),
      askHurried: (...asked: Parameters<typeof requestOf>) => fetch(requestOf(...asked)),
      async close() {
        await Promise.all([close(), patient.close(), hurried.close()]);
        own.close();
      },
    };
  }

  test("a GET and a POST on a silent bucket get 503 with Retry-After, and maintain() ends", async () => {
    const { own, hurried, askHurried, close } = await serve();
    own.misbehave("is silent");
    for (const [method, body] of [["GET"], ["POST", { title: "After" }], ["GET"]] as const) {
      const answer = await askHurried(method, "/v1/orgs", body);
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await answer.json()).error.reason).toBe("unavailable");
    }
    await expect(hurried.maintain()).rejects.toMatchObject(unavailable);
    await close();
  });

  test("a download from a silent bucket is aborted for the client and never looks complete", async () => {
    const { own, ask, origin, close } = await serve();
    const org = (await ask("POST", "/v1/orgs", { title: "Acme" })).id;
    const space = (await ask("POST", `/v1/orgs/${org}/spaces`, { title: "Guide" })).id;
    const base64 = Buffer.alloc(100_000, 7).toString("base64");
    const files = [{ name: "a.txt", contentType: "text/plain", base64, ref: "file" }];
    const changes = [{ operation: "insert_files", files }];
    const file = (await ask("POST", `/v1/spaces/${space}/content`, { changes })).insertedFiles[0].id;
    const { downloadURL } = await ask("GET", `/v1/spaces/${space}/content/files/${file}`);
    const { pathname, search } = new URL(downloadURL);
    const download = async () => {
      const answer = await fetch(`${origin}${pathname}${search}`);
      return [answer.status, (await answer.bytes()).length];
    };
    await expect.poll(download, { timeout: PATIENCE_MS }).toEqual([200, 100_000]);
    for (const how of ["sends half and stalls", "sends half and hangs up", "trickles"] as const) {
      own.misbehave(how, ({ method, url }) => method === "GET" && url!.includes("/b/"));
      await expect(download(), how).rejects.toThrow();
      own.misbehave();
      await expect.poll(download, { timeout: PATIENCE_MS }).toEqual([200, 100_000]);
    }
    await close();
  });
});
