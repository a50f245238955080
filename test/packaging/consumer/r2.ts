// A program with a bucket that is not there: the door opens without any SDK, and the first use says what went wrong.

import { type R2BucketLike, r2Storage } from "octavo/r2";

const away = async (): Promise<never> => {
  throw new Error("no network");
};
const bucket = { head: away, get: away, put: away, delete: away, list: away, createMultipartUpload: away };
const error: unknown = await r2Storage(bucket satisfies R2BucketLike)
  .partition("directory")
  .snapshot()
  .catch((reason: unknown) => reason);
if (!(error instanceof Error) || error.name !== "Unavailable") throw new Error(`An R2 bucket that is away: ${error}`);
