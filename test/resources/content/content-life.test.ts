// The life of content: large texts, copies, the trash, other organizations. Whatever happens to a space, and wherever
// it is interrupted, every referenced object can be read byte for byte, and unreferenced objects are deleted.

import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { encodeKey } from "../../../src/storage/key";
import { type Fault, watch } from "../../invariants/faults";
import { onFreshStorage } from "../../support/fresh-storage";
import { type Answer, DAY, HOUR, MINUTE, open, type Person, type Setting, setUp } from "../../support/setting";
import { type Opened, storages } from "../../support/storages";
import { isLongRun } from "../../support/test-length";

type Change = Record<string, unknown>;
type Ask = Setting["ask"];
const KIB = 1024;

const page = (title: string, markdown: string, more: object = {}): Change => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ...more,
});
const textOf = (bytes: number, word: string) =>
  `${`${word} `.repeat(Math.ceil(bytes / (word.length + 1))).slice(0, bytes - 1)}\n`;
const bytesOf = (length: number, salt: number) =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8) * 7 + salt) & 255);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

async function write(ask: Ask, space: string, ...changes: Change[]): Promise<Answer["body"]> {
  const { status, body } = await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
  return body;
}

async function makeSpace(ask: Ask, org: string): Promise<string> {
  return (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id;
}

/** A space with a history of everything: large and small, pages and files, added, changed and taken away. */
async function furnish(ask: Ask, space: string, large = 100 * KIB): Promise<void> {
  const { changes } = await write(
    ask,
    space,
    {
      operation: "insert_files",
      files: [
        {
          name: "large.bin",
          contentType: "application/octet-stream",
          base64: base64(bytesOf(large, 1)),
          ref: "large",
        },
        { name: "note.txt", contentType: "text/plain", base64: base64(new TextEncoder().encode("A note.")) },
      ],
    },
    page("Large", textOf(large, "large"), { ref: "page" }),
    page("Below", "## Part\n\n[Up](./page.md) ![Large](./large) [Gone](./gone.md)\n", { into: "page" }),
    { operation: "insert_reusable_content", title: "Note", document: { markdown: "Mind the [page](./page.md).\n" } },
    { operation: "set_variables", variables: { product: "Octavo", major: 1 } },
  );
  const [first, below, note] = changes.map(
    (it: { page?: { id: string }; reusableContent?: string }) => it.page?.id ?? it.reusableContent,
  );
  await write(
    ask,
    space,
    { operation: "update_page", page: first, document: { markdown: textOf(large, "second") } },
    { operation: "update_reusable_content", reusableContent: note, title: "Remark" },
  );
  await write(ask, space, { operation: "move_page", page: below, into: null }, page("Third", "Small.\n"));
}

/** Everything that can be read of a space, by route; ids of organizations are left out. */
async function everything(ask: Ask, space: string): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const read = async (route: string): Promise<Answer["body"]> => {
    const { status, body } = await ask("admin", `GET /v1/spaces/${space}${route}`);
    expect(status, `${route} ${JSON.stringify(body).slice(0, 300)}`).toBe(200);
    found.set(route, JSON.parse(JSON.stringify(body, leftOut)));
    return body;
  };
  const revisions = (await read("/revisions")).items as { id: string }[];
  for (const at of ["/content", ...revisions.map(({ id }) => `/revisions/${id}`)]) {
    const { pages, files, reusableContents } = await read(at);
    await read(`${at}/pages`);
    await read(`${at}/files`);
    for (const { id } of flat(pages)) await read(`${at}/page/${id}`);
    for (const { id } of reusableContents) await read(`${at}/reusable-contents/${id}?format=document`);
    for (const { id, downloadURL } of files) found.set(`${at} bytes of ${id}`, await download(ask, downloadURL));
    if (at !== "/content") await read(`${at}/changes`);
  }
  await read("/links");
  await read("/search?query=small");
  return found;
}

