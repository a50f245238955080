// A program of somebody who forgot to install the S3 client: the door opens, and the first use says what is missing.

import { type S3Options, s3Storage } from "octavo/s3";

const options: S3Options = { bucket: "docs", prefix: "octavo/" };
const error: unknown = await s3Storage(options)
  .partition("directory")
  .snapshot()
  .catch((reason: unknown) => reason);
const told = error instanceof Error ? error.message : "nothing";
if (!/@aws-sdk\/client-s3/.test(told))
  throw new Error(`Without the package @aws-sdk/client-s3 the storage says: ${told}`);
