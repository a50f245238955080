// What lists remember of rights and orders is never older than the request: two processes share a storage, one of them
// changes something, and the other one answers what a process without any memory answers.

import fc from "fast-check";
import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { mute } from "../invariants/examples";
import { watch } from "../invariants/faults";
import { open, type Person, type Setting, setUp } from "../support/setting";
import { runs } from "../support/test-length";

const asking: readonly Person[] = ["admin", "edit", "read", "guest"];

/** Another process on the storage of a setting. */
function another({ storage, clock, tokens }: Setting, options: Parameters<typeof open>[1] = {}, on: Storage = storage) {
  const { api, askWith } = open(on, { now: () => clock.now, translator: mute, ...options });
  return { api, ask: (as: Person, route: string) => askWith(tokens[as], route) };
}

/** The lists that remember something, as somebody sees them. */
function listsOf({ org, ids }: Setting, space: string, collection: string): string[] {
  const at = `GET /v1/orgs/${org}`;
  return [
    ...["spaces", "spaces?limit=2", "collections", "collections?limit=1"].map((it) => `${at}/${it}`),
    ...["change-requests", "change-requests?status=draft&limit=1", "invites", "search?query=hello"].map(
      (it) => `${at}/${it}`,
    ),
    ...(["read", "guest"] as const).flatMap((it) => [
      `${at}/members/${ids[it]}/spaces`,
      `${at}/members/${ids[it]}/spaces?order=asc&limit=2`,
    ]),
    `GET /v1/spaces/${space}/permissions/aggregate`,
    `GET /v1/collections/${collection}/permissions/aggregate?limit=3`,
  ];
}

async function everything(ask: ReturnType<typeof another>["ask"], routes: readonly string[]) {
  const found: Record<string, unknown> = {};
  for (const as of asking)
    for (const route of routes) {
      const { status, body } = await ask(as, route);
      // Addresses of files and cursors are made anew for each answer.
      found[`${as}: ${route}`] = [status, body.count, body.items?.map((it: { id?: string }) => it)];
    }
  return found;
}

/** A tree of nested collections with spaces, a team inside it, and somebody to invite. */
async function library(setting: Setting) {
  const { ask, org, ids } = setting;
  const made = async (route: string, send: unknown): Promise<string> => (await ask("admin", route, send)).body.id;
  const shelf = await made(`POST /v1/orgs/${org}/collections`, { title: "Shelf" });
  const box = await made(`POST /v1/orgs/${org}/collections`, { title: "Box", parent: shelf });
  const spaces: string[] = [];
  for (const parent of [null, shelf, box, box]) {
    setting.clock.forward(1000);
    spaces.push(await made(`POST /v1/orgs/${org}/spaces`, { title: "Book", parent }));
  }
  const team = await made(`PUT /v1/orgs/${org}/teams`, { title: "Team", members: [ids.read] });
  return { shelf, box, spaces, team };
}

type Library = Awaited<ReturnType<typeof library>>;

const n = fc.nat({ max: 3 });
const who = fc.constantFrom<Person>("read", "edit", "guest");
const level = fc.constantFrom(null, "inherit", "read", "edit");
const role = fc.constantFrom("read", "comment", "create");
/** One request of the admin. */
const deeds = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom("propose", "write", "trash", "restore", "invite"), n }),
    fc.record({ do: fc.constantFrom("closeSpace", "closeBox", "closeShelf"), n, level }),
    fc.record({ do: fc.constantFrom("grant", "grantTeam", "grantBox", "dropGrant", "dropTeam"), n, who, role }),
    fc.record({ do: fc.constantFrom("join", "leave", "role", "becomeGuest"), n, who, role }),
    fc.record({ do: fc.constantFrom("move", "moveBox"), n }),
  ),
  { minLength: 4, maxLength: 10 },
);
type Deed = {
  readonly do: string;
  readonly n: number;
  readonly who?: Person;
  readonly role?: string;
  readonly level?: string | null;
};

async function carryOut({ ask, org, ids }: Setting, { shelf, box, spaces, team }: Library, it: Deed): Promise<void> {
  const space = `/v1/spaces/${spaces[it.n]}`;
  const user = it.who && ids[it.who];
  const at = `/v1/orgs/${org}`;
  const doing: Record<string, readonly [route: string, send?: unknown]> = {
    propose: [`POST ${space}/change-requests`, { subject: "Better" }],
    write: [
      `POST ${space}/content`,
      { changes: [{ operation: "insert_page", title: "Hello", document: { markdown: "Hello." } }] },
    ],
    trash: [`DELETE ${space}`],
    restore: [`POST ${space}/restore`],
    invite: [`POST ${at}/invites`, { emails: [`new-${it.n}@example.com`], role: "read" }],
    closeSpace: [`PATCH ${space}`, { defaultLevel: it.level }],
    closeBox: [`PATCH /v1/collections/${box}`, { defaultLevel: it.level }],
    closeShelf: [`PATCH /v1/collections/${shelf}`, { defaultLevel: it.level }],
    grant: [`POST ${space}/permissions`, { users: [{ id: user, role: it.role }] }],
    grantTeam: [`POST ${space}/permissions`, { teams: [{ id: team, role: it.role }] }],
    grantBox: [`POST /v1/collections/${box}/permissions`, { teams: [{ id: team, role: it.role }] }],
    dropGrant: [`DELETE ${space}/permissions/users/${user}`],
    dropTeam: [`DELETE ${space}/permissions/teams/${team}`],
    join: [`PUT ${at}/teams/${team}/members/${user}`, { role: "member" }],
    leave: [`DELETE ${at}/teams/${team}/members/${user}`],
    role: [`PATCH ${at}/members/${user}`, { role: it.role }],
    becomeGuest: [`PATCH ${at}/members/${user}`, { role: null }],
    move: [`POST ${space}/move`, { parent: [null, shelf, box, null][(it.n + 1) % 4] }],
    moveBox: [`POST /v1/collections/${box}/move`, { parent: it.n % 2 === 0 ? null : shelf }],
  };
  const [route, send] = doing[it.do]!;
  expect((await ask("admin", route, send)).status, `${route} ${JSON.stringify(send)}`).toBeLessThan(500);
}

