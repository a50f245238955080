// The engine keeps the contract, on a store that does what S3 promises: with room in the heads, and with so little that
// every few commits become a segment and segments are merged all the time.

import { defineConformanceTests } from "octavo/conformance";
import { describe, test } from "vitest";
import { createObjectStorage, type ObjectStorageOptions } from "../../../adapters/s3/engine";
import { PATIENCE_MS } from "../../support/patience";
import { ObjectsInMemory } from "./objects-in-memory";

function conformance(options: ObjectStorageOptions): void {
  defineConformanceTests({
    test,
    timeoutMs: PATIENCE_MS,
    open: async () => {
      const objects = new ObjectsInMemory();
      let storage = createObjectStorage(objects, options);
      return {
        storage,
        another: async () => createObjectStorage(objects, options),
        reopen: async () => {
          await storage.close();
          storage = createObjectStorage(objects, options);
          return storage;
        },
      };
    },
  });
}

describe("objectStorage with its own sizes", () => conformance({}));

describe("objectStorage with small heads", () => conformance({ prefix: "some/where", inlineBytes: 100 }));

describe("objectStorage without a cache", () => conformance({ inlineBytes: 2000, cacheBytes: 0 }));
