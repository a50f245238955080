// The API over a bucket that stops answering in the middle of a request. For every operation, and whichever request is
// the last that is answered, the caller gets an answer within 30 seconds of virtual time.

import { createDocsApi } from "octavo";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { r2Storage } from "../../../adapters/r2/index";
import { createObjectStorage } from "../../../adapters/s3/engine";
import {
  type Condition,
  type GetResult,
  type ObjectRange,
  type PutResult,
  StoreFailure,
} from "../../../adapters/s3/object-store";
import { allowedPerson, type Cast, type Example, examples, mute, parrot, prepare } from "../../invariants/examples";
import { web } from "../../resources/content/imports-web";
import { open, setUp } from "../../support/setting";
import { isLongRun } from "../../support/test-length";
import { ObjectsInMemory } from "./objects-in-memory";

const never = new Promise<never>(() => {});
const LIMIT_MS = 30_000;
const GIVEN_UP_AFTER_MS = 5_000;

/** A bucket that answers so many requests, and then none, which a driver gives up after its own limit. */
class FallingSilent extends ObjectsInMemory {
  answers = Number.POSITIVE_INFINITY;
  asked = 0;

  async #answer<T>(answer: () => T | Promise<T>): Promise<T> {
    if (++this.asked <= this.answers) return answer();
    await new Promise((done) => setTimeout(done, GIVEN_UP_AFTER_MS));
    throw new StoreFailure("It gave no answer.", { outcome: "unknown", isTransient: true });
  }
  override put(name: string, bytes: Uint8Array, condition?: Condition): Promise<PutResult> {
    return this.#answer(() => this.putNow(name, bytes, condition));
  }
  override get(name: string, options?: { ifNoneMatch?: string | undefined; range?: ObjectRange | undefined }) {
    return this.#answer<GetResult>(() => this.getNow(name, options));
  }
  override stat(name: string) {
    return this.#answer(() => super.stat(name));
  }
  override open(name: string, range?: ObjectRange) {
    return this.#answer(() => super.open(name, range));
  }
  override delete(name: string) {
    return this.#answer(() => super.delete(name));
  }
  override async *list(prefix: string, after?: string): AsyncGenerator<string> {
    yield* await this.#answer(() => this.namesNow(prefix, after));
  }
}

/** Waits for work, and lets time pass when nothing else happens. */
async function inTime<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const began = Date.now();
  let isDone = false;
  const finish = () => {
    isDone = true;
  };
  work.then(finish, finish);
  while (!isDone) {
    for (let turn = 0; turn < 5 && !isDone; turn++) await new Promise((done) => setImmediate(done));
    if (!isDone) await vi.advanceTimersToNextTimerAsync();
  }
  return { value: await work, ms: Date.now() - began };
}

let base: FallingSilent;
let cast: Cast;
let rows: Record<string, Example>;

beforeAll(async () => {
  base = new FallingSilent();
  cast = await prepare(await setUp(createObjectStorage(base), { fetch: web, translator: mute, ask: parrot }));
  rows = examples(cast);
});
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** A process that has not read anything yet, on a copy of the bucket. */
function stage() {
  const objects = new FallingSilent();
  for (const name of base.namesNow("")) {
    const got = base.getNow(name);
    if (got.outcome === "found") objects.putNow(name, got.bytes);
  }
  const { api, clock, askWith } = open(createObjectStorage(objects), {
    fetch: web,
    translator: mute,
    ask: parrot,
    onError: () => {},
  });
  clock.now = cast.clock.now;
  return { objects, api, askWith };
}

/** Operations that take many steps, and some that take few. */
const some = [
  "getCurrentUser",
  "createOrganization",
  "getSpace",
  "listRevisions",
  "changeContent",
  "mergeChangeRequest",
  "createSite",
  "deleteSpace",
  "deleteCollection",
  "transferSpace",
  "createTranslation",
  "installIntegration",
  "updateOrganization",
  "acceptInvite",
  "downloadFile",
];

describe("a silent bucket", () => {
  test.each(some.map((name) => [name]))("every request of %s ends when the bucket stops answering", async (name) => {
    const row = rows[name];
    if (!row) throw new Error(`There is no operation ${name}.`);
    const ask = (askWith: ReturnType<typeof stage>["askWith"]) =>
      askWith(cast.tokens[allowedPerson(row)], row.ask, row.send);
    const well = stage();
    expect((await inTime(ask(well.askWith))).value.status).toBeLessThan(300);
    const all = well.objects.asked;
    expect(all).toBeGreaterThan(0);
    // Two dozen moments of an operation with many requests; all of them in a long run.
    const stride = isLongRun ? 1 : Math.ceil(all / 24);
    for (let answers = 0; answers < all; answers += stride) {
      const { objects, askWith } = stage();
      objects.answers = answers;
      const { value, ms } = await inTime(ask(askWith));
      const told = `${answers} of ${all} requests answered`;
      expect(ms, told).toBeLessThan(LIMIT_MS);
      if (value.status < 300) continue;
      expect(value.status, told).toBe(503);
      expect(value.headers.get("retry-after"), told).toBe("1");
    }
  });
});

test("maintain() ends whenever the bucket stops answering", async () => {
  const well = stage();
  await inTime(well.api.maintain());
  for (let answers = 0; answers < well.objects.asked; answers += Math.ceil(well.objects.asked / 12)) {
    const { objects, api } = stage();
    objects.answers = answers;
    const { ms } = await inTime(api.maintain().catch(() => undefined));
    expect(ms, `${answers} of ${well.objects.asked} requests answered`).toBeLessThan(2 * LIMIT_MS);
  }
});

test("close() ends while a request is pending", async () => {
  const objects = new FallingSilent();
  const api = createDocsApi(createObjectStorage(objects), { onError: () => {} });
  objects.answers = 0;
  const asked = api.fetch(new Request("http://test.invalid/v1/user", { headers: { authorization: "Bearer x" } }));
  const { ms } = await inTime(api.close());
  expect(ms).toBeLessThan(LIMIT_MS);
  expect((await inTime(asked)).value.status).toBe(503);
});

test("every call gives up on an R2 binding that never answers", async () => {
  const silent = new Proxy({} as never, { get: () => () => never });
  const storage = r2Storage(silent);
  const failing = { code: "unavailable" };
  const calls: (() => Promise<unknown>)[] = [
    () => storage.partition("p").snapshot(),
    () => storage.partition("p").commit({ checks: [], puts: [{ key: "a", value: 1 }], deletes: [], adds: [] }),
    () => storage.blobs.get("a"),
    () => storage.blobs.put("b", new Uint8Array(10)),
    () => storage.blobs.put("c", new Uint8Array(9 * 1024 * 1024)),
    () => storage.blobs.delete("a"),
    () => storage.maintain(),
  ];
  for (const call of calls) {
    const { value, ms } = await inTime(call().catch((error) => error));
    expect(value, String(call)).toMatchObject(failing);
    expect(ms, String(call)).toBeLessThan(LIMIT_MS);
    // The rest of a store that was silent is over.
    vi.setSystemTime(Date.now() + 60_000);
  }
});
