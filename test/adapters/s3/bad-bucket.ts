// A bucket on this machine that speaks as much of S3 as the storage needs, and misbehaves when it is told to: the real SDK,
// real sockets, and a server that is silent, stalls, trickles, cuts or hangs up.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PART_BYTES } from "../../../adapters/s3/object-store";
import { ObjectsInMemory } from "./objects-in-memory";

/** What the server does instead of answering. `swallows`: it does as it was told, and says nothing. */
export type Misbehaviour =
  | "is silent"
  | "swallows"
  | "takes no more of an upload"
  | "sends headers and stalls"
  | "sends half and stalls"
  | "sends half and hangs up"
  | "trickles"
  | "hangs up";

export interface BadBucket {
  readonly config: object;
  readonly objects: ObjectsInMemory;
  /** How many requests came. */
  requests: number;
  /** Misbehaves from now on, with requests that the test names; undefined: with none. */
  misbehave(how?: Misbehaviour, withThese?: (request: IncomingMessage) => boolean): void;
  close(): void;
}

/** How often a trickling server sends a byte, in ms. */
export const TRICKLE_MS = 25;

export async function badBucket(): Promise<BadBucket> {
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

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bucket: BadBucket = {
    config: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
      server.closeAllConnections();
      server.close();
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
export const LARGE = PART_BYTES + 1000;