describe("cached lists", () => {
  test("cached lists agree with an uncached process after any change of another process", async () => {
    await fc.assert(
      fc.asyncProperty(deeds, async (history) => {
        const setting = await setUp(memoryStorage());
        const its = await library(setting);
        const remembering = another(setting);
        const routes = listsOf(setting, its.spaces[3]!, its.box);
        for (const deed of history as Deed[]) {
          await carryOut(setting, its, deed);
          setting.clock.forward(1000);
          const forgetful = another(setting, { caches: { lists: 0, responses: 0 } });
          expect(await everything(remembering.ask, routes), deed.do).toEqual(await everything(forgetful.ask, routes));
        }
        expect(remembering.api.metrics().caches.lists.hits).toBeGreaterThan(0);
      }),
      { numRuns: runs(16) },
    );
  });

  test("cached lists end with the permission: without the team or the grant, a space is no longer visible", async () => {
    const setting = await setUp(memoryStorage());
    const { ask, org, ids } = setting;
    const { box, spaces, team } = await library(setting);
    await ask("admin", `PATCH /v1/collections/${box}`, { defaultLevel: null });
    const other = another(setting);
    const seen = async () => {
      const { body } = await other.ask("read", `GET /v1/orgs/${org}/spaces`);
      expect(body.count).toBe(body.items.length);
      return body.items.map(({ id }: { id: string }) => id);
    };
    const open = spaces.slice(0, 2);
    expect(await seen()).toEqual(open);
    await ask("admin", `POST /v1/collections/${box}/permissions`, { teams: [{ id: team, role: "read" }] });
    expect(await seen()).toEqual(spaces);
    await ask("admin", `DELETE /v1/orgs/${org}/teams/${team}/members/${ids.read}`);
    expect(await seen()).toEqual(open);
    await ask("admin", `PUT /v1/orgs/${org}/teams/${team}/members/${ids.read}`, { role: "member" });
    expect(await seen()).toEqual(spaces);
    await ask("admin", `DELETE /v1/collections/${box}/permissions/teams/${team}`);
    expect(await seen()).toEqual(open);
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.read}`, { role: null });
    expect(await seen()).toEqual([]);
    await ask("admin", `DELETE /v1/orgs/${org}/members/${ids.read}`);
    expect((await other.ask("read", `GET /v1/orgs/${org}/spaces`)).status).toBe(404);
  });

  test("the cached list of a translation ends with the permission to its source", async () => {
    const setting = await setUp(memoryStorage(), { translator: mute });
    const { ask, org } = setting;
    const { spaces } = await library(setting);
    const made = await ask("admin", `POST /v1/orgs/${org}/translations`, {
      language: "de",
      source: { space: spaces[0], language: "en" },
    });
    expect(made.status).toBeLessThan(300);
    await setting.api.maintain();
    const other = another(setting);
    const count = async () => (await other.ask("read", `GET /v1/orgs/${org}/spaces`)).body.count;
    expect(await count()).toBe(5);
    await ask("admin", `PATCH /v1/spaces/${spaces[0]}`, { defaultLevel: null });
    expect(await count()).toBe(3);
  });

  test("cached lists stay valid while content is written", async () => {
    const setting = await setUp(memoryStorage());
    const { ask, org } = setting;
    const { spaces } = await library(setting);
    for (let i = 0; i < 20; i++) await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: `More ${i}` });
    const storage = watch(setting.storage);
    const other = another(setting, { caches: { responses: 0 } }, storage);
    const reads = async (route: string) => {
      const before = storage.calls.reads;
      const { body } = await other.ask("read", route);
      return [storage.calls.reads - before, body.count];
    };
    for (const list of ["spaces", "change-requests"]) {
      const route = `GET /v1/orgs/${org}/${list}?limit=2`;
      await ask("admin", `POST /v1/spaces/${spaces[0]}/change-requests`, {});
      const [first, count] = (await reads(route)) as [number, number];
      const [second] = (await reads(route)) as [number];
      expect(second).toBeLessThan(first);
      const changes = [{ operation: "insert_page", title: "New", document: { markdown: "New." } }];
      await ask("admin", `POST /v1/spaces/${spaces[0]}/content`, { changes });
      expect(await reads(route)).toEqual([second, count]);
    }
  });
});

describe("the cache", () => {
  test("the cache of a process is bounded, however many members make requests", async () => {
    const setting = await setUp(memoryStorage());
    const { org } = setting;
    await library(setting);
    const most = 6000;
    const { api, ask } = another(setting, { caches: { lists: most } });
    for (const as of ["read", "comment", "edit", "review", "create", "admin", "guest"] as const)
      for (const list of ["spaces", "collections", "change-requests"])
        expect((await ask(as, `GET /v1/orgs/${org}/${list}`)).status).toBe(200);
    const { size, misses } = api.metrics().caches.lists;
    expect(size).toBeLessThanOrEqual(most);
    expect(misses).toBeGreaterThan(0);
  });
});
