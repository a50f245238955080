// What is remembered of sites, of installed integrations and of jobs is never older than the request: two processes share a
// storage, one of them changes something, and the other one answers what a process without any memory answers.

import fc from "fast-check";
import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { mute } from "../../invariants/examples";
import { open, type Person, type Setting, setUp } from "../../support/setting";
import { runs } from "../../support/test-length";
import { through } from "../../support/through";

type Asking = Person | null;

/** Another process on the storage of a setting. */
function another({ storage, clock, tokens }: Setting, options: Parameters<typeof open>[1] = {}, on: Storage = storage) {
  const { api, askWith } = open(on, { now: () => clock.now, translator: mute, ...options });
  return { api, ask: (as: Asking, route: string, send?: unknown) => askWith(as && tokens[as], route, send) };
}

const forgetful = { caches: { lists: 0, responses: 0 } };

const OWN = { blocks: [{ id: "card", title: "Card", urlUnfurl: ["https://cards.example"] }] };
const SCRIPTS = ["space:script:inject", "site:script:inject"];

/** A published site with two sections in a group, and four spaces; an integration of the organization, and one of another. */
async function stage(setting: Setting) {
  const { ask, org, ids, clock } = setting;
  const made = async (as: Person, route: string, send: unknown): Promise<string> => {
    clock.forward(1000);
    const { status, body } = await ask(as, route, send);
    expect(status, `${route} ${JSON.stringify(body)}`).toBeLessThan(300);
    return body.id;
  };
  const at = `/v1/orgs/${org}`;
  const shelf = await made("admin", `POST ${at}/collections`, { title: "Shelf" });
  const spaces: string[] = [];
  for (const parent of [null, shelf, shelf, null])
    spaces.push(await made("admin", `POST ${at}/spaces`, { title: "Book", parent }));
  const site = await made("admin", `POST ${at}/sites`, { title: "Docs", visibility: "public", spaces: [spaces[0]] });
  const onSite = `${at}/sites/${site}`;
  const sections = [
    await made("admin", `POST ${onSite}/sections`, { spaceId: spaces[1], title: "One" }),
    await made("admin", `POST ${onSite}/sections`, { spaceId: spaces[2], title: "Two" }),
  ];
  const group = await made("admin", `POST ${onSite}/section-groups`, { title: "Group", sections: [sections[0]] });
  await ask("admin", `POST ${onSite}/publish`);
  const team = await made("admin", `PUT ${at}/teams`, { title: "Team", members: [ids.read] });
  await made("admin", "POST /v1/integrations/own", { organization: org, ...OWN });
  const theirs = { visibility: "public", scopes: SCRIPTS, blocks: [{ id: "map", title: "Map" }] };
  await made("rival", "POST /v1/integrations/theirs", theirs);
  const installations = [
    await made("admin", "POST /v1/integrations/own/installations", { organization: org }),
    await made("admin", "POST /v1/integrations/theirs/installations", { organization: org }),
  ];
  const installed = ["own", "theirs"].map((name, i) => `/v1/integrations/${name}/installations/${installations[i]}`);
  await ask("admin", `POST ${installed[0]}/spaces`, { space: spaces[1] });
  await ask("admin", `POST ${installed[1]}/sites`, { site });
  return { shelf, spaces, site, sections, group, team, installations };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** The requests that remember something. */
function routesOf({ org }: Setting, { site, spaces }: Stage): string[] {
  const onSite = `GET /v1/orgs/${org}/sites/${site}`;
  const inSpace = `GET /v1/spaces/${spaces[1]}`;
  return [
    ...["structure", "sections", "sections?limit=1", "section-groups", "site-spaces", "site-spaces?limit=2"],
    ...["site-spaces?default=true", "integrations", "integration-scripts", "published"],
  ]
    .map((it) => `${onSite}/${it}`)
    .concat(
      ["integrations", "integrations?limit=1", "integrations-blocks", "embed?url=https://cards.example/1"].map(
        (it) => `${inSpace}/${it}`,
      ),
      ["waiting", "parked"].map((status) => `GET /v1/orgs/${org}/jobs?limit=1&status=${status}`),
      "GET /v1/integrations",
    );
}

const asking: readonly Asking[] = ["admin", "read", "guest", null];

async function everything(ask: Setting["ask"], routes: readonly string[], who = asking) {
  const found: Record<string, unknown> = {};
  for (const as of who)
    for (const route of routes) {
      const { status, body } = await ask(as, route);
      // Cursors, and the ids of refused requests, are made anew for each answer.
      found[`${as}: ${route}`] = [status, body.error?.reason ?? { ...body, next: undefined }];
    }
  return found;
}

/** Everything that may change, in an order in which each of them does something. */
const row: readonly (readonly [deed: string, n: number])[] = [
  ["putOnSpace", 1],
  ["everywhere", 1],
  ["takeOffSite", 1],
  ["newVersionElsewhere", 1],
  ["disagree", 1],
  ["newVersionElsewhere", 2],
  ["agree", 1],
  ["pause", 1],
  ["resume", 1],
  ["addSpace", 0],
  ["rename", 3],
  ["hide", 1],
  ["show", 1],
  ["close", 1],
  ["grant", 1],
  ["closeShelf", 0],
  ["grantTeam", 0],
  ["leaveTeam", 0],
  ["open", 1],
  ["role", 1],
  ["role", 2],
  ["trash", 1],
  ["restore", 1],
  ["renameSection", 1],
  ["moveSection", 0],
  ["leaveGroup", 0],
  ["putOnSite", 0],
  ["newVersion", 0],
  ["newVersion", 1],
  ["takeOffSpace", 0],
  ["everywhere", 0],
  ["somewhere", 0],
  ["takeOffSite", 0],
  ["somewhere", 1],
  ["takeOffSpace", 1],
  ["putOnSite", 1],
  ["unpublishElsewhere", 0],
  ["putOnSpace", 0],
  ["dropSpace", 1],
  ["dropSection", 1],
  ["uninstall", 0],
];

const n = fc.nat({ max: 3 });
/** Requests of the admin, or of the owner of the other integration. */
const deeds = fc.array(fc.tuple(fc.constantFrom(...new Set([...row.map(([deed]) => deed), "unpublish"])), n), {
  minLength: 5,
  maxLength: 12,
});

async function carryOut({ ask, org, ids }: Setting, its: Stage, deed: string, at: number): Promise<number> {
  const { shelf, spaces, site, sections, group, team, installations } = its;
  const space = spaces[at]!;
  const onSite = `/v1/orgs/${org}/sites/${site}`;
  const section = sections[at % 2]!;
  const shown = (await ask("admin", `GET ${onSite}/site-spaces`)).body.items as { id: string }[];
  const item = shown[at % Math.max(1, shown.length)]?.id;
  const which = at % 2;
  const installed = `/v1/integrations/${["own", "theirs"][which]}/installations/${installations[which]}`;
  const theirs = { as: "rival", route: "POST /v1/integrations/theirs" } as const;
  const doing: Record<string, { readonly as?: Person; readonly route: string; readonly send?: unknown }> = {
    addSpace: { route: `POST ${onSite}/site-spaces`, send: { spaceId: spaces[3], sectionId: section } },
    dropSpace: { route: `DELETE ${onSite}/site-spaces/${item}` },
    dropSection: { route: `DELETE ${onSite}/sections/${section}` },
    renameSection: { route: `PATCH ${onSite}/sections/${section}`, send: { title: `Part ${at}` } },
    moveSection: {
      route: `PATCH ${onSite}/structure/sort`,
      send: {
        item: { type: "site-section", id: sections[1] },
        position: { after: { type: "site-section-group", id: group } },
      },
    },
    leaveGroup: { route: `DELETE ${onSite}/section-groups/${group}/sections/${sections[0]}` },
    hide: { route: `PATCH ${onSite}/site-spaces/${item}`, send: { condition: "visitor.claims.beta" } },
    show: { route: `PATCH ${onSite}/site-spaces/${item}`, send: { condition: null } },
    trash: { route: `DELETE /v1/spaces/${space}` },
    restore: { route: `POST /v1/spaces/${space}/restore` },
    rename: { route: `PATCH /v1/spaces/${space}`, send: { title: `Book ${at}` } },
    close: { route: `PATCH /v1/spaces/${space}`, send: { defaultLevel: null } },
    open: { route: `PATCH /v1/spaces/${space}`, send: { defaultLevel: "inherit" } },
    closeShelf: { route: `PATCH /v1/collections/${shelf}`, send: { defaultLevel: null } },
    grant: { route: `POST /v1/spaces/${space}/permissions`, send: { users: [{ id: ids.guest, role: "read" }] } },
    grantTeam: { route: `POST /v1/collections/${shelf}/permissions`, send: { teams: [{ id: team, role: "read" }] } },
    leaveTeam: { route: `DELETE /v1/orgs/${org}/teams/${team}/members/${ids.read}` },
    role: { route: `PATCH /v1/orgs/${org}/members/${ids.read}`, send: { role: ["read", "create", null, "edit"][at] } },
    putOnSpace: { route: `POST ${installed}/spaces`, send: { space: spaces[1] } },
    takeOffSpace: { route: `DELETE ${installed}/spaces/${spaces[1]}` },
    putOnSite: { route: `POST ${installed}/sites`, send: { site } },
    takeOffSite: { route: `DELETE ${installed}/sites/${site}` },
    everywhere: { route: `PATCH ${installed}`, send: { space_selection: "all", site_selection: "all" } },
    somewhere: { route: `PATCH ${installed}`, send: { space_selection: "selected", site_selection: "selected" } },
    pause: { route: `PATCH ${installed}`, send: { status: "paused" } },
    resume: { route: `PATCH ${installed}`, send: { status: "active" } },
    newVersion: {
      route: "POST /v1/integrations/own",
      send: { organization: org, title: `Own ${at}`, blocks: at === 0 ? [] : OWN.blocks },
    },
    newVersionElsewhere: {
      ...theirs,
      send: { visibility: "public", title: `Theirs ${at}`, scopes: at === 0 ? [] : SCRIPTS.slice(0, at) },
    },
    unpublish: { route: "DELETE /v1/integrations/own" },
    unpublishElsewhere: { as: "rival", route: "DELETE /v1/integrations/theirs" },
    uninstall: { route: `DELETE ${installed}` },
    disagree: { route: `PATCH ${installed}`, send: { scopes: [] } },
    agree: { route: `PATCH ${installed}`, send: { scopes: SCRIPTS } },
  };
  const { as = "admin", route, send } = doing[deed]!;
  return (await ask(as, route, send)).status;
}

/** Lets two processes change things in turns, and compares what both answer after each change. */
async function compare(history: readonly (readonly [deed: string, n: number])[], mustWork: boolean): Promise<void> {
  const setting = await setUp(memoryStorage());
  const its = await stage(setting);
  const remembering = another(setting, { caches: { responses: 0 } });
  const routes = routesOf(setting, its);
  let before = await everything(remembering.ask, routes);
  for (const [nth, [deed, at]] of history.entries()) {
    const [one, other] = nth % 2 === 0 ? [setting.ask, remembering.ask] : [remembering.ask, setting.ask];
    const status = await carryOut({ ...setting, ask: one }, its, deed, at);
    expect(status, deed).toBeLessThan(mustWork ? 300 : 500);
    setting.clock.forward(1000);
    const expected = await everything(another(setting, forgetful).ask, routes);
    const found = await everything(remembering.ask, routes);
    expect(found, deed).toEqual(expected);
    if (mustWork) expect(found, `${deed} is seen`).not.toEqual(before);
    // And once more, from what is remembered now.
    if (nth % 4 === 0) expect(expected, deed).toMatchObject(await everything(remembering.ask, routes, ["read"]));
    if (nth % 4 === 1) expect(expected, deed).toMatchObject(await everything(other, routes, ["admin"]));
    before = found;
  }
  expect(remembering.api.metrics().caches.lists.hits).toBeGreaterThan(0);
}

describe("cached sites and integrations", () => {
  test("cached sites and integrations agree with an uncached process after each change of another process", async () => {
    await compare(row, true);
  });

  test("cached sites and integrations agree with an uncached process after any changes in any order", async () => {
    await fc.assert(
      fc.asyncProperty(deeds, (history) => compare(history, false)),
      { numRuns: runs(8) },
    );
  });

  test("lists and item updates read the same amount, however much else exists", async () => {
    const setting = await setUp(memoryStorage());
    const its = await stage(setting);
    const { ask, org, clock } = setting;
    const { storage, read } = counting(setting.storage);
    const other = another(setting, { caches: { responses: 0 } }, storage);
    const onSite = `GET /v1/orgs/${org}/sites/${its.site}`;
    const inSpace = `GET /v1/spaces/${its.spaces[1]}`;
    const routes = [
      ...["sections", "section-groups", "site-spaces", "integrations"].map((it) => `${onSite}/${it}?limit=1`),
      ...["integrations?limit=1", "integrations-blocks?limit=1", "embed?url=https://cards.example/1"].map(
        (it) => `${inSpace}/${it}`,
      ),
      `GET /v1/orgs/${org}/jobs?limit=1`,
      "GET /v1/integrations?limit=1",
    ];
    const reported = `${onSite.replace("GET", "POST")}/views`;
    const view = { url: "https://docs.example.com/", visitor: { anonymousId: "a", userAgent: "Browser" } };
    const onItems = onSite.replace("GET", "PATCH");
    const writes: Readonly<Record<string, unknown>> = {
      [reported]: view,
      [`${onItems}/section-groups/${its.group}`]: { title: "Group" },
      [`${onItems}/sections/${its.sections[0]}`]: { title: "One" },
    };
    const readsOf = async (as: Person) => {
      const found: number[] = [];
      for (const route of [...routes, ...Object.keys(writes)]) {
        await other.ask(as, route, writes[route]);
        const before = read();
        expect((await other.ask(as, route, writes[route])).status, route).toBe(route === reported ? 204 : 200);
        found.push(read() - before);
      }
      return found;
    };
    const newSpace = async () => (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "More" })).body.id;
    // Jobs that wait.
    for (let i = 0; i < 2; i++) await ask("admin", `DELETE /v1/spaces/${await newSpace()}`);
    const last = { spaceId: await newSpace(), title: "Last" };
    const section = (await ask("admin", `POST ${onSite.slice(4)}/sections`, last)).body.id;
    const few = await readsOf("admin");
    for (let i = 0; i < 12; i++) {
      clock.forward(1000);
      const added = { spaceId: await newSpace(), sectionId: section };
      expect((await ask("admin", `POST ${onSite.slice(4)}/site-spaces`, added)).status).toBe(201);
      const name = `/v1/integrations/more-${i}`;
      await ask("admin", `POST ${name}`, { organization: org, blocks: [{ id: "more", title: "More" }] });
      const { id } = (await ask("admin", `POST ${name}/installations`, { organization: org })).body;
      expect((await ask("admin", `POST ${name}/installations/${id}/spaces`, { space: its.spaces[1] })).status).toBe(
        201,
      );
      await ask("admin", `DELETE /v1/spaces/${await newSpace()}`);
    }
    expect(await readsOf("admin")).toEqual(few);
  });
});

/** A storage that counts the keys that are asked for, and the rows of lists. */
function counting(inner: Storage) {
  let count = 0;
  const storage = through(inner, {
    get(keys, go) {
      count += keys.length;
      return go();
    },
    async list(_, go) {
      const rows = await go();
      count += 1 + rows.length;
      return rows;
    },
  });
  return { storage, read: () => count };
}
