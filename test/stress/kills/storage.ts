// Where the killed processes keep their data: in the LevelDB directory of a run, in the PostgreSQL that OCTAVO_KILLS_URL
// names, or in the bucket that the variables of S3 name. Servers are the run's own.

import { basename, join } from "node:path";
import { env } from "node:process";
import { levelStorage } from "../../../adapters/level";
import { postgresStorage } from "../../../adapters/postgres";
import { s3Storage } from "../../../adapters/s3";
import type { Storage } from "../../../src/index";
import { PATIENT } from "../../adapters/s3/patient";

export function openStorage(directory: string): Storage {
  const { OCTAVO_KILLS_URL: url, S3_ENDPOINT: endpoint } = env;
  if (url !== undefined) return postgresStorage(url, { connections: 4 });
  if (endpoint === undefined) return levelStorage(join(directory, "data"));
  return s3Storage({
    bucket: env.S3_BUCKET!,
    prefix: `${basename(directory)}/`,
    timeouts: PATIENT,
    config: {
      endpoint,
      region: env.AWS_REGION!,
      forcePathStyle: env.S3_FORCE_PATH_STYLE === "true",
      credentials: { accessKeyId: env.AWS_ACCESS_KEY_ID!, secretAccessKey: env.AWS_SECRET_ACCESS_KEY! },
    },
  });
}