/** What cannot be made anew: which revisions there are, and every text and file that one of them names. */
async function essence(ask: Ask, space: string): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const read = async (route: string): Promise<Answer["body"]> => {
    const { status, body } = await ask("admin", `GET /v1/spaces/${space}${route}`);
    expect(status, `${route} ${JSON.stringify(body).slice(0, 300)}`).toBe(200);
    return body;
  };
  for (const { id } of (await read("/revisions")).items as { id: string }[]) {
    const at = `/revisions/${id}`;
    const revision = await read(at);
    found.set(at, JSON.parse(JSON.stringify(revision, leftOut)));
    for (const { id, documentId } of flat(revision.pages))
      if (documentId && !found.has(documentId)) found.set(documentId, (await read(`${at}/page/${id}`)).markdown);
    for (const { id, downloadURL } of revision.files)
      if (!found.has(id)) found.set(id, await download(ask, downloadURL));
  }
  return found;
}

type InTree = { readonly id: string; readonly documentId?: string; readonly pages: InTree[] };
const flat = (pages: readonly InTree[]): InTree[] => pages.flatMap((it) => [it, ...flat(it.pages)]);
/** Members that tell the organization, or an hour. */
const leftOut = (name: string, value: unknown) =>
  ["urls", "organization", "space", "downloadURL"].includes(name) ? undefined : value;

async function download(ask: Ask, url: string): Promise<string> {
  const { status, body } = await ask(null, `GET ${new URL(url).pathname}`);
  expect(status).toBe(200);
  return body;
}

/** How many objects, announcements and revisions each partition has, and how many blobs. */
async function stored(storage: Storage): Promise<Record<string, Record<string, number>>> {
  const found: Record<string, Record<string, number>> = {};
  for await (const name of storage.partitions()) {
    const snapshot = await storage.partition(name).snapshot();
    const count = async (...under: string[]) =>
      (await snapshot.list({ under: encodeKey(...under), limit: 10_000 })).length;
    found[name] = {
      objects: await count("object"),
      uploads: await count("upload"),
      revisions: (await count("r", "revision")) + (await count("i", "revision")),
      indexes: (await count("r", "search-index")) + (await count("i", "search-index")),
      blobs: 0,
    };
  }
  for await (const blob of storage.blobs.list()) {
    const partition = Object.keys(found).find((name) => blob.startsWith(`${name}-`))!;
    found[partition]!.blobs!++;
  }
  return found;
}

const partitionOf = (org: string) => `org-${org.slice("org_".length)}`;
const nothing = { objects: 0, uploads: 0, revisions: 0, indexes: 0, blobs: 0 };

/** Whether a write was refused because the space is about to change sides. */
const isFrozen = ({ status, body }: Answer) => status === 503 && body.error.reason === "transfer_busy";

