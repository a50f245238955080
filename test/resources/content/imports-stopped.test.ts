// A large import goes into a partition in many commits before the one that shows it. Wherever its process ends, an object
// storage is left with all of it or, after the sweeper, with nothing.

import { Unavailable } from "octavo";
import { describe, expect, test } from "vitest";
import { createObjectStorage } from "../../../adapters/s3/engine";
import { type ObjectStore, StoreFailure } from "../../../adapters/s3/object-store";
import { addBook } from "../../../src/content/book/add-book";
import type { BookTools } from "../../../src/content/book/apply-context";
import { createBook } from "../../../src/content/book/book";
import { markReachableNodes } from "../../../src/content/prolly-tree";
import { createDraft, createStoredView } from "../../../src/content/revision/draft";
import { type FileEntry, getObjectHash, keys } from "../../../src/content/revision/entries";
import { createNodeSource } from "../../../src/resources/content/revisions/records";
import { generateId as newIdOf } from "../../../src/storage/ids";
import { encodeKey } from "../../../src/storage/key";
import {
  addStagedObjects,
  createObjectCache,
  openObjects,
  Staging,
  sweepPartition,
} from "../../../src/storage/objects";
import { createStore } from "../../../src/storage/store";
import type { Reader } from "../../../src/storage/transaction";
import { ObjectsInMemory } from "../../adapters/s3/objects-in-memory";
import { seeded } from "../../support/setting";

describe("an import interrupted on object storage", () => {
  const P = "org-a";
  const root = encodeKey("root");
  const page = (n: number) => `# Page ${n}\n\nSee [the next](page-${(n + 1) % 9}.md), ![x](file-${n % 4}.bin)\n`;
  const names = Array.from({ length: 9 }, (_, n) => `page-${n}.md`);
  const book = createBook({
    chapters: names.map((path) => ({ kind: "page", path, chapters: [] })),
    texts: new Map(names.map((path, n) => [path, { text: page(n) }])),
    files: new Map(
      [100, 200, 300, 40_000].map((size, n) => [`file-${n}.bin`, { bytes: new Uint8Array(size).fill(n + 1) }]),
    ),
    skipped: [],
  });
  const world = () => ({ now: () => new Date(0), random: seeded(7), pause: async () => {} });
  const openOn = (objects: ObjectStore) =>
    createStore(createObjectStorage(objects, { testConditions: false, pause: async () => {} }), world());

  /** Adds the book as an import does, with room for so little that there are many commits on the way. A hasty one shows what
   * it has not put yet. */
  async function bringIn(objects: ObjectStore, isHasty = false): Promise<void> {
    const store = openOn(objects);
    const staging = new Staging(store, P, undefined, {
      maxObjectsInCommit: 0,
      maxPendingObjects: 5,
      maxPendingBytes: 50_000,
      maxObjectsPerPut: 2,
    });
    const stored = openObjects(store, createObjectCache(), await store.read(P));
    const draft = createDraft(createNodeSource(staging.overlay(stored)), null, undefined, staging, 20);
    const newId = (kind: Parameters<BookTools["newId"]>[0]) => newIdOf(kind, "a".repeat(12), store.random);
    const tools = { now: "2026-01-01T00:00:00.000Z", newId, readText: stored.text };
    await addBook(draft, book, { parentId: null }, tools);
    const { root: made } = await draft.finish();
    if (isHasty) await store.write(P, async (tx) => tx.put(root, made));
    const staged = await staging.finish();
    await store.write(P, async (tx) => {
      await addStagedObjects(tx, staged);
      tx.put(root, made);
    });
  }

  /** What the next process finds: the import as a whole, or nothing of it, also when it is swept. */
  async function leftOn(objects: ObjectStore) {
    const store = openOn(objects);
    const isNamed = async (view: Reader) => {
      const found = new Set<string>();
      const inside: string[] = [];
      const made = (await view.get(root)) as string | undefined;
      const source = createNodeSource(openObjects(store, createObjectCache(), view));
      await markReachableNodes(source, [made ?? null], found, (entry) => void inside.push(getObjectHash(entry) ?? ""));
      return new Set([...found, ...inside.filter((hash) => hash !== "")]);
    };
    for (let round = 0; round < 2; round++)
      await sweepPartition(store, P, { reachable: isNamed, olderThan: new Date(1) });
    const view = await store.read(P);
    const stored = openObjects(store, createObjectCache(), view);
    const made = ((await view.get(root)) as string | undefined) ?? null;
    const content = createStoredView(createNodeSource(stored), made);
    for (const { body } of await content.listPages()) await stored.text(body!);
    for (const { value } of await content.list({ under: keys.files })) await stored.bytes((value as FileEntry).object);
    const rows = (await view.list({ under: "", limit: 1000 })).map((row) => row.key);
    const blobs: string[] = [];
    for await (const blob of store.storage.blobs.list()) blobs.push(blob);
    return { pages: (await content.listPages()).length, rows: rows.length, blobs: blobs.length };
  }

  test("an import on object storage stopped at any request is complete or has no effect", async () => {
    const whole = new ObjectsInMemory();
    const counted = new Stopping(whole);
    await bringIn(counted);
    const all = await leftOn(whole);
    expect(all).toMatchObject({ pages: 9, blobs: 1 });
    const seen = { all: 0, nothing: 0 };
    expect(counted.requests).toBeGreaterThan(40);
    for (let last = 0; last < counted.requests; last++)
      for (const isDone of last % 4 === 0 || last === counted.requests - 1 ? [false, true] : [false]) {
        const objects = new ObjectsInMemory();
        await bringIn(new Stopping(objects, last, isDone)).catch((error) => expect(error).toBeInstanceOf(Unavailable));
        const left = await leftOn(objects);
        expect([all, { pages: 0, rows: 0, blobs: 0 }], `stopped at request ${last}`).toContainEqual(left);
        seen[left.pages > 0 ? "all" : "nothing"]++;
      }
    expect(seen.all).toBeGreaterThan(0);
    expect(seen.nothing).toBeGreaterThan(40);
  });

  test("control: an import that is visible before it is complete is detected", async () => {
    const damaged: number[] = [];
    for (let last = 59; last > 0 && damaged.length === 0; last--) {
      const objects = new ObjectsInMemory();
      await bringIn(new Stopping(objects, last), true).catch(() => {});
      await leftOn(objects).catch(() => damaged.push(last));
    }
    expect(damaged).not.toEqual([]);
  });
});

