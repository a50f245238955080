// Storage in an S3 bucket, or in any compatible store that supports conditional writes, for any number of processes. `engine.ts` does the
// work; DESIGN.md describes the design and its costs.

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

/** The bucket of an S3 storage, and its options. */
export interface S3Options
  extends Pick<
    ObjectStorageOptions,
    "prefix" | "maxStaleness" | "cacheBytes" | "inlineBytes" | "mergeBytes" | "retentionMs" | "autoMerge" | "timeouts"
  > {
  readonly bucket: string;
  /**
   * A client, which you have to close yourself. Set its `maxAttempts` to 1. Its connection timeout is its own, within the other limits.
   * Default: a client is created.
   */
  readonly client?: S3Client;
  /** The configuration of the created client: region, endpoint, credentials, `forcePathStyle` and so on. Default: the environment. */
  readonly config?: S3ClientConfig;
}

/** Creates a storage in a bucket. Needs the package `@aws-sdk/client-s3`. It connects with the first call. */
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

/** Creates only the blobs of a bucket, for a storage that stores everything else elsewhere. */
export function s3Blobs(options: S3Options): ClosableBlobs {
  return extractBlobs(s3Storage(options));
}
