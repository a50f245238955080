// The S3 adapter on servers that are real: it keeps the contract on one that honours conditions, and refuses one that
// ignores them.

import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { type Candidate, defineConformanceTests } from "octavo/conformance";
import { type S3Options, s3Storage } from "octavo/s3";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { host } from "../../support/listening";
import { PATIENCE_MS } from "../../support/patience";
import { isLongRun, runs } from "../../support/test-length";
import { PATIENT } from "./patient";
import { removeAll, type S3Server, s3Server } from "./server";

// An S3 server that takes no notice of If-Match and If-None-Match: one that must be refused. It keeps objects in memory and
// knows what a storage asks for before it writes, and the list that a test looks at afterwards.

async function carelessServer(): Promise<{ readonly server: S3Server; readonly stop: () => Promise<void> }> {
  const bucket = "careless";
  const objects = new Map<string, Buffer>();
  const { origin, close } = await host(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const name = decodeURIComponent(pathname).replace(`/${bucket}/`, "");
    if (searchParams.has("list-type")) return void response.end(listOf([...objects.keys()]));
    if (request.method === "PUT") objects.set(name, await bodyOf(request));
    if (request.method === "DELETE") objects.delete(name);
    const kept = objects.get(name);
    if (!kept) return void response.writeHead(request.method === "DELETE" ? 204 : 404).end();
    response.setHeader("etag", `"${createHash("md5").update(kept).digest("hex")}"`);
    return void response.end(request.method === "GET" ? kept : undefined);
  });
  const credentials = { accessKeyId: "anybody", secretAccessKey: "anything" };
  return { server: { bucket, endpoint: origin, region: "us-east-1", forcePathStyle: true, credentials }, stop: close };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function listOf(names: readonly string[]): string {
  const contents = names.map((name) => `<Contents><Key>${name}</Key></Contents>`).join("");
  return `<?xml version="1.0"?><ListBucketResult><KeyCount>${names.length}</KeyCount>${contents}</ListBucketResult>`;
}

const server = await s3Server();
if ("leftOut" in server) {
  console.log(`The conformance of octavo/s3 with a real S3 server was left out: ${server.leftOut}.`);
} else {
  const { bucket, ...config } = server;
  const everything = `conformance-${randomUUID()}`;
  const open = (behaviour: Partial<S3Options>) => async (): Promise<Candidate> => {
    const prefix = `${everything}/${randomUUID()}`;
    const onServer = () => s3Storage({ ...behaviour, bucket, config, prefix, timeouts: PATIENT });
    let storage = onServer();
    return {
      storage,
      another: async () => onServer(),
      reopen: async () => {
        await storage.close();
        storage = onServer();
        return storage;
      },
    };
  };
  afterAll(() => removeAll(server, everything));

  describe("s3Storage on a real S3 server", () =>
    defineConformanceTests({ test, open: open({}), runs: runs(100), timeoutMs: PATIENCE_MS }));
  // The server hears the same kinds of requests, and `conformance.test.ts` proves the engine with these options.
  describe.runIf(isLongRun)("s3Storage on a real S3 server, with many small segments and no cache", () =>
    defineConformanceTests({
      test,
      open: open({ inlineBytes: 512, cacheBytes: 0 }),
      runs: runs(20),
      timeoutMs: PATIENCE_MS,
    }),
  );
}

test("a server that ignores conditions is refused by name before anything is written", async () => {
  const { server, stop } = await carelessServer();
  onTestFinished(stop);
  const { bucket, ...config } = server;
  const storage = s3Storage({ bucket, config, timeouts: PATIENT });
  const commit = storage.partition("p").commit({ checks: [], puts: [{ key: "k", value: 1 }], deletes: [], adds: [] });
  await expect(commit).rejects.toMatchObject({
    code: "unavailable",
    outcome: "none",
    message: expect.stringMatching(/careless .* ignores If-None-Match/),
  });
  const left = await new S3Client(config).send(new ListObjectsV2Command({ Bucket: bucket }));
  expect(left.Contents ?? []).toEqual([]);
  await storage.close();
});
