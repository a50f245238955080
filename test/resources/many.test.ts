// Users with many teams, members and grants. A commit has limited room. A user with many of something is served like
// one with few, or is told what is too many.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { grants } from "../../src/resources/library/grants/records";
import { nodes } from "../../src/resources/library/tree/records";
import { getOrganizationPartition } from "../../src/storage/ids";
import { createStore } from "../../src/storage/store";
import { processInCommits } from "../../src/storage/transaction-budget";
import { interrupted } from "../support/processes";
import { DAY, dump, open, type Setting, START, seeded, setUp } from "../support/setting";

let setting: Setting;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
});

const id = async (answer: ReturnType<Setting["ask"]>) => (await answer).body.id as string;

/** Teams with the reader in each of them. */
async function teamsOfReader(count: number): Promise<string[]> {
  const { ask, org, ids } = setting;
  const made: string[] = [];
  for (let n = 0; n < count; n++)
    made.push(await id(ask("admin", `PUT /v1/orgs/${org}/teams`, { title: `T${n}`, members: [ids.read] })));
  return made;
}

/** A space in collections inside each other. */
async function deepSpace(depth: number): Promise<{ space: string; collections: string[] }> {
  const { ask, org } = setting;
  const collections: string[] = [];
  for (let n = 0; n < depth; n++) {
    const parent = collections.at(-1);
    const send = { title: `C${n}`, ...(parent === undefined ? {} : { parent }) };
    collections.push(await id(ask("admin", `POST /v1/orgs/${org}/collections`, send)));
  }
  const space = await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Deep", parent: collections.at(-1) }));
  return { space, collections };
}

describe("a person in very many teams", () => {
  test("a person in very many teams writes deep in the tree", async () => {
    const { ask } = setting;
    const teams = await teamsOfReader(180);
    const { space, collections } = await deepSpace(5);
    const given = await ask("admin", `POST /v1/collections/${collections[0]}/permissions`, {
      teams: [{ id: teams[179]!, role: "admin" }],
    });
    expect(given.status).toBe(204);
    const renamed = await ask("read", `PATCH /v1/spaces/${space}`, { title: "Renamed" });
    expect([renamed.status, renamed.body.title]).toEqual([200, "Renamed"]);
    const moved = await ask("read", `POST /v1/spaces/${space}/move`, { parent: collections[2] });
    expect(moved.status).toBe(200);
    expect((await ask("read", `POST /v1/spaces/${space}/change-requests`, {})).status).toBe(201);
  });

  test("a person in very many teams leaves the organization, and no trace in the teams remains", async () => {
    const { ask, org, ids, api } = setting;
    const teams = await teamsOfReader(90);
    expect((await ask("admin", `DELETE /v1/orgs/${org}/members/${ids.read}`)).status).toBe(204);
    await api.maintain();
    for (const team of [teams[0], teams[89]])
      expect((await ask("admin", `GET /v1/orgs/${org}/teams/${team}`)).body.members).toBe(0);
  });
});

describe("permissions revoked during a write", () => {
  const takings: [what: string, how: (at: { space: string; top: string; team: string }) => [string, unknown?]][] = [
    ["the team's grant above", ({ top, team }) => [`DELETE /v1/collections/${top}/permissions/teams/${team}`]],
    [
      "the role of the team's grant",
      ({ top, team }) => [`PATCH /v1/collections/${top}/permissions/teams/${team}`, { role: "read" }],
    ],
    [
      "the place in the team",
      ({ team }) => [`DELETE /v1/orgs/${setting.org}/teams/${team}/members/${setting.ids.read}`],
    ],
    [
      "the place in the team, among others",
      ({ team }) => [
        `PUT /v1/orgs/${setting.org}/teams/${team}/members`,
        { remove: [setting.ids.read], add: [setting.ids.edit] },
      ],
    ],
    ["the membership", () => [`DELETE /v1/orgs/${setting.org}/members/${setting.ids.read}`]],
  ];
  test.each(takings)("a permission revoked during a write is gone: %s", async (_, how) => {
    const { ask, tokens, storage, clock } = setting;
    const [team] = (await teamsOfReader(2)) as [string];
    const { space, collections } = await deepSpace(2);
    const top = collections[0]!;
    await ask("admin", `POST /v1/collections/${top}/permissions`, { teams: [{ id: team, role: "create" }] });
    const [route, send] = how({ space, top, team });
    const taken: number[] = [];
    const slow = open(
      interrupted(storage, async () => taken.push((await ask("admin", route, send)).status)),
      { now: () => clock.now },
    );
    const late = await slow.askWith(tokens.read, `PATCH /v1/spaces/${space}`, { title: "Too late" });
    expect(taken[0]).toBeLessThan(300);
    expect([403, 404]).toContain(late.status);
    expect((await ask("admin", `GET /v1/spaces/${space}`)).body.title).toBe("Deep");
  });
});

