// Makes many calls of an operation at once, to one API on one storage, and as many to APIs on storages of their own. The second
// is what the processor and the storage can do where nobody is in the way of anybody.

import type { OperationName, Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { createObjectStorage } from "../../../adapters/s3/engine";
import { allOperations } from "../../../src/operations";
import { ObjectsInMemory } from "../../adapters/s3/objects-in-memory";
import { allCopiers, type Copier } from "../../invariants/copies";
import { type Cast, type Example, examples, mute, parrot, prepare } from "../../invariants/examples";
import { type Fill, fillerOf, sealLogs } from "../../invariants/faults";
import { web } from "../../resources/content/imports-web";
import { open, setUp } from "../../support/setting";
import { through } from "../../support/through";
import type { ModelClock } from "./model-clock";
import { type Calls, callsOf, createCrowd } from "./requests";

/** The operations that write. */
export const writes: readonly OperationName[] = allOperations()
  .filter(({ definition: { method, spec } }) => method !== "GET" && !spec.isReadOnly)
  .map(({ name }) => name as OperationName);

/** The operations that write, with calls of each. */
export interface Subjects {
  readonly cast: Cast;
  readonly calls: ReadonlyMap<OperationName, Calls>;
  /** Copies of the storage that the calls are about. */
  readonly copierFor: (storage: string, distance?: Distance) => Promise<Copier>;
}

/** Makes what so many calls of each of these operations need. */
export async function prepareSubjects(count: number, names: readonly OperationName[] = writes): Promise<Subjects> {
  const base = memoryStorage();
  const cast = await prepare(await setUp(base, { fetch: web, translator: mute, ask: parrot }));
  const rows: Record<string, Example> = examples(cast);
  const crowd = createCrowd(cast, count);
  const calls = new Map<OperationName, Calls>();
  for (const name of names) calls.set(name, await callsOf(name, rows[name]!, cast, crowd));
  await sealLogs(base, cast.clock.now);
  const fill = await fillerOf(base);
  const copierFor = (storage: string, distance?: Distance) =>
    distance ? copiesOfDistantObjects(fill, distance) : allCopiers.find(([name]) => name === storage)![1](fill);
  return { cast, calls, copierFor };
}

/** What became of calls that were made at once. */
export interface Outcome {
  /** How many calls got each status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** How many calls the server refused, for each reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** How often a transaction was run again. */
  readonly retries: number;
  /** The milliseconds of each call, in the order in which they were made. */
  readonly times: readonly number[];
  /** The milliseconds from the first call until everything is done that follows from the calls. */
  readonly whole: number;
  /** The milliseconds of the processor. */
  readonly processor: number;
}

/** How long the object store takes for each request, in milliseconds. */
export const LATENCY_MS = 20;

/** A bucket that is as far away as a real one, on the clock of the measurement. */
export interface Distance {
  readonly clock: ModelClock;
  /** How many requests were made. */
  readonly requests: { puts: number; gets: number };
}

class DistantObjects extends ObjectsInMemory {
  constructor(private readonly distance: Distance) {
    super();
  }

  override async put(...given: Parameters<ObjectsInMemory["put"]>) {
    this.distance.requests.puts++;
    await this.distance.clock.sleep(LATENCY_MS);
    return super.put(...given);
  }

  override async get(...given: Parameters<ObjectsInMemory["get"]>) {
    this.distance.requests.gets++;
    await this.distance.clock.sleep(LATENCY_MS);
    return super.get(...given);
  }
}

/** Copies of objects that are near when they are made, and far away afterwards. */
async function copiesOfDistantObjects(fill: Fill, { clock, requests }: Distance): Promise<Copier> {
  const objects = new ObjectsInMemory();
  const original = createObjectStorage(objects);
  await fill(original);
  await original.close();
  return {
    async copy() {
      const copy = objects.copyTo(new DistantObjects({ clock, requests }));
      // What a process asks once is no part of any call.
      const began = Date.now();
      const now = () => began + clock.now();
      const storage = createObjectStorage(copy, { testConditions: false, now, pause: (ms) => clock.sleep(ms) });
      return { storage, cleanUp: () => storage.close() };
    },
    cleanUp: async () => {},
  };
}

/** How long a database takes for each round trip, in milliseconds. */
export const ROUND_TRIP_MS = 0.5;

/** How long each call of a storage, with what a request does between two of them, keeps the only processor busy, in
 * milliseconds. */
export const PROCESSOR_MS = 0.2;

/** A storage whose calls keep the processor of a model clock busy, and take a round trip. */
function modelledStorage(storage: Storage, clock: ModelClock, roundTripMs = 0): Storage {
  const after = async <T>(result: () => Promise<T>): Promise<T> => {
    await clock.work(PROCESSOR_MS);
    if (roundTripMs > 0) await clock.sleep(roundTripMs);
    return result();
  };
  return through(storage, {
    snapshot: after,
    get: (_, go) => after(go),
    list: (_, go) => after(go),
    commit: (_, go) => after(go),
  });
}

/** Copies of a storage in memory that is as far away as a database on another machine. */
export async function copiesOfDatabase({ copierFor }: Subjects, clock: ModelClock): Promise<Copier> {
  return modelled(await copierFor("memory"), clock, ROUND_TRIP_MS);
}

/** Copies of a bucket as far away as a real one. */
export async function copiesOfBucket({ copierFor }: Subjects, clock: ModelClock): Promise<Copier> {
  return modelled(await copierFor("object storage", { clock, requests: { puts: 0, gets: 0 } }), clock);
}

function modelled({ copy, cleanUp }: Copier, clock: ModelClock, roundTripMs?: number): Copier {
  return {
    async copy() {
      const copied = await copy();
      return { ...copied, storage: modelledStorage(copied.storage, clock, roundTripMs) };
    },
    cleanUp,
  };
}

type Api = ReturnType<typeof opened>;

/** Makes a call of each API at once. The same API may stand there many times. */
async function callAtOnce(calls: Calls, apis: readonly Api[], now: () => number): Promise<Outcome> {
  const usedBefore = process.cpuUsage();
  const began = now();
  const times: number[] = [];
  const answers = await Promise.all(
    apis.map(async ({ askWith }, number) => {
      const { token, ask, send } = calls(number);
      const answer = await askWith(token, ask, send);
      times[number] = now() - began;
      return answer;
    }),
  );
  for (const { work } of apis) while (work.length > 0) await work.shift();
  const whole = now() - began;
  const used = process.cpuUsage(usedBefore);
  const statuses: Record<number, number> = {};
  const refused: Record<string, number> = {};
  for (const { status, body } of answers) {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status < 500) continue;
    const reason: string = body?.error?.reason ?? "none";
    refused[reason] = (refused[reason] ?? 0) + 1;
  }
  const retries = [...new Set(apis)].reduce((sum, { api }) => sum + api.metrics().retries, 0);
  return { statuses, refused, retries, times, whole, processor: (used.user + used.system) / 1000 };
}

