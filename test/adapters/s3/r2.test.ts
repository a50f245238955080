// The R2 adapter keeps the contract on miniflare's R2, through the same binding that a Worker has. What is above the binding
// is proven in `conformance.test.ts`, so every third case of the published suite is enough; all of them run with a seed.

import { defineConformanceTests } from "octavo/conformance";
import { afterAll, describe, expect, test } from "vitest";
import { buildBatch } from "../../../adapters/conformance/cases";
import { r2Storage } from "../../../adapters/r2/index";
import { keptFiles, visit } from "../../storage/formats/visit";
import { PATIENCE_MS } from "../../support/patience";
import { isLongRun } from "../../support/test-length";
import { PATIENT } from "./patient";
import { bucketBehind, bucketWorker } from "./r2-bucket";

describe("r2Storage", async () => {
  const { Miniflare } = await import("miniflare");
  const miniflare = new Miniflare({
    modules: true,
    script: bucketWorker,
    r2Buckets: ["BUCKET"],
  });
  afterAll(() => miniflare.dispose());
  const bucket = bucketBehind((url, init) => miniflare.dispatchFetch(url, init));
  let storages = 0;

  let cases = 0;
  const some = ((name: string, run: () => Promise<void>) => {
    if (isLongRun || cases++ % 3 === 0) test(name, run);
  }) as typeof test;

  defineConformanceTests({
    test: some,
    runs: 10,
    timeoutMs: PATIENCE_MS,
    open: async () => {
      const prefix = `storage-${++storages}`;
      const options = { prefix, inlineBytes: storages % 2 === 0 ? 1000 : 256 * 1024, timeouts: PATIENT };
      let storage = r2Storage(bucket, options);
      return {
        storage,
        another: async () => r2Storage(bucket, options),
        reopen: async () => {
          await storage.close();
          storage = r2Storage(bucket, options);
          return storage;
        },
      };
    },
  });

  test("data of format 1 opens undamaged and can be written", async () => {
    for (const [name, bytes] of await keptFiles("objects-1")) await bucket.put(`kept/${name}`, bytes);
    const storage = r2Storage(bucket, { prefix: "kept", timeouts: PATIENT });
    await visit(storage, 1);
  });

  test("the conditions of the bucket pass the probe", async () => {
    const storage = r2Storage(bucket, { prefix: "probed", testConditions: true, timeouts: PATIENT });
    expect(await storage.partition("p").commit(buildBatch({ puts: { a: 1 } }))).toEqual({ ok: true, version: 1 });
  });

  test("counters that eight storages increment at once lose nothing", async () => {
    const storages = Array.from({ length: 8 }, () => r2Storage(bucket, { prefix: "counted", timeouts: PATIENT }));
    await Promise.all(
      storages.map(async (storage) => {
        for (let i = 0; i < 5; i++) await storage.partition("p").commit(buildBatch({ adds: { n: 1 } }));
      }),
    );
    const [entry] = await (
      await r2Storage(bucket, { prefix: "counted", timeouts: PATIENT }).partition("p").snapshot()
    ).get(["n"]);
    expect(entry).toEqual({ key: "n", value: 40, version: 40 });
  });

  test("a blob in parts appears whole, in ranges and once", async () => {
    const { blobs } = r2Storage(bucket, { prefix: "parts", timeouts: PATIENT });
    const bytes = new Uint8Array(17 * 1024 * 1024);
    for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 31 + (i >> 13)) & 255;
    expect(await blobs.put("large", bytes)).toEqual({ size: bytes.length });
    const start = 8 * 1024 * 1024 - 5;
    const part = await blobs.get("large", { start, end: start + 10 });
    expect(part?.size).toBe(bytes.length);
    const read = new Uint8Array(await new Response(part!.stream).arrayBuffer());
    expect(read).toEqual(bytes.slice(start, start + 10));
    await expect(blobs.put("large", bytes)).rejects.toMatchObject({ code: "too_large" });
  });
});