describe.each(storages)("on %s", (_, openStorage) => {
  let opened: Opened;
  let setting: Setting;

  onFreshStorage(openStorage, async (fresh) => {
    opened = fresh;
    setting = await setUp(opened.storage);
    const { ask, otherOrg } = setting;
    const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
    await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
  });

  test("large texts and files, and a batch larger than a commit, are read back byte for byte", async () => {
    const { ask, org, api, clock } = setting;
    const space = await makeSpace(ask, org);
    const file = bytesOf(100 * KIB, 5);
    const text = textOf(100 * KIB, "large");
    const made = await write(ask, space, page("Large", text), {
      operation: "insert_files",
      files: [{ name: "a.bin", contentType: "application/octet-stream", base64: base64(file) }],
    });
    const at = `/v1/spaces/${space}/content`;
    expect((await ask("read", `GET ${at}/page/${made.changes[0].page.id}`)).body.markdown).toBe(text);
    const { downloadURL, size } = (await ask("read", `GET ${at}/files/${made.insertedFiles[0].id}`)).body;
    const response = await api.fetch(new Request(`http://test.invalid${new URL(downloadURL).pathname}`));
    expect(Buffer.compare(new Uint8Array(await response.arrayBuffer()), file)).toBe(0);
    expect(size).toBe(file.length);

    const texts = Array.from({ length: 50 }, (_, i) => textOf(20_000, `page${i}`));
    const many = await write(ask, space, ...texts.map((it, i) => page(`Page ${i}`, it)));
    for (const [i, it] of texts.entries()) {
      const { body } = await ask("read", `GET ${at}/page/${many.changes[i].page.id}`);
      expect(body.markdown === it, `page ${i}`).toBe(true);
    }
    // The announcements were used up, and a sweep finds nothing to take.
    expect((await stored(opened.storage))[partitionOf(org)]!.uploads).toBe(0);
    clock.forward(2 * DAY);
    expect(await api.maintain()).toMatchObject({ uploads: 0, objects: 0, blobs: 0 });
    expect((await ask("read", `GET ${at}/page/${many.changes[49].page.id}`)).body.markdown).toBe(texts[49]);
  });

  test("a copy keeps what it shares with a deleted original, and the rest is removed", async () => {
    const { ask, org, api, clock, storage } = setting;
    const partition = partitionOf(org);
    const original = await makeSpace(ask, org);
    await furnish(ask, original);
    const copy = (await ask("admin", `POST /v1/spaces/${original}/duplicate`)).body.id as string;
    const before = await everything(ask, copy);
    await write(ask, original, page("Of the original alone", textOf(60 * KIB, "alone")));
    const full = (await stored(storage))[partition]!;
    expect((await ask("admin", `DELETE /v1/spaces/${original}`)).status).toBe(204);
    clock.forward(6 * DAY);
    await api.maintain();
    expect((await stored(storage))[partition]).toEqual(full);
    clock.forward(2 * DAY);
    const { objects, blobs } = await api.maintain();
    expect(objects).toBeGreaterThan(0);
    // The text of the last revision, and the first text of the large page.
    expect(blobs).toBe(2);
    const left = (await stored(storage))[partition]!;
    expect([left.objects, left.blobs]).toEqual([full.objects! - objects, full.blobs! - blobs]);
    expect(await everything(ask, copy)).toEqual(before);

    await ask("admin", `DELETE /v1/spaces/${copy}`);
    clock.forward(8 * DAY);
    await api.maintain();
    expect((await stored(storage))[partition]).toEqual(nothing);
  });

  test("a space in another organization is read by its old ids with its whole history", async () => {
    const { ask, org, otherOrg, api, clock, storage } = setting;
    const space = await makeSpace(ask, org);
    await furnish(ask, space);
    const before = await everything(ask, space);
    expect(before.size).toBeGreaterThan(30);
    expect((await stored(storage))[partitionOf(org)]).toMatchObject({ blobs: 3, uploads: 0 });
    const { downloadURL } = (await ask("admin", `GET /v1/spaces/${space}/content`)).body.files[0];
    expect((await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg })).status).toBe(200);
    expect((await ask("admin", `GET /v1/spaces/${space}`)).body.organization).toBe(otherOrg);
    expect(await everything(ask, space)).toEqual(before);
    await download(ask, downloadURL);
    // What it left behind is taken away, and what came stays.
    clock.forward(HOUR);
    await api.maintain();
    expect((await stored(storage))[partitionOf(org)]).toEqual(nothing);
    clock.forward(2 * DAY);
    expect(await api.maintain()).toMatchObject({ objects: 0, blobs: 0 });
    expect(await everything(ask, space)).toEqual(before);
    // And on it goes.
    await write(ask, space, page("Fourth", "Over here.\n"));
    expect((await ask("admin", `GET /v1/spaces/${space}/revisions`)).body.items[0].number).toBe(5);
  });

  test("a download stops while its space is in the trash and for good when the trash is emptied", async () => {
    const { ask, org, api, clock } = setting;
    const space = await makeSpace(ask, org);
    await furnish(ask, space);
    const path = new URL((await ask("admin", `GET /v1/spaces/${space}/content`)).body.files[0].downloadURL).pathname;
    const status = async () => (await ask(null, `GET ${path}`)).status;
    expect(await status()).toBe(200);
    await ask("admin", `DELETE /v1/spaces/${space}`);
    expect(await status()).toBe(404);
    await ask("admin", `POST /v1/spaces/${space}/restore`);
    expect(await status()).toBe(200);
    clock.forward(2 * HOUR);
    expect(await status()).toBe(404);
    const fresh = new URL((await ask("admin", `GET /v1/spaces/${space}/content`)).body.files[0].downloadURL).pathname;
    await ask("admin", `DELETE /v1/spaces/${space}`);
    clock.forward(8 * DAY);
    await api.maintain();
    expect((await ask(null, `GET ${fresh}`)).status).toBe(404);
  });
});

