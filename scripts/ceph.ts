// `tsx scripts/ceph.ts` gives this machine an S3 server until it is interrupted: it installs Ceph when it has to, starts it
// on free ports and prints the variables that lead to it. The tests start it the same way, with a directory and a process:
// it writes what became of it to `server.json` there, and ends when that process has.

import { readFileSync } from "node:fs";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { type Cluster, startCluster } from "./ceph/cluster";
import { installCeph, whyNoCeph } from "./ceph/install";

/** What becomes of a start: a server with an empty bucket, a reason to do without one, or a failure. */
export type Outcome = Found | { readonly leftOut: string } | { readonly failed: string };

/** An S3 server: a bucket, and what an S3 client is made with to reach it. */
export interface Found {
  readonly bucket: string;
  readonly endpoint: string;
  readonly region: string;
  readonly forcePathStyle: boolean;
  readonly credentials: Cluster["credentials"] & { readonly sessionToken?: string };
}

const BUCKET = "octavo";
const LOOK_MS = 200;

const [givenDir, givenProcess] = process.argv.slice(2);
const dir = givenDir ?? (await mkdtemp(join(tmpdir(), "octavo-s3-")));
let cluster: Cluster | undefined;
let isOver = false;

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, () => void end());
if (givenProcess) setInterval(() => isAlive(givenProcess) || void end(), LOOK_MS);

const outcome = await attempt();
if (givenDir) {
  await writeFile(join(dir, "server.new"), JSON.stringify(outcome));
  await rename(join(dir, "server.new"), join(dir, "server.json"));
} else if ("endpoint" in outcome) {
  console.log(`export S3_ENDPOINT=${outcome.endpoint} S3_BUCKET=${outcome.bucket} S3_FORCE_PATH_STYLE=true`);
  console.log(`export AWS_REGION=${outcome.region} AWS_ACCESS_KEY_ID=${outcome.credentials.accessKeyId}`);
  console.log(`export AWS_SECRET_ACCESS_KEY=${outcome.credentials.secretAccessKey}`);
} else {
  console.error("failed" in outcome ? outcome.failed : `There will be no S3 server: ${outcome.leftOut}.`);
  await end();
}

async function attempt(): Promise<Outcome> {
  const leftOut = whyNoCeph();
  if (leftOut !== undefined) return { leftOut };
  try {
    await installCeph();
  } catch (error) {
    return { leftOut: `Ceph could not be installed (${lastLine(error)})` };
  }
  try {
    cluster = await startCluster(dir);
    const { endpoint, credentials } = cluster;
    const reach = { endpoint, region: "us-east-1", forcePathStyle: true };
    // A copy of the credentials, since the client writes into them.
    const client = new S3Client({ ...reach, credentials: { ...credentials } });
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    return { bucket: BUCKET, ...reach, credentials };
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** What is still starting is killed by the kernel when this process exits. */
async function end(): Promise<void> {
  if (isOver) return;
  isOver = true;
  await cluster?.stop();
  await rm(dir, { recursive: true, force: true });
  process.exit();
}

/** A process that has ended but that nobody has asked about stays in the table as Z. */
function isAlive(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr || message).trim().split("\n").at(-1)!;
}
