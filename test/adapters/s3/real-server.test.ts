// The S3 adapter on servers that are real: it keeps the contract on one that honours conditions, and refuses one that
// ignores them.

import { randomUUID } from "node:crypto";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { type Candidate, defineConformanceTests } from "octavo/conformance";
import { type S3Options, s3Storage } from "octavo/s3";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { PATIENCE_MS } from "../../support/patience";
import { isLongRun, runs } from "../../support/test-length";
import { carelessServer } from "./careless-server";
import { PATIENT } from "./patient";
import { removeAll, s3Server } from "./server";

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