test("texts that are longer in stored form fit where others do", async () => {
  const { ask, org } = await setUp(memoryStorage());
  // Near what rides in one commit, with line breaks alone: JSON writes each of them with two characters.
  for (let last = 15_200; last < 16_400; last += 200) {
    const space = await makeSpace(ask, org);
    const texts = [...Array<number>(12).fill(32_200), last].map((length, i) => `${last} ${i}${"\n".repeat(length)}`);
    const changes = texts.map((text, i) => page(`Page ${i}`, text));
    const answer = await ask(
      "admin",
      `POST /v1/spaces/${space}/content`,
      { changes },
      { "idempotency-key": `${last}` },
    );
    expect(answer.status, `${last} ${JSON.stringify(answer.body).slice(0, 300)}`).toBe(200);
    const { body } = await ask("read", `GET /v1/spaces/${space}/content/page/${answer.body.changes[3].page.id}`);
    expect(body.markdown === texts[3]).toBe(true);
  }
});

/** Blobs count as calls too, and stop with the process. */
function watchAll(storage: Storage) {
  const watched = watch(storage);
  const tick = () => watched.partition("directory").snapshot();
  const after = async <T>(_: unknown, call: () => Promise<T>) => call();
  const blobs: Storage["blobs"] = {
    put: async (name, bytes) => after(await tick(), () => storage.blobs.put(name, bytes)),
    get: async (name, range) => after(await tick(), () => storage.blobs.get(name, range)),
    delete: async (name) => after(await tick(), () => storage.blobs.delete(name)),
    list: (from) => storage.blobs.list(from),
  };
  return { ...watched, blobs } as typeof watched;
}

/** A short run stops at every sixth of the calls at which a long run stops. */
const wider = isLongRun ? 1 : 6;

