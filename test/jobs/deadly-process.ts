// The process that `deadly-jobs.test.ts` starts: it opens the directory that it is given, at the time that it is given, and
// does the jobs that are due there. One of them kills it. What it got done is a line on its output, for each job.

import { levelStorage } from "../../adapters/level";
import { defineJob, enqueueJob, type JobContext, type JobType, listJobs } from "../../src/jobs/jobs";
import { createOutbox } from "../../src/jobs/outbox";
import { createObjectCache } from "../../src/storage/objects";
import { createStore } from "../../src/storage/store";
import { runJobs } from "./run-jobs";

const [directory, time, isFirst] = process.argv.slice(2) as [string, string, string];
const partition = "org-a";
const say = (line: string) => process.stdout.write(`${line}\n`);

const store = createStore(levelStorage(directory), {
  now: () => new Date(Number(time)),
  random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
  pause: async () => {},
});
const onError = (error: unknown) => say(`error: ${(error as Error).message.replace(/job_\w+/, "it")}`);
const outbox = createOutbox(store, undefined, onError);
const none = { audit: {} as JobContext["audit"], ports: {} as JobContext["ports"] };
const work: JobContext = {
  store,
  onError,
  outbox,
  objects: createObjectCache(),
  contents: createObjectCache(),
  ...none,
};

const deadly = defineJob<string>("deadly", async () => {
  say("begun: deadly");
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => {});
});
const note = defineJob<string>("note", async (_, payload) => void say(`done: ${payload}`));

if (isFirst === "first")
  await store.write(partition, async (tx) => {
    const at = { partition, code: "000000000000" };
    enqueueJob(work, at, tx, deadly, "deadly", new Date(Number(time) + 1));
    enqueueJob(work, at, tx, note, "note", new Date(Number(time) + 2));
  });
await runJobs(work, partition, new Map<string, JobType<never>>([deadly, note].map((it) => [it.name, it])));
const [parked] = await listJobs(await store.read(partition), "parked", undefined, 10);
if (parked) say(`parked: ${parked.job.step}: ${parked.job.error}`);
await store.storage.close();