describe("a site of many spaces", () => {
  /** Spaces in chains of collections of their own, closed at their tops; and the tops. */
  async function deepSpaces(count: number, depth: number): Promise<{ spaces: string[]; tops: string[] }> {
    const { ask, org, storage } = setting;
    const store = createStore(storage, { now: () => new Date(0), random: seeded(3), pause: async () => {} });
    const spaces: string[] = [];
    for (let n = 0; n < count; n++)
      spaces.push(await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: `S${n}` })));
    const chain = (space: string, level: number) => `${space.replace("spc", "col").slice(0, -2)}${level + 10}`;
    const tops = spaces.map((space) => chain(space, 0));
    const collections = spaces.flatMap((space, n) =>
      Array.from({ length: depth }, (_, level) => ({
        type: "collection" as const,
        id: level === 0 ? tops[n]! : chain(space, level),
        title: "C",
        description: null,
        parent: level === 0 ? null : chain(space, level - 1),
        position: `z${n + 100}`,
        defaultLevel: level === 0 ? null : ("inherit" as const),
        createdAt: START,
        deletedAt: null,
      })),
    );
    await processInCommits(store, getOrganizationPartition(org), collections, nodes.put);
    await processInCommits(store, getOrganizationPartition(org), spaces, async (tx, space) =>
      nodes.put(tx, { ...(await nodes.get(tx, space))!, parent: chain(space, depth - 1) }),
    );
    return { spaces, tops };
  }

  /** Gives somebody a role on things, beside very many others that they were given. */
  async function give(person: "create", things: readonly string[], others: number): Promise<void> {
    const { org, ids, storage } = setting;
    const store = createStore(storage, { now: () => new Date(0), random: seeded(4), pause: async () => {} });
    const more = Array.from({ length: others }, (_, n) => `spc_other${n}`);
    const grantOf = (node: string) =>
      ({ node, kind: "user", grantee: ids[person], role: "create", createdAt: START }) as const;
    await processInCommits(store, getOrganizationPartition(org), [...more, ...things].map(grantOf), grants.put);
  }

  test("a site of many spaces is created by a person with very many grants, however deep the spaces are", async () => {
    const { ask, org } = setting;
    const { spaces, tops } = await deepSpaces(65, 18);
    await give("create", tops.slice(1), 1100);
    const refused = await ask("create", `POST /v1/orgs/${org}/sites`, { title: "All", spaces });
    expect([refused.status, refused.body.error.issues]).toMatchObject([400, [{ path: "body.spaces.0" }]]);
    await give("create", tops, 0);
    const made = await ask("create", `POST /v1/orgs/${org}/sites`, { title: "All", spaces });
    expect([made.status, made.body.siteSpaces], JSON.stringify(made.body)).toEqual([201, 65]);
    const published = await ask("create", `POST /v1/orgs/${org}/sites/${made.body.id}/publish`);
    expect(published.status, JSON.stringify(published.body)).toBeLessThan(300);
  });

  test.each(["is made", "is published"])("a permission revoked while it %s is gone", async (what) => {
    const { ask, org, ids, tokens, storage, clock } = setting;
    const { spaces, tops } = await deepSpaces(2, 2);
    await give("create", tops, 5);
    const send = { title: "All", spaces };
    const site = what === "is made" ? undefined : await id(ask("create", `POST /v1/orgs/${org}/sites`, send));
    const taken: number[] = [];
    const take = async () =>
      taken.push((await ask("admin", `DELETE /v1/collections/${tops[1]}/permissions/users/${ids.create}`)).status);
    const slow = open(interrupted(storage, take), { now: () => clock.now });
    const late =
      site === undefined
        ? await slow.askWith(tokens.create, `POST /v1/orgs/${org}/sites`, send)
        : await slow.askWith(tokens.create, `POST /v1/orgs/${org}/sites/${site}/publish`);
    expect([taken, late.status]).toEqual([[204], site === undefined ? 400 : 403]);
  });
});