describe("interruption at any call", () => {
  /** Two organizations, and a space with a history in one of them. */
  async function begin() {
    const storage = memoryStorage();
    const setting = await setUp(storage);
    const { ask, org, otherOrg } = setting;
    const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
    await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
    const space = await makeSpace(ask, org);
    await furnish(ask, space, 33 * KIB);
    return { ...setting, space, wanted: await essence(ask, space) };
  }
  type World = Awaited<ReturnType<typeof begin>>;

  /** The world as another process finds it, on a storage of its own. */
  function enter(world: World, storage: Storage) {
    const { api, clock, askWith } = open(storage, {
      onError: () => {},
      random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    });
    clock.now = world.clock.now;
    const ask: Ask = (as, route, send, headers) => askWith(as && world.tokens[as as Person], route, send, headers);
    return { api, clock, ask };
  }

  /** Does something with one call failing, for each call; `validate` looks at what is left. */
  async function stopEverywhere(
    world: World,
    stride: number,
    work: (process: ReturnType<typeof enter>) => Promise<unknown>,
    check: (process: ReturnType<typeof enter>, storage: Storage, told: string) => Promise<void>,
  ): Promise<number> {
    let stopped = 0;
    for (const fault of ["before", "answer lost", "crash"] as const satisfies Fault[]) {
      for (let call = 1 + (stopped % stride); ; call += stride * wider) {
        const storage = world.storage.copy();
        const watched = watchAll(storage);
        const first = enter(world, watched);
        watched.failAt(call, fault);
        await work(first).catch(() => {});
        const isStopped = watched.calls.total >= call;
        const second = enter(world, storage);
        second.clock.now = first.clock.now;
        await check(second, storage, `${fault} at ${call}`);
        if (!isStopped) break;
        stopped++;
      }
    }
    return stopped;
  }

  async function tidy({ api, clock }: ReturnType<typeof enter>): Promise<void> {
    clock.forward(2 * HOUR);
    await api.maintain();
    // What was given up in one sweep is taken in the next.
    for (let round = 0; round < 2; round++) {
      clock.forward(25 * HOUR);
      await api.maintain();
    }
  }

  test("a transfer interrupted anywhere is completed or has no effect, with all content on one side", async () => {
    const world = await begin();
    const { org, otherOrg, space, wanted } = world;
    const seen = { here: 0, there: 0 };
    const stopped = await stopEverywhere(
      world,
      5,
      ({ ask }) => ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg }),
      async (process, storage, told) => {
        await tidy(process);
        const { organization } = (await process.ask("admin", `GET /v1/spaces/${space}`)).body;
        expect([org, otherOrg], told).toContain(organization);
        seen[organization === org ? "here" : "there"]++;
        expect(await essence(process.ask, space), told).toEqual(wanted);
        const left = await stored(storage);
        expect(left[partitionOf(organization === org ? otherOrg : org)], told).toEqual(nothing);
        expect(left[partitionOf(organization)]!.uploads, told).toBe(0);
        const { items } = (await process.ask("admin", `GET /v1/orgs/${org}/jobs`)).body;
        expect(items, told).toEqual([]);
      },
    );
    expect(stopped).toBeGreaterThan(40 / wider);
    expect(seen.here).toBeGreaterThan(0);
    expect(seen.there).toBeGreaterThan(seen.here);
  });

  test("a space deleted during its transfer is in the trash and then gone on both sides", async () => {
    const world = await begin();
    const { org, otherOrg, space, wanted } = world;
    await stopEverywhere(
      world,
      11,
      ({ ask }) => ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg }),
      async (process, storage, told) => {
        const { ask, api, clock } = process;
        const first = await ask("admin", `DELETE /v1/spaces/${space}`);
        // Whoever was stopped at the very switch has left the space frozen: it can be deleted when somebody has gone on.
        if (isFrozen(first)) await tidy(process);
        else expect(first.status, told).toBe(204);
        clock.forward(2 * HOUR);
        await api.maintain();
        await ask("admin", `POST /v1/spaces/${space}/restore`);
        expect(await essence(ask, space), told).toEqual(wanted);
        expect((await ask("admin", `DELETE /v1/spaces/${space}`)).status, told).toBe(204);
        clock.forward(8 * DAY);
        await tidy(process);
        expect((await ask("admin", `GET /v1/spaces/${space}`)).status, told).toBe(404);
        const left = await stored(storage);
        expect([left[partitionOf(org)], left[partitionOf(otherOrg)]], told).toEqual([nothing, nothing]);
      },
    );
  });

  test("an interrupted purge is finished by the next one and removes nothing that a copy shares", async () => {
    const world = await begin();
    const { org, space, clock, ask } = world;
    const copy = (await ask("admin", `POST /v1/spaces/${space}/duplicate`)).body.id as string;
    const wanted = await essence(ask, copy);
    await ask("admin", `DELETE /v1/spaces/${space}`);
    clock.forward(8 * DAY);
    let counts: unknown;
    const stopped = await stopEverywhere(
      world,
      4,
      ({ api }) => api.maintain(),
      async (process, storage, told) => {
        await tidy(process);
        expect((await process.ask("admin", `GET /v1/spaces/${space}`)).status, told).toBe(404);
        expect(await essence(process.ask, copy), told).toEqual(wanted);
        const left = (await stored(storage))[partitionOf(org)];
        counts ??= left;
        expect(left, told).toEqual(counts);
      },
    );
    expect(stopped).toBeGreaterThan(20 / wider);
  });

  test("a large batch is complete or has no effect, and leaves nothing behind", async () => {
    const world = await begin();
    const { org, space, wanted } = world;
    const texts = Array.from({ length: 12 }, (_, i) => textOf(i === 0 ? 33 * KIB : 31 * KIB, `page${i}`));
    const changes = texts.map((text, i) => page(`Page ${i}`, text));
    const { objects, blobs } = (await stored(world.storage))[partitionOf(org)]!;
    const seen = { made: 0, not: 0 };
    await stopEverywhere(
      world,
      4,
      ({ ask }) => ask("admin", `POST /v1/spaces/${space}/content`, { changes }),
      async (process, storage, told) => {
        await tidy(process);
        const { count } = (await process.ask("admin", `GET /v1/spaces/${space}/revisions`)).body;
        if (count === 4) {
          seen.not++;
          expect(await essence(process.ask, space), told).toEqual(wanted);
          expect((await stored(storage))[partitionOf(org)], told).toMatchObject({ objects, blobs, uploads: 0 });
        } else {
          seen.made++;
          const { pages } = (await process.ask("admin", `GET /v1/spaces/${space}/content/pages`)).body;
          expect(pages.length, told).toBe(15);
          const { markdown } = (await process.ask("admin", `GET /v1/spaces/${space}/content/page/${pages.at(-12).id}`))
            .body;
          expect(markdown === texts[0], told).toBe(true);
          expect((await stored(storage))[partitionOf(org)], told).toMatchObject({ blobs: 4, uploads: 0 });
        }
      },
    );
    expect(Math.min(seen.made, seen.not)).toBeGreaterThan(0);
  });
});