/** An API as a server has it that stays: work for others goes on after the answer. */
function opened(subjects: Subjects, storage: Storage) {
  const work: Promise<unknown>[] = [];
  const began = performance.now();
  const start = subjects.cast.clock.now.getTime() + 1000;
  const options = {
    fetch: web,
    translator: mute,
    ask: parrot,
    onError: () => {},
    waitUntil: (more: Promise<unknown>) => void work.push(more),
    now: () => new Date(start + performance.now() - began),
  };
  return { ...open(storage, options), work };
}

/** Calls before a measurement, to another copy: the first calls of an operation are slower than all others. */
export async function warmUpProcess(subjects: Subjects, copier: Copier, name: OperationName): Promise<void> {
  for (let round = 0; round < 2; round++) await onOneThing(subjects, copier, name, 8);
}

/** What a process has in memory after a while: who asks, and what the rights of people rest on. */
async function warmUp({ cast }: Subjects, { askWith }: Api, calls: Calls, number: number): Promise<void> {
  await askWith(calls(number).token, `GET /v1/spaces/${cast.space}`);
}

/** Makes so many calls of an operation at once on one thing. */
export async function onOneThing(
  subjects: Subjects,
  copier: Copier,
  name: OperationName,
  count: number,
  now = () => performance.now(),
): Promise<Outcome> {
  const calls = subjects.calls.get(name)!;
  const { storage, cleanUp } = await copier.copy();
  try {
    const api = opened(subjects, storage);
    await warmUp(subjects, api, calls, 0);
    return await callAtOnce(calls, Array(count).fill(api), now);
  } finally {
    await cleanUp();
  }
}

/** Makes so many calls of an operation at once, each on a thing that nobody else touches. */
export async function onManyThings(
  subjects: Subjects,
  copier: Copier,
  name: OperationName,
  count: number,
  now = () => performance.now(),
): Promise<Outcome> {
  const calls = subjects.calls.get(name)!;
  const copies = await Promise.all(Array.from({ length: count }, () => copier.copy()));
  try {
    const apis = copies.map(({ storage }) => opened(subjects, storage));
    for (const [number, api] of apis.entries()) await warmUp(subjects, api, calls, number);
    return await callAtOnce(calls, apis, now);
  } finally {
    for (const { cleanUp } of copies) await cleanUp();
  }
}
