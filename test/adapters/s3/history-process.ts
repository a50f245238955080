// A process of a history on the S3 server that its environment names, under a prefix.

import { createObjectStorage } from "../../../adapters/s3/engine";
import type { ObjectStore } from "../../../adapters/s3/object-store";
import { S3Objects } from "../../../adapters/s3/s3-objects";
import { resolveTimeouts } from "../../../adapters/s3/waits";
import { isCareless, work } from "../../support/history-worker";
import { PATIENT } from "./patient";
import { s3Server } from "./server";

const [prefix] = process.argv.slice(2) as [string];
const server = await s3Server();
if ("leftOut" in server) throw new Error(server.leftOut);
const { bucket, ...config } = server;
const objects = new S3Objects({ bucket, config, waits: resolveTimeouts(PATIENT) });
await work(
  isCareless
    ? createObjectStorage(withoutConditions(objects), { prefix, testConditions: false, timeouts: PATIENT })
    : // Small enough for segments to come, to be merged and to be deleted while others read.
      createObjectStorage(objects, {
        prefix,
        inlineBytes: 2048,
        cacheBytes: 16 * 1024,
        retentionMs: 250,
        timeouts: PATIENT,
      }),
);

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
