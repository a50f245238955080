// The S3 server that tests run against: the one that S3_ENDPOINT names, else a Ceph that the first test to ask starts and
// that ends by itself with the run, else a reason why there is none.

import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { DeleteObjectCommand, paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import type { Found, Outcome } from "../../../scripts/ceph";
import { whyNoCeph } from "../../../scripts/ceph/install";
import { PATIENCE_MS } from "../../support/patience";
import { aboveRuns, beginningOf, forgetTheDead } from "../../support/run-folder";

export type S3Server = Found;

/** A server, or the reason why there is none. */
type Looked = S3Server | { readonly leftOut: string };

/** The server of this run, the same for all that ask. Those who ask use a prefix of their own. */
export async function s3Server(): Promise<Looked> {
  return requiredInCi(await serverHere(), process.env);
}

/** Where `CI` is set, a server that cannot be had is a failure: a proof that is left out there would not be missed. */
export function requiredInCi(looked: Looked, env: NodeJS.ProcessEnv): Looked {
  if ("leftOut" in looked && env.CI) throw new Error(`There is no S3 server to test with: ${looked.leftOut}.`);
  return looked;
}

async function serverHere(): Promise<Looked> {
  if (process.env.S3_ENDPOINT) return named(process.env, process.env.S3_ENDPOINT);
  const leftOut = whyNoCeph();
  return leftOut === undefined ? ceph() : { leftOut: `${leftOut}; S3_ENDPOINT names no other server` };
}

/** The variables through which another process finds the server. */
export function s3Environment({ endpoint, bucket, region, forcePathStyle, credentials }: S3Server) {
  return {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_FORCE_PATH_STYLE: String(forcePathStyle),
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    ...(credentials.sessionToken ? { AWS_SESSION_TOKEN: credentials.sessionToken } : {}),
  };
}

/** Removes what tests have left under a prefix, on a server that outlives them. */
export async function removeAll({ bucket: Bucket, ...config }: S3Server, prefix: string): Promise<void> {
  if (!process.env.S3_ENDPOINT) return;
  const client = new S3Client(config);
  for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
    for (const { Key } of page.Contents ?? []) await client.send(new DeleteObjectCommand({ Bucket, Key }));
  client.destroy();
}

function named(env: NodeJS.ProcessEnv, endpoint: string): S3Server {
  const { S3_BUCKET: bucket, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!bucket || !accessKeyId || !secretAccessKey)
    throw new Error("With S3_ENDPOINT go S3_BUCKET, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
  const sessionToken = env.AWS_SESSION_TOKEN ? { sessionToken: env.AWS_SESSION_TOKEN } : {};
  return {
    bucket,
    endpoint,
    region: env.AWS_REGION || "us-east-1",
    forcePathStyle: env.S3_FORCE_PATH_STYLE !== "false",
    credentials: { accessKeyId, secretAccessKey, ...sessionToken },
  };
}

/** One Ceph for each run. Whoever makes the run's directory starts it; all others find what it has become there. */
async function ceph(): Promise<Looked> {
  // The tests of a run are spread over workers, which are children or threads of the same process.
  const run = process.env.VITEST && isMainThread ? process.ppid : process.pid;
  const dir = join(aboveRuns(), `octavo-s3-of-${run}-${await beginningOf(run)}`);
  await forgetTheDead(aboveRuns());
  if (await isFirst(dir)) {
    const log = openSync(join(dir, "output"), "a");
    const script = fileURLToPath(new URL("../../../scripts/ceph.ts", import.meta.url));
    // A session of its own, so that an interrupt at the terminal does not take the server away from tests that still run.
    spawn(process.execPath, ["--import", "tsx", script, dir, String(run)], {
      detached: true,
      stdio: ["ignore", log, log],
    }).unref();
  }
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await wait(50)) {
    const text = await readFile(join(dir, "server.json"), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const outcome = JSON.parse(text) as Outcome;
    if ("failed" in outcome) throw new Error(outcome.failed);
    return outcome;
  }
  throw new Error(`Ceph did not start: ${await readFile(join(dir, "output"), "utf8")}`);
}

async function isFirst(dir: string): Promise<boolean> {
  try {
    await mkdir(dir);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