describe("what moves with a space", () => {
  async function begin() {
    const setting = await setUp(memoryStorage());
    const { ask, org, otherOrg, storage } = setting;
    for (const person of ["admin", "guest"] as const) {
      const role = person === "guest" ? null : "create";
      const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role })).body.id;
      await ask(person, `POST /v1/orgs/${otherOrg}/invites/${door}`);
    }
    const space = await makeSpace(ask, org);
    /** Sends the space off and stops at a call. */
    const stopAt = async (call: number) => {
      const watched = watch(storage);
      const { askWith, clock } = open(watched, { onError: () => {} });
      clock.now = setting.clock.now;
      watched.failAt(call, "crash");
      await askWith(setting.tokens.admin, `POST /v1/spaces/${space}/transfer`, { organization: otherOrg });
      return (await ask("admin", `GET /v1/spaces/${space}`)).body.organization === org;
    };
    const settle = async () => {
      setting.clock.forward(2 * MINUTE);
      await setting.api.maintain();
    };
    return { ...setting, space, stopAt, settle };
  }

  test("a copy of a space in transfer stays independent", async () => {
    for (let call = 1; ; call += 4 * wider) {
      const { ask, org, otherOrg, space, stopAt, settle } = await begin();
      if (!(await stopAt(call))) break;
      const copied = await ask("admin", `POST /v1/spaces/${space}/duplicate`);
      if (isFrozen(copied)) continue;
      const copy = copied.body.id as string;
      await settle();
      expect((await ask("admin", `GET /v1/spaces/${copy}`)).body.organization).toBe(org);
      const { status, body } = await ask("admin", `POST /v1/spaces/${copy}/transfer`, { organization: otherOrg });
      expect(status, JSON.stringify(body)).toBe(200);
      expect((await ask("admin", `GET /v1/spaces/${copy}`)).body.organization).toBe(otherOrg);
    }
  });

  test("S32: a grant revoked during a transfer does not move along", async () => {
    for (let call = 1; ; call += 2 * wider) {
      const { ask, otherOrg, space, ids, stopAt, settle } = await begin();
      await ask("admin", `POST /v1/spaces/${space}/permissions`, { users: [{ id: ids.guest, role: "edit" }] });
      if (!(await stopAt(call))) break;
      const taken = await ask("admin", `DELETE /v1/spaces/${space}/permissions/users/${ids.guest}`);
      if (isFrozen(taken)) continue;
      expect(taken.status).toBe(204);
      await settle();
      if ((await ask("admin", `GET /v1/spaces/${space}`)).body.organization !== otherOrg) continue;
      expect((await ask("guest", `GET /v1/spaces/${space}`)).status, `stopped at ${call}`).toBe(404);
    }
  });
});