describe("many members of a team", () => {
  /** So many new members of the organization. */
  async function newMembers(count: number): Promise<string[]> {
    const { api, ask, org } = setting;
    const link = await ask("admin", `POST /v1/orgs/${org}/link-invites`, { role: "read" });
    const made: string[] = [];
    for (let n = 0; n < count; n++) {
      const { user, token } = await api.provision({
        user: { displayName: `N${n}`, email: `n${n}@x.example` },
        token: { label: "n" },
      });
      const joined = await api.fetch(
        new Request(`http://test.invalid/v1/orgs/${org}/invites/${link.body.id}`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}` },
        }),
      );
      expect(joined.status).toBe(200);
      made.push(user);
    }
    return made;
  }

  test("60 owners are removed and 40 members added in one request, and more are rejected with the field", async () => {
    const { ask, org } = setting;
    const people = await newMembers(120);
    const [owners, others] = [people.slice(0, 60), people.slice(60)];
    const team = await id(ask("admin", `PUT /v1/orgs/${org}/teams`, { title: "Many", members: owners }));
    for (const owner of owners)
      await ask("admin", `PUT /v1/orgs/${org}/teams/${team}/members/${owner}`, { role: "owner" });
    const members = `/v1/orgs/${org}/teams/${team}/members`;
    const tooMany = await ask("admin", `PUT ${members}`, { remove: owners, add: others });
    expect(tooMany.status).toBe(400);
    expect(tooMany.body.error.issues[0]).toMatchObject({ path: "body.remove" });
    const done = await ask("admin", `PUT ${members}`, { remove: owners, add: others.slice(0, 40) });
    expect(done.status).toBe(204);
    const list = (await ask("admin", `GET ${members}?limit=100`)).body;
    expect(list.count).toBe(40);
    expect(new Set(list.items.map((it: { id: string }) => it.id))).toEqual(new Set(others.slice(0, 40)));
  });

  test("a team with many members is deleted completely", async () => {
    const { ask, org, api } = setting;
    const people = await newMembers(100);
    const team = await id(ask("admin", `PUT /v1/orgs/${org}/teams`, { title: "Many", members: people.slice(0, 60) }));
    await ask("admin", `PUT /v1/orgs/${org}/teams/${team}/members`, { add: people.slice(60) });
    expect((await ask("admin", `DELETE /v1/orgs/${org}/teams/${team}`)).status).toBe(204);
    await api.maintain();
    for (const user of [people[0], people[99]])
      expect((await ask("admin", `GET /v1/orgs/${org}/members/${user}/teams`)).body.count).toBe(0);
  });
});

describe("long discussions", () => {
  const at = async () => {
    const { ask, org } = setting;
    return `/v1/spaces/${await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Talk" }))}`;
  };
  const emoji = (n: number) => (0x1f300 + n).toString(16);
  const emojis = (from: number, count: number) => Array.from({ length: count }, (_, n) => emoji(from + n));

  test("a discussion accepts a reaction after very many others", async () => {
    const { ask } = setting;
    const space = await at();
    const one = `${space}/comments/${await id(ask("admin", `POST ${space}/comments`, { body: { markdown: "A" } }))}`;
    for (let n = 0; n < 30; n++) await ask("admin", `PUT ${one}`, { addedReactions: emojis(20 * n, 20) });
    const last = await ask("edit", `PUT ${one}`, { addedReactions: [emoji(700)] });
    expect([last.status, last.body.reactions?.length]).toEqual([200, 601]);
  });

  test("a discussion is deleted with all replies and reactions in bounded steps", async () => {
    const { ask, api, org, storage } = setting;
    const space = await at();
    const comment = await id(ask("admin", `POST ${space}/comments`, { body: { markdown: "A" } }));
    const one = `${space}/comments/${comment}`;
    for (let n = 0; n < 30; n++) {
      const reply = await id(ask("admin", `POST ${one}/replies`, { body: { markdown: `R${n}` } }));
      await ask("admin", `PUT ${one}/replies/${reply}`, { addedReactions: emojis(0, 20) });
    }
    expect((await ask("admin", `DELETE ${one}`)).status).toBe(204);
    await api.maintain();
    expect((await ask("admin", `GET /v1/orgs/${org}/jobs?status=parked`)).body.count).toBe(0);
    // A total that came back to nothing stays as a zero.
    const kept = /^\S+ "\\u0003[ri]\\u0000\\u0003(?:reaction|comment-reply)/;
    expect([...(await dump(storage)).keys()].filter((key) => kept.test(key))).toEqual([]);
  });
});

describe("a tree of many collections", () => {
  test("a tree of many collections is moved like one with few", async () => {
    const { ask, org } = setting;
    const top = await id(ask("admin", `POST /v1/orgs/${org}/collections`, { title: "Top" }));
    for (let n = 0; n < 510; n++)
      await ask("admin", `POST /v1/orgs/${org}/collections`, { title: `C${n}`, parent: top });
    const other = await id(ask("admin", `POST /v1/orgs/${org}/collections`, { title: "Other" }));
    expect((await ask("admin", `POST /v1/collections/${top}/move`, { parent: other })).status).toBe(200);
  });

  test("a tree of many collections does not become too deep while it is moved", async () => {
    const { ask, org, storage, tokens, clock } = setting;
    const chain = async (length: number) => {
      const made: string[] = [];
      for (let n = 0; n < length; n++) {
        const parent = made.at(-1) === undefined ? {} : { parent: made.at(-1) };
        made.push(await id(ask("admin", `POST /v1/orgs/${org}/collections`, { title: `C${n}`, ...parent })));
      }
      return made;
    };
    const [long, short] = [await chain(15), await chain(5)];
    const grown: number[] = [];
    const slow = open(
      interrupted(storage, async () =>
        grown.push(
          (await ask("admin", `POST /v1/orgs/${org}/collections`, { title: "One more", parent: short.at(-1) })).status,
        ),
      ),
      { now: () => clock.now },
    );
    const moved = await slow.askWith(tokens.admin, `POST /v1/collections/${short[0]}/move`, { parent: long.at(-1) });
    expect([grown[0], moved.status]).toEqual([201, 409]);
  });
});

test("a batch sets the maximum number of variables, and they read back", async () => {
  const { ask, org } = setting;
  const space = await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Many", editMode: "live" }));
  const some = (n: number) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`v${n}_${i}_${"x".repeat(80)}`, i]));
  const changes = Array.from({ length: 50 }, (_, n) => ({ operation: "set_variables", variables: some(n) }));
  const done = await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  expect(done.status, JSON.stringify(done.body).slice(0, 300)).toBe(200);
  const { variables } = (await ask("admin", `GET /v1/spaces/${space}/content`)).body;
  expect(Object.keys(variables).length).toBe(5000);
  const tooMany = { ...some(0), one_more: 1 };
  const refused = await ask("admin", `POST /v1/spaces/${space}/content`, {
    changes: [{ operation: "set_variables", variables: tooMany }],
  });
  expect(refused.body.error.issues[0].path).toBe("body.changes.0.variables");
});

