// Storage in an S3 bucket, or in any store that speaks S3 and honours its conditional writes, for any number of
// processes. `engine.ts` does the work; DESIGN.md tells how, and what it costs.

import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import {
  type ClosableBlobs,
  createObjectStorage,
  extractBlobs,
  type MaintainedStorage,
  type ObjectStorageOptions,
} from "./engine";
import { S3Objects } from "./s3-objects";
import { resolveTimeouts } from "./waits";

export type { ClosableBlobs, Maintained, MaintainedStorage } from "./engine";
export type { Timeouts } from "./waits";

/** Where an S3 storage keeps its objects, and how it behaves. */
export interface S3Options
  extends Pick<
    ObjectStorageOptions,
    "prefix" | "maxStaleness" | "cacheBytes" | "inlineBytes" | "mergeBytes" | "grace" | "merges" | "timeouts"
  > {
  readonly bucket: string;
  /** A client of yours, which stays yours to close; `maxAttempts: 1` suits it best, and how long it tries to connect is its
   * own affair, within the other limits. Default: one is made. */
  readonly client?: S3Client;
  /** What a client is made with: region, endpoint, credentials, `forcePathStyle` and so on. Default: the environment. */
  readonly config?: S3ClientConfig;
}

/** Keeps everything in a bucket. Needs the package `@aws-sdk/client-s3`; connects with the first call. */
export function s3Storage(options: S3Options): MaintainedStorage {
  const { bucket, client, config, ...behaviour } = options;
  const objects = new S3Objects({ bucket, client, config, waits: resolveTimeouts(options.timeouts) });
  const storage = createObjectStorage(objects, behaviour);
  let closing: Promise<void> | undefined;
  return {
    ...storage,
    close() {
      closing ??= storage.close().then(() => objects.close());
      return closing;
    },
  };
}

/** The blobs of a bucket alone, for a storage that keeps everything else in another place. */
export function s3Blobs(options: S3Options): ClosableBlobs {
  return extractBlobs(s3Storage(options));
}