/** A store whose process ends at one of its requests: nothing comes through from then on. */
class Stopping implements ObjectStore {
  readonly name = "a bucket of a process that ends";
  requests = 0;

  /** `isDone`: the last request is carried out, and its answer is lost. */
  constructor(
    readonly objects: ObjectsInMemory,
    readonly last = Number.POSITIVE_INFINITY,
    readonly isDone = false,
  ) {}

  async #send<T>(run: () => Promise<T>): Promise<T> {
    const at = this.requests++;
    if (at < this.last) return run();
    if (at === this.last && this.isDone) await run();
    throw new StoreFailure("The process is gone.", { outcome: "unknown", isTransient: false });
  }

  put(...given: Parameters<ObjectStore["put"]>) {
    return this.#send(() => this.objects.put(...given));
  }

  get(...given: Parameters<ObjectStore["get"]>) {
    return this.#send(() => this.objects.get(...given));
  }

  stat(name: string) {
    return this.#send(() => this.objects.stat(name));
  }

  open(...given: Parameters<ObjectStore["open"]>) {
    return this.#send(() => this.objects.open(...given));
  }

  putParts(...given: Parameters<ObjectStore["putParts"]>) {
    return this.#send(() => this.objects.putParts(...given));
  }

  delete(name: string) {
    return this.#send(() => this.objects.delete(name));
  }

  list(prefix: string, after?: string) {
    return this.objects.list(prefix, after);
  }
}