describe("deletion in bounded steps", () => {
  const parked = async () => (await setting.ask("admin", `GET /v1/orgs/${setting.org}/jobs?status=parked`)).body.count;
  const failures: unknown[] = [];
  const maintained = async () => {
    const { api } = open(setting.storage, { now: () => setting.clock.now, onError: (error) => failures.push(error) });
    await api.maintain();
    expect([failures, await parked()]).toEqual([[], 0]);
  };

  test("a space with grants, change requests, reviews and requested reviewers is removed in steps that fit", async () => {
    const { ask, org, ids, clock, storage } = setting;
    const space = await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Much" }));
    const teams: string[] = [];
    for (let n = 0; n < 39; n++) teams.push(await id(ask("admin", `PUT /v1/orgs/${org}/teams`, { title: `T${n}` })));
    const given = teams.map((team) => ({ id: team, role: "read" }));
    expect((await ask("admin", `POST /v1/spaces/${space}/permissions`, { teams: given })).status).toBe(204);
    for (let n = 0; n < 40; n++) {
      const made = await id(ask("edit", `POST /v1/spaces/${space}/change-requests`, {}));
      const at = `/v1/spaces/${space}/change-requests/${made}`;
      await ask("edit", `PATCH ${at}`, { status: "open" });
      const asked = await ask("edit", `POST ${at}/requested-reviewers`, { users: [ids.create] });
      const said = await ask("review", `POST ${at}/reviews`, { status: "approved" });
      expect([asked.status, said.status].map((status) => status < 300)).toEqual([true, true]);
    }
    await ask("admin", `DELETE /v1/spaces/${space}`);
    clock.forward(8 * DAY);
    await maintained();
    const kept = /^\S+ "\\u0003[riu]\\u0000/;
    const left = [...(await dump(storage))].filter(([key, value]) => kept.test(key) && (key + value).includes(space));
    expect(left).toEqual([]);
  });

  test("a site with redirects, site spaces and settings is removed in steps that fit", async () => {
    const { ask, org, storage } = setting;
    const site = await id(ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Much" }));
    const at = `/v1/orgs/${org}/sites/${site}`;
    for (let n = 0; n < 64; n++) {
      const space = await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: `S${n}` }));
      const put = await id(ask("admin", `POST ${at}/site-spaces`, { spaceId: space }));
      const looks = await ask("admin", `PATCH ${at}/site-spaces/${put}/customization`, { title: "Mine" });
      expect(looks.status).toBe(200);
    }
    for (let n = 0; n < 74; n++) {
      const destination = { kind: "url", url: "https://example.com" };
      expect((await ask("admin", `POST ${at}/redirects`, { source: `/r${n}`, destination })).status).toBe(201);
    }
    const users = ["read", "edit", "guest"].map((person) => ({ id: setting.ids[person as "read"], role: "create" }));
    expect((await ask("admin", `POST ${at}/permissions`, { users })).status).toBe(204);
    expect((await ask("admin", `DELETE ${at}`)).status).toBe(204);
    await maintained();
    const kept = /^\S+ "\\u0003[riu]\\u0000/;
    const left = [...(await dump(storage)).keys()].filter((key) => kept.test(key) && key.includes(site));
    expect(left).toEqual([]);
  });
});

