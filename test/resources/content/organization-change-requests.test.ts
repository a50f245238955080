// What the list of an organization's change requests costs, and that it misses none: after a transfer, and where clocks
// differ.

import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { watch } from "../../invariants/faults";
import { MINUTE, open, type Setting, setUp } from "../../support/setting";

async function space({ ask, org }: Setting, title: string): Promise<string> {
  return (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title })).body.id;
}
async function propose({ ask }: Setting, at: string): Promise<string> {
  return (await ask("admin", `POST /v1/spaces/${at}/change-requests`, {})).body.id;
}

/** All ids of the list, in pages of some. */
async function everyPage({ ask }: Setting, org: string, query: string): Promise<string[]> {
  const found: string[] = [];
  let next = "";
  do {
    const { body } = await ask("admin", `GET /v1/orgs/${org}/change-requests?${query}${next}`);
    found.push(...body.items.map(({ id }: { id: string }) => id));
    next = body.next ? `&page=${body.next.page}` : "";
  } while (next !== "");
  return found;
}

test("a page reads only the lists of the spaces with the newest change requests", async () => {
  const setting = await setUp(memoryStorage());
  const spaces = [];
  for (let i = 0; i < 60; i++) spaces.push(await space(setting, `Space ${i}`));
  for (const id of spaces) {
    setting.clock.forward(MINUTE);
    await propose(setting, id);
  }
  const storage = watch(setting.storage);
  const { askWith } = open(storage, { now: () => setting.clock.now });
  const cost = async (query: string) => {
    const before = storage.calls.reads;
    const { body } = await askWith(setting.tokens.admin, `GET /v1/orgs/${setting.org}/change-requests?${query}`);
    expect(body.count).toBe(60);
    return storage.calls.reads - before;
  };
  // The first request reads which spaces there are.
  expect(await cost("limit=3")).toBeLessThan(40);
  expect(await cost("limit=3&status=draft")).toBeLessThan(30);
  // Each list that is read costs something: the whole is what a page would cost that reads all of them.
  expect(await cost("limit=60")).toBeGreaterThan(100);
});

test("change requests are listed where their space is", async () => {
  const setting = await setUp(memoryStorage());
  const { ask, org, otherOrg } = setting;
  const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
  await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
  const moved = await space(setting, "Moved");
  const change = await propose(setting, moved);
  expect(await everyPage(setting, org, "limit=10")).toEqual([change]);
  expect((await ask("admin", `POST /v1/spaces/${moved}/transfer`, { organization: otherOrg })).status).toBe(200);
  await setting.api.maintain();
  expect(await everyPage(setting, org, "limit=10")).toEqual([]);
  expect(await everyPage(setting, otherOrg, "limit=10")).toEqual([change]);
});

test("pages list every change request once, even one created by a process with a late clock", async () => {
  const setting = await setUp(memoryStorage());
  const [one, other] = [await space(setting, "One"), await space(setting, "Other")];
  const made: string[] = [];
  for (const [at, minutes] of [
    [one, 5],
    [other, 1],
    [one, 1],
    [one, -6],
    [other, 2],
    [one, 1],
    [other, -9],
    [one, 1],
  ] as const) {
    setting.clock.forward(minutes * MINUTE);
    made.push(await propose(setting, at));
  }
  setting.clock.forward(60 * MINUTE);
  for (const limit of [1, 2, 3, 10])
    for (const filter of ["", "&status=draft", `&creator=${setting.ids.admin}`]) {
      const found = await everyPage(setting, setting.org, `limit=${limit}${filter}`);
      expect(found.toSorted(), `limit=${limit}${filter}`).toEqual(made.toSorted());
    }
});
