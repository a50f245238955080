// Copies of pools: a process that starts begins with one, finds what it would find without it, and none outlives what it names.

import type { Batch, Entry, Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { encodeKey } from "../../src/storage/key";
import { DAY, HOUR, open, type Person, type Setting, setUp } from "../support/setting";
import { through } from "../support/through";

/** So many pages are read for a search that a copy is worth its storing. */
const PAGES = 5;
const LONG = "A quokka among others. ".repeat(1000);

async function must(setting: Setting, route: string, send?: unknown) {
  const { status, body } = await setting.ask("admin", route, send);
  expect(status, `${route}: ${JSON.stringify(body)}`).toBeLessThan(300);
  return body;
}

async function makeSpace(setting: Setting, title: string, pages = PAGES): Promise<string> {
  const { id } = await must(setting, `POST /v1/orgs/${setting.org}/spaces`, { title });
  await write(setting, id, pages, `${title}. ${LONG}`);
  return id;
}

async function write(setting: Setting, space: string, pages: number, markdown: string): Promise<void> {
  const changes = Array.from({ length: pages }, (_, n) => ({
    ...{ operation: "insert_page", title: `Page ${n}` },
    document: { markdown: `${markdown}\n\n${n}` },
  }));
  await must(setting, `POST /v1/spaces/${space}/content`, { changes });
}

async function makeSite(setting: Setting, space: string): Promise<string> {
  const send = { title: "Docs", visibility: "public", spaces: [space] };
  const { id } = await must(setting, `POST /v1/orgs/${setting.org}/sites`, send);
  await must(setting, `POST /v1/orgs/${setting.org}/sites/${id}/publish`);
  return id;
}

/** A storage whose entries are seen through `see`. */
const seenThrough = (storage: Storage, see: (key: string, entry: Entry | undefined) => Entry | undefined) =>
  through(storage, { get: async (keys, go) => (await go()).map((entry, i) => see(keys[i]!, entry)) });

/** A storage where `before` comes before every commit. */
const after = (storage: Storage, before: (batch: Batch) => Promise<unknown>) =>
  through(storage, {
    async commit(batch, go) {
      await before(batch);
      return go();
    },
  });

/** Whether a commit stores a copy. */
const isCopy = ({ puts }: Batch) => puts.some((put) => put.key.startsWith(encodeKey("r", "search-pool")));

/** Another process. It counts the objects that it reads: texts, nodes of contents, and copies. */
function another({ clock, tokens, org }: Setting, storage: Storage) {
  let objects = 0;
  const counting = through(storage, {
    get(keys, go) {
      objects += keys.filter((at) => at.startsWith(encodeKey("object"))).length;
      return go();
    },
  });
  const errors: string[] = [];
  const onError = (error: unknown) => void errors.push(String(error));
  const { api, askWith } = open(counting, { now: () => clock.now, caches: { responses: 0 }, onError });
  const answer = async (token: string | null, route: string, send?: unknown) => {
    const { status, body } = await askWith(token, route, send);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  return {
    search: (as: Person, query: string) => answer(tokens[as], `GET /v1/orgs/${org}/search?query=${query}`),
    searchSite: (site: string, query: string) => answer(null, `POST /v1/orgs/${org}/sites/${site}/search`, { query }),
    maintain: () => api.maintain(),
    objects: () => objects,
    errors,
  };
}

/** The copies that are stored. */
async function stored({ storage, org }: Setting) {
  const snapshot = await storage.partition(poolOf(org)).snapshot();
  const entries = await snapshot.list({ under: encodeKey("r", "search-pool"), limit: 100 });
  return entries.map(
    ({ value }) => value as { readonly name: string; readonly index: string; readonly spaces: string },
  );
}

const copies = async (setting: Setting) => (await stored(setting)).map(({ name }) => name).sort();
const poolOf = (org: string) => `org-${org.slice("org_".length)}`;

/** A process that finds no copies. */
const bare = (setting: Setting) =>
  another(
    setting,
    seenThrough(setting.storage, (at, entry) => (at.startsWith(encodeKey("r", "search-pool")) ? undefined : entry)),
  );

test("a new process reads the stored index instead of pages and finds the same", async () => {
  const setting = await setUp(memoryStorage());
  const { storage, org } = setting;
  await makeSpace(setting, "Small", 1);
  await another(setting, storage).search("admin", "quokka");
  expect(await copies(setting)).toEqual([]);
  const closed = await makeSpace(setting, "Closed");
  await must(setting, `PATCH /v1/spaces/${closed}`, { defaultLevel: null });
  await another(setting, storage).search("admin", "quokka");
  expect(await copies(setting)).toEqual([poolOf(org)]);

  const started = another(setting, storage);
  expect((await started.search("admin", "xylophone")).count).toBe(0);
  // The index and the list of spaces.
  expect(started.objects()).toBe(2);
  const without = bare(setting);
  for (const as of ["admin", "read"] as const)
    for (const query of ["quokka", "quoka", "closed", "others%20quokka"])
      expect(await started.search(as, query)).toEqual(await without.search(as, query));
  expect((await started.search("read", "closed")).count).toBe(0);
  expect((await started.search("admin", "quokka")).count).toBe(2);
});

test("later changes are applied on top of the stored index, which is stored again when they are many", async () => {
  const setting = await setUp(memoryStorage());
  const { storage } = setting;
  const spaces = [await makeSpace(setting, "One"), await makeSpace(setting, "Two")];
  await another(setting, storage).search("admin", "quokka");
  const [first] = await stored(setting);
  await write(setting, spaces[0]!, 1, "An echidna.");
  const started = another(setting, storage);
  const without = bare(setting);
  for (const query of ["echidna", "quokka", "two"])
    expect(await started.search("admin", query)).toEqual(await without.search("admin", query));
  expect((await started.search("admin", "echidna")).items).toMatchObject([{ id: spaces[0] }]);
  expect(await stored(setting)).toEqual([first]);

  await write(setting, spaces[1]!, PAGES, LONG.replaceAll("quokka", "wombat"));
  await another(setting, storage).search("admin", "wombat");
  expect(await stored(setting)).not.toEqual([first]);
  const later = another(setting, storage);
  await later.search("admin", "xylophone");
  expect(later.objects()).toBe(2);
  expect((await later.search("admin", "wombat")).items).toMatchObject([{ id: spaces[1] }]);
});

test("an index that cannot be stored or read changes no response", async () => {
  const setting = await setUp(memoryStorage());
  const { storage } = setting;
  await makeSpace(setting, "One");
  await makeSpace(setting, "Two");
  const refuse = async (batch: Batch) => {
    if (isCopy(batch)) throw new Error("Refused.");
  };
  const refused = another(setting, after(storage, refuse));
  const wanted = await refused.search("admin", "quokka");
  expect(wanted.count).toBe(2);
  expect(refused.errors).toEqual(["Error: Refused."]);
  expect(await copies(setting)).toEqual([]);

  await another(setting, storage).search("admin", "xylophone");
  const [{ index } = { index: "" }] = await stored(setting);
  let damaged = 0;
  const damage = (at: string, entry: Entry | undefined) => {
    if (at !== encodeKey("object", index)) return entry;
    damaged++;
    return { ...entry!, value: { size: 4, base64: btoa("OcSx") } };
  };
  expect(await another(setting, seenThrough(storage, damage)).search("admin", "quokka")).toEqual(wanted);
  expect(damaged).toBeGreaterThan(0);
});

test.each(["index", "spaces"] as const)(
  "an index whose object is lost (%s) is ignored, even for a space that leaves",
  async (which) => {
    const setting = await setUp(memoryStorage());
    const { storage, clock, org } = setting;
    const leaving = await makeSpace(setting, "Leaving", 1);
    await makeSpace(setting, "Kept");
    const wanted = await another(setting, storage).search("admin", "quokka");
    const lost = (await stored(setting))[0]![which];
    const lose = () =>
      storage.partition(poolOf(org)).commit({ checks: [], puts: [], deletes: [encodeKey("object", lost)], adds: [] });
    const told = `Corrupt: The object ${lost} is named but not there.`;
    await lose();
    const searching = another(setting, storage);
    expect(await searching.search("admin", "quokka")).toEqual(wanted);
    expect(searching.errors).toEqual([told]);
    expect(await copies(setting)).toEqual([poolOf(org)]);

    await must(setting, `DELETE /v1/spaces/${leaving}`);
    clock.forward(8 * DAY);
    await lose();
    const maintaining = another(setting, storage);
    await maintaining.maintain();
    expect(await copies(setting)).toEqual([]);
    expect(maintaining.errors).toEqual(which === "spaces" ? [told] : []);
  },
);

test("a purged or transferred space removes the stored indexes that contain it", async () => {
  const setting = await setUp(memoryStorage());
  const { ask, storage, clock, api, org, otherOrg } = setting;
  const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
  await must(setting, `POST /v1/orgs/${otherOrg}/invites/${door}`);
  const spaces = [await makeSpace(setting, "One"), await makeSpace(setting, "Two"), await makeSpace(setting, "Three")];
  const site = await makeSite(setting, spaces[0]!);
  const asked = another(setting, storage);
  await asked.search("admin", "quokka");
  await asked.searchSite(site, "quokka");
  expect(await copies(setting)).toEqual([poolOf(org), site]);

  await must(setting, `DELETE /v1/spaces/${spaces[1]}`);
  clock.forward(6 * DAY);
  await api.maintain();
  expect(await copies(setting)).toEqual([poolOf(org), site]);
  clock.forward(2 * DAY);
  await api.maintain();
  expect(await copies(setting)).toEqual([site]);
  await another(setting, storage).search("admin", "quokka");
  expect(await copies(setting)).toEqual([poolOf(org), site]);

  await must(setting, `POST /v1/spaces/${spaces[0]}/transfer`, { organization: otherOrg });
  clock.forward(HOUR);
  await api.maintain();
  expect(await copies(setting)).toEqual([]);
  await must(setting, `DELETE /v1/spaces/${spaces[2]}`);
  for (let day = 0; day < 10; day++) {
    clock.forward(DAY);
    await api.maintain();
  }
  const snapshot = await storage.partition(poolOf(org)).snapshot();
  expect(await snapshot.list({ under: encodeKey("object"), limit: 10 })).toEqual([]);
});

test("a space in the trash is in no new stored index and is found again after it is restored", async () => {
  const setting = await setUp(memoryStorage());
  const { storage, clock, api } = setting;
  const trashed = await makeSpace(setting, "Trashed", 2);
  const kept = await makeSpace(setting, "Kept");
  const running = another(setting, storage);
  await running.search("admin", "quokka");
  await must(setting, `DELETE /v1/spaces/${trashed}`);
  await write(setting, kept, 2 * PAGES, LONG);
  await running.search("admin", "quokka");
  const [copy] = await stored(setting);
  await must(setting, `POST /v1/spaces/${trashed}/restore`);
  for (const process of [running, another(setting, storage)])
    expect((await process.search("admin", "trashed")).items).toMatchObject([{ id: trashed }]);
  await must(setting, `DELETE /v1/spaces/${trashed}`);
  // A copy that does not name the space outlives it.
  clock.forward(8 * DAY);
  await api.maintain();
  expect(await stored(setting)).toEqual([copy]);
  expect((await another(setting, storage).search("admin", "quokka")).items).toMatchObject([{ id: kept }]);
});

test("no stored index contains a space that leaves at the same moment", async () => {
  const setting = await setUp(memoryStorage());
  await makeSpace(setting, "Kept");
  const leaving = await makeSpace(setting, "Leaving");
  let times = 0;
  const before = async (batch: Batch) => {
    if (isCopy(batch) && times++ === 0) await must(setting, `DELETE /v1/spaces/${leaving}`);
  };
  const found = await another(setting, after(setting.storage, before)).search("admin", "quokka");
  expect(found.count).toBe(2);
  expect(times).toBe(1);
  expect(await copies(setting)).toEqual([]);
});

test("a deleted site removes its stored index, even one stored at the same moment", async () => {
  const setting = await setUp(memoryStorage());
  const { storage, clock, api, org } = setting;
  const space = await makeSpace(setting, "On sites");
  const [one, two] = [await makeSite(setting, space), await makeSite(setting, space)];
  const found = await another(setting, storage).searchSite(one, "quokka");
  expect(await copies(setting)).toEqual([one]);
  expect(await another(setting, storage).searchSite(one, "quokka")).toEqual(found);
  await must(setting, `DELETE /v1/orgs/${org}/sites/${one}`);
  clock.forward(HOUR);
  await api.maintain();
  expect(await copies(setting)).toEqual([]);

  let times = 0;
  const before = async (batch: Batch) => {
    if (isCopy(batch) && times++ === 0) await must(setting, `DELETE /v1/orgs/${org}/sites/${two}`);
  };
  await another(setting, after(storage, before)).searchSite(two, "quokka");
  expect(times).toBe(1);
  expect(await copies(setting)).toEqual([]);
});