describe("site settings", () => {
  const looks = async () => {
    const { ask, org } = setting;
    return `/v1/orgs/${org}/sites/${await id(ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Looks" }))}/customization`;
  };
  const footer = (url: string) => ({
    groups: Array.from({ length: 10 }, (_, g) => ({
      title: `Group ${g}`,
      links: Array.from({ length: 20 }, (_, n) => ({
        title: `Link ${g}.${n}`,
        to: { kind: "url", url: `${url}${n}` },
      })),
    })),
  });

  test("a footer with the maximum number of links is stored and reads back", async () => {
    const { ask } = setting;
    const at = await looks();
    const wanted = footer(`https://example.com/${"p".repeat(180)}`);
    expect((await ask("admin", `PUT ${at}`, { footer: wanted })).status).toBe(200);
    expect((await ask("admin", `GET ${at}`)).body.footer.groups).toEqual(wanted.groups);
  });

  test("settings beyond the limit are rejected with the name of the group", async () => {
    const { ask } = setting;
    const refused = await ask("admin", `PUT ${await looks()}`, {
      footer: footer(`https://example.com/${"p".repeat(2000)}`),
    });
    expect([refused.status, refused.body.error.issues?.[0].path]).toEqual([400, "body.footer"]);
  });
});

test("a schema of claims is measured in bytes and is stored or rejected by name", async () => {
  const { ask, org } = setting;
  const site = await id(ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Claims" }));
  const schema = (claims: number) => ({
    jsonSchema: {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(
        Array.from({ length: claims }, (_, n) => [`漢${n}`, { type: "string", description: "漢".repeat(250) }]),
      ),
    },
  });
  const at = `/v1/orgs/${org}/sites/${site}/adaptive-schema`;
  const kept = await ask("admin", `PUT ${at}`, schema(38));
  expect(kept.status, JSON.stringify(kept.body).slice(0, 200)).toBe(200);
  expect((await ask("admin", `GET ${at}`)).body.jsonSchema).toEqual(schema(38).jsonSchema);
  const refused = await ask("admin", `PUT ${at}`, schema(100));
  expect([refused.status, refused.body.error.issues?.[0].path]).toEqual([400, "body.jsonSchema"]);
});
