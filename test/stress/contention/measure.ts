// Sends the same request many times at once, to one API on one storage, and once to each of as many APIs on storages of their
// own. The second is what the processor and the storage can do where nobody is in the way of anybody.

import { setTimeout as wait } from "node:timers/promises";
import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { objectStorage } from "../../../adapters/s3/engine";
import { allOperations } from "../../../src/operations";
import { type Copier, copiers } from "../../invariants/copies";
import { allowedPerson, type Cast, type Example, examples, mute, parrot, prepare } from "../../invariants/examples";
import { type Fill, fillerOf, sealLogs } from "../../invariants/faults";
import { web } from "../../resources/imports-web";
import { ObjectsInMemory } from "../../s3/objects-in-memory";
import { open, setUp } from "../../support/setting";

/** The operations that write, with an example of each. */
export interface Subjects {
  readonly cast: Cast;
  readonly writes: ReadonlyMap<string, Example>;
  /** Gives copies of the storage that all examples are about. */
  readonly copierFor: (storage: string, place?: "distant") => Promise<Copier>;
}

export async function prepareSubjects(): Promise<Subjects> {
  const base = memoryStorage();
  const cast = await prepare(await setUp(base, { fetch: web, translator: mute, ask: parrot }));
  const rows: Record<string, Example> = examples(cast);
  await sealLogs(base, cast.clock.now);
  const fill = await fillerOf(base);
  const writes = new Map(
    allOperations()
      .filter(({ definition: { method, spec } }) => method !== "GET" && !spec.isReadOnly)
      .map(({ name }) => [name, rows[name]!]),
  );
  const copierFor = (storage: string, place?: "distant") =>
    place === "distant" && storage === "object storage"
      ? copiesOfDistantObjects(fill)
      : copiers.find(([name]) => name === storage)![1](fill);
  return { cast, writes, copierFor };
}

/** What became of calls that were made at once. */
export interface Outcome {
  readonly calls: number;
  /** How many calls got each status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Calls that were refused because others were quicker. That too many imports are under way is another refusal. */
  readonly refused: number;
  /** How often a transaction was run again. */
  readonly retries: number;
  /** The milliseconds of each call, in order. */
  readonly times: readonly number[];
  /** The milliseconds from the first call to the last answer. */
  readonly whole: number;
  /** The milliseconds of the processor. */
  readonly processor: number;
}

/** How long the object store takes for each request, in milliseconds. */
const LATENCY_MS = 20;

/** A bucket in memory that is as far away as a real one. */
class DistantObjects extends ObjectsInMemory {
  override async put(...given: Parameters<ObjectsInMemory["put"]>) {
    await wait(LATENCY_MS);
    return super.put(...given);
  }

  override async get(...given: Parameters<ObjectsInMemory["get"]>) {
    await wait(LATENCY_MS);
    return super.get(...given);
  }
}

async function copiesOfDistantObjects(fill: Fill): Promise<Copier> {
  const objects = new ObjectsInMemory();
  const original = objectStorage(objects);
  await fill(original);
  await original.close();
  return {
    async copy() {
      const storage = objectStorage(objects.copyTo(new DistantObjects()));
      return { storage, cleanUp: () => storage.close() };
    },
    cleanUp: async () => {},
  };
}

/** Makes a call of each API at once. The same API may stand there many times. */
async function callAtOnce(
  subjects: Subjects,
  example: Example,
  apis: readonly ReturnType<typeof opened>[],
): Promise<Outcome> {
  const token = subjects.cast.tokens[allowedPerson(example)];
  const usedBefore = process.cpuUsage();
  const began = performance.now();
  const times: number[] = [];
  const answers = await Promise.all(
    apis.map(async ({ askWith }) => {
      const answer = await askWith(token, example.ask, example.send);
      times.push(performance.now() - began);
      return answer;
    }),
  );
  const whole = performance.now() - began;
  const used = process.cpuUsage(usedBefore);
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const refused = answers.filter(({ body }) => body?.error?.reason === "unavailable").length;
  const retries = [...new Set(apis)].reduce((sum, { api }) => sum + api.metrics().retries, 0);
  return { calls: apis.length, statuses, refused, retries, times, whole, processor: (used.user + used.system) / 1000 };
}

function opened(subjects: Subjects, storage: Storage) {
  const opened = open(storage, { fetch: web, translator: mute, ask: parrot, onError: () => {} });
  opened.clock.now = new Date(subjects.cast.clock.now.getTime() + 1000);
  return opened;
}

/** What a process has in memory after a while: who asks, and what the rights of people rest on. */
async function warmUp(subjects: Subjects, { askWith }: ReturnType<typeof opened>, example: Example): Promise<void> {
  const token = subjects.cast.tokens[allowedPerson(example)];
  await askWith(token, `GET /v1/spaces/${subjects.cast.space}`);
}

/** Makes so many calls of an example at once on one thing. */
export async function onOneThing(
  subjects: Subjects,
  copier: Copier,
  example: Example,
  calls: number,
): Promise<Outcome> {
  const { storage, cleanUp } = await copier.copy();
  try {
    const api = opened(subjects, storage);
    await warmUp(subjects, api, example);
    return await callAtOnce(subjects, example, Array(calls).fill(api));
  } finally {
    await cleanUp();
  }
}

/** Makes so many calls of an example at once, each on a thing that nobody else touches. */
export async function onManyThings(
  subjects: Subjects,
  copier: Copier,
  example: Example,
  calls: number,
): Promise<Outcome> {
  const copies = await Promise.all(Array.from({ length: calls }, () => copier.copy()));
  try {
    const apis = copies.map(({ storage }) => opened(subjects, storage));
    for (const api of apis) await warmUp(subjects, api, example);
    return await callAtOnce(subjects, example, apis);
  } finally {
    for (const { cleanUp } of copies) await cleanUp();
  }
}
