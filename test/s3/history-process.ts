// One of the processes of a history: it runs its workload on the server that its environment names as soon as it is told
// to, tidies the storage meanwhile, and writes every call down before it makes the next one.

import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { objectStorage } from "../../adapters/s3/engine";
import type { ObjectStore } from "../../adapters/s3/object-store";
import { S3Objects } from "../../adapters/s3/s3-objects";
import { waitsOf } from "../../adapters/s3/waits";
import { runWorkload } from "./history-workload";
import { PATIENT } from "./patient";
import { s3Server } from "./server";

const [prefix, name, seed, transactions] = process.argv.slice(2) as [string, string, string, string];
const server = await s3Server();
if ("leftOut" in server) throw new Error(server.leftOut);
const { bucket, ...config } = server;
const objects = new S3Objects({ bucket, config, waits: waitsOf(PATIENT) });
const isCareless = process.env.CARELESS === "true";
const storage = isCareless
  ? objectStorage(withoutConditions(objects), { prefix, probes: false, timeouts: PATIENT })
  : // Small enough for segments to come, to be merged and to be deleted while others read.
    objectStorage(objects, { prefix, inlineBytes: 2048, cacheBytes: 16 * 1024, grace: 250, timeouts: PATIENT });
await storage.partition("left").snapshot();
writeSync(1, "ready\n");
for await (const _ of process.stdin) break;
let isOver = false;
// Without conditions the storage soon notices by itself; what was acknowledged until then is what the control is about.
if (isCareless) await work().catch(() => {});
else await Promise.all([tidy(), work()]);
await storage.close();
process.exit();

async function work(): Promise<void> {
  const record = (line: object) => void writeSync(1, `${JSON.stringify(line)}\n`);
  await runWorkload(storage, { name, seed: Number(seed), transactions: Number(transactions), atOnce: 4, record });
  isOver = true;
}

/** The control: whoever writes last wins. */
function withoutConditions(objects: ObjectStore): ObjectStore {
  return new Proxy(objects, {
    get(target, name) {
      if (name === "put") return (object: string, bytes: Uint8Array) => target.put(object, bytes);
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** What fails is tried again by whoever tidies next. */
async function tidy(): Promise<void> {
  while (!isOver) {
    await storage.maintain().catch(() => {});
    await wait(100);
  }
}
