// Sites when two callers come at once, and when one dies in the middle. A gate holds back every commit until both have
// decided, so each test is the race and not a chance of one.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { sites } from "../../../src/resources/sites/records";
import { deleteExpiredReservations } from "../../../src/storage/claims";
import { getPartitionByCode } from "../../../src/storage/ids";
import { encodeKey } from "../../../src/storage/key";
import { createStore, type Store } from "../../../src/storage/store";
import { firstFailure, interleave } from "../../storage/interleave";
import { onFreshStorage } from "../../support/fresh-storage";
import { meeting } from "../../support/processes";
import { type Answer, HOUR, open, type Person, type Setting, seeded, setUp } from "../../support/setting";
import { type Opened, storages } from "../../support/storages";
import { through } from "../../support/through";

const HOST = "docs.acme.example";

describe.each(storages)("on %s", (_, openStorage) => {
  let opened: Opened;
  let setting: Setting;

  onFreshStorage(openStorage, async (fresh) => {
    opened = fresh;
    setting = await setUp(opened.storage);
  });

  async function race(requests: [as: Person, route: string, send?: unknown][]) {
    const { askWith, clock } = open(meeting(opened.storage, requests.length), {
      random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    });
    clock.now = setting.clock.now;
    return Promise.all(requests.map(([as, route, send]) => askWith(setting.tokens[as], route, send)));
  }
  const statuses = (answers: Answer[]) => answers.map((answer) => answer.status).sort();
  const create = async (as: Person, org: string, title: string) =>
    (await setting.ask(as, `POST /v1/orgs/${org}/sites`, { title })).body.id as string;

  test("two sites with one title get different basenames", async () => {
    const { org, ask } = setting;
    const answers = await race([
      ["create", `POST /v1/orgs/${org}/sites`, { title: "Docs" }],
      ["admin", `POST /v1/orgs/${org}/sites`, { title: "Docs" }],
    ]);
    expect(answers.map(({ body }) => body.basename).sort()).toEqual(["docs", "docs-1"]);
    expect((await ask("read", `GET /v1/orgs/${org}/sites`)).body.count).toBe(2);
  });

  test("of two templates for one empty site, one is applied, and nothing is left of the other", async () => {
    const { org, ask } = setting;
    const at = `/v1/orgs/${org}/sites/${await create("create", org, "Docs")}`;
    const answers = await race([
      ["create", `POST ${at}/template`],
      ["admin", `POST ${at}/template`],
    ]);
    expect(statuses(answers)).toEqual([200, 412]);
    expect((await ask("admin", `GET /v1/orgs/${org}/spaces`)).body.count).toBe(1);
    expect((await ask("admin", at.replace(/^/, "GET "))).body.siteSpaces).toBe(1);
  });

  test("two copies of one site-space, and two external links, get places of their own", async () => {
    const { org, ask } = setting;
    const space = (await ask("create", `POST /v1/orgs/${org}/spaces`, { title: "One" })).body.id;
    const at = `/v1/orgs/${org}/sites/${await create("create", org, "Docs")}`;
    const { siteSpaces } = (await ask("create", `POST ${at}/sections`, { spaceId: space, title: "One" })).body;
    const link = { title: "Forum", url: "https://forum.example.com" };
    const answers = await race([
      ["create", `POST ${at}/site-spaces/${siteSpaces[0].id}/duplicate`],
      ["admin", `POST ${at}/site-spaces/${siteSpaces[0].id}/duplicate`],
      ["create", `POST ${at}/external-links`, link],
      ["admin", `POST ${at}/external-links`, link],
    ]);
    expect(statuses(answers)).toEqual([201, 201, 201, 201]);
    const { structure } = (await ask("create", `GET ${at}/structure`)).body;
    expect(structure.map((item: { path?: string }) => item.path ?? "link").sort()).toEqual([
      "link",
      "link",
      "one",
      "one-1",
      "one-2",
    ]);
  });

  test("changes of a structure that are refused together are made again on what another process has changed", async () => {
    const { org, ask, tokens } = setting;
    const at = `/v1/orgs/${org}/sites/${await create("create", org, "Docs")}`;
    const sections: string[] = [];
    for (const title of ["One", "Two", "Three", "Four", "Five", "Six"]) {
      const { id: spaceId } = (await ask("create", `POST /v1/orgs/${org}/spaces`, { title })).body;
      sections.push((await ask("create", `POST ${at}/sections`, { spaceId, title })).body.id);
    }
    const [first, renamed, ...moved] = sections;
    const group = (await ask("create", `POST ${at}/section-groups`, { title: "All", sections: [first] })).body.id;

    // All but one of the first commits are refused. Another process commits just before those are committed together.
    let rival: Promise<Answer> | undefined;
    const isSection = ({ key }: { readonly key: string }) => key.startsWith(encodeKey("r", "site-item"));
    const storage = through(meeting(opened.storage, moved.length), {
      async commit({ puts }, go) {
        if (rival === undefined && puts.filter(isSection).length > 1) {
          rival = ask("create", `PATCH ${at}/sections/${renamed}`, { title: "Renamed" });
          await rival;
        }
        return go();
      },
    });
    const { askWith, clock } = open(storage, { random: (n) => crypto.getRandomValues(new Uint8Array(n)) });
    clock.now = setting.clock.now;
    const answers = await Promise.all(
      moved.map((sectionId) => askWith(tokens.create, `POST ${at}/section-groups/${group}/sections`, { sectionId })),
    );
    expect([...answers, await rival].map((answer) => answer?.status)).toEqual([...moved.map(() => 201), 200]);
    const { structure } = (await ask("create", `GET ${at}/structure`)).body;
    const inGroup = structure.find(({ id }: { id: string }) => id === group).sections;
    expect(inGroup.map(({ id }: { id: string }) => id).sort()).toEqual([first, ...moved].sort());
    expect(structure.find(({ id }: { id: string }) => id === renamed).title).toBe("Renamed");
  });

  test("of two sites that request one basename, one gets it and the other gets 409", async () => {
    const { org } = setting;
    const [one, two] = [await create("create", org, "One"), await create("create", org, "Two")];
    const answers = await race([
      ["create", `PATCH /v1/orgs/${org}/sites/${one}`, { basename: "main" }],
      ["admin", `PATCH /v1/orgs/${org}/sites/${two}`, { basename: "main" }],
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.error.reason).toBe("basename_taken");
  });

  test("of two organizations that request one host, one gets it and the other 409, and URLs lead to the first", async () => {
    const { org, otherOrg, ask } = setting;
    const ours = (await ask("admin", `POST /v1/orgs/${org}/sites`, { spaces: "sample" })).body.id;
    const theirs = (await ask("rival", `POST /v1/orgs/${otherOrg}/sites`, { spaces: "sample" })).body.id;
    await ask("admin", `POST /v1/orgs/${org}/sites/${ours}/publish`);
    await ask("rival", `POST /v1/orgs/${otherOrg}/sites/${theirs}/publish`);
    const answers = await race([
      ["admin", `PATCH /v1/orgs/${org}/sites/${ours}`, { hostname: HOST }],
      ["rival", `PATCH /v1/orgs/${otherOrg}/sites/${theirs}`, { proxy: `${HOST}/docs` }],
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200)!.body;
    const found = await ask(null, "POST /v1/urls/published", { url: won.urls.published });
    expect(found.body.site).toBe(won.id);
  });

  test("of two sites of one organization that request one host or nested directories, one gets it", async () => {
    const { org } = setting;
    const [one, two] = [await create("create", org, "One"), await create("create", org, "Two")];
    for (const [first, second] of [
      [{ hostname: HOST }, { hostname: HOST }],
      [{ hostname: HOST }, { proxy: `${HOST}/docs` }],
      [{ proxy: `${HOST}/docs` }, { proxy: `${HOST}/docs/api` }],
    ]) {
      const answers = await race([
        ["create", `PATCH /v1/orgs/${org}/sites/${one}`, first],
        ["admin", `PATCH /v1/orgs/${org}/sites/${two}`, second],
      ]);
      expect(statuses(answers)).toEqual([200, 409]);
      for (const id of [one, two])
        await setting.ask("create", `PATCH /v1/orgs/${org}/sites/${id}`, { hostname: null, proxy: null });
    }
  });

  test("a host stays claimed when one site leaves it while another one of the organization joins", async () => {
    const { org, otherOrg, ask } = setting;
    const [one, two] = [await create("create", org, "One"), await create("create", org, "Two")];
    await ask("create", `PATCH /v1/orgs/${org}/sites/${one}`, { proxy: `${HOST}/one` });
    const answers = await race([
      ["create", `PATCH /v1/orgs/${org}/sites/${one}`, { proxy: null }],
      ["admin", `PATCH /v1/orgs/${org}/sites/${two}`, { proxy: `${HOST}/two` }],
    ]);
    expect(statuses(answers)).toEqual([200, 200]);
    const theirs = await create("rival", otherOrg, "Theirs");
    const taken = await ask("rival", `PATCH /v1/orgs/${otherOrg}/sites/${theirs}`, { hostname: HOST });
    expect(taken.status).toBe(409);
  });

  test("of two redirects that would form a loop, one is created and the other refused", async () => {
    const { org } = setting;
    const site = await create("create", org, "Docs");
    const at = `/v1/orgs/${org}/sites/${site}/redirects`;
    const url = (path: string) => `http://localhost:3000/sites/${org}/docs${path}`;
    const answers = await race([
      ["create", `POST ${at}`, { source: "/a", destination: { kind: "url", url: url("/b") } }],
      ["admin", `POST ${at}`, { source: "/b", destination: { kind: "url", url: url("/a") } }],
    ]);
    expect(statuses(answers)).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.error.reason).toBe("redirect_loop");
  });

  test("of two redirects with one source, one is created and the other refused", async () => {
    const { org } = setting;
    const site = await create("create", org, "Docs");
    const at = `/v1/orgs/${org}/sites/${site}/redirects`;
    const destination = { kind: "url", url: "https://example.com" };
    const answers = await race([
      ["create", `POST ${at}`, { source: "/a", destination }],
      ["admin", `POST ${at}`, { source: "/a/", destination }],
    ]);
    expect(statuses(answers)).toEqual([201, 409]);
  });

  test("a site deleted while a redirect is set leaves nothing behind", async () => {
    const { org, ask } = setting;
    const site = await create("create", org, "Docs");
    const answers = await race([
      ["create", `DELETE /v1/orgs/${org}/sites/${site}`],
      [
        "admin",
        `POST /v1/orgs/${org}/sites/${site}/redirects`,
        { source: "/a", destination: { kind: "url", url: "https://example.com" } },
      ],
    ]);
    expect(answers[0]!.status).toBe(204);
    expect([201, 404]).toContain(answers[1]!.status);
    await setting.api.maintain();
    expect((await ask("admin", `GET /v1/orgs/${org}/sites/${site}/redirects`)).status).toBe(404);
    const view = await createStore(opened.storage, world(1)).read(partition(org));
    const left = await view.list({ under: "", limit: 1000 });
    // A total that is zero again may stay.
    expect(left.filter(({ key }) => key.includes("site-redirect") && !key.startsWith("\u0003n"))).toEqual([]);
  });
});

const world = (seed: number) => ({ now: () => new Date(0), random: seeded(seed), pause: async () => {} });
const partition = (org: string) => getPartitionByCode(org.slice("org_".length));

/** Takes a host for a site of an organization, and gives it up. */
type Take = (setting: Setting, storage: Setting["storage"], who: Who, hostname: string | null) => Promise<unknown>;
interface Who {
  readonly as: Person;
  readonly org: string;
  readonly site: string;
}

const byTheApi: Take = (setting, storage, { as, org, site }, hostname) => {
  const { askWith } = open(storage, { now: () => setting.clock.now, random: seeded(7) });
  return askWith(setting.tokens[as], `PATCH /v1/orgs/${org}/sites/${site}`, { hostname });
};

/** The same where each proof holds at one moment and not at the next, so that hosts are taken over. */
function byChance(seed: number): Take {
  const chance = seeded(seed);
  const verifyDomain = () => chance(1)[0]! < 160;
  return (setting, storage, { as, org, site }, hostname) => {
    const { askWith } = open(storage, { now: () => setting.clock.now, random: seeded(7), verifyDomain });
    return askWith(setting.tokens[as], `PATCH /v1/orgs/${org}/sites/${site}`, { hostname });
  };
}

/** Two organizations take a host and give it up, in an order that a seed decides; some of them die. */
async function play(seed: number, take: Take, killOneIn?: number): Promise<number> {
  const storage = memoryStorage();
  const setting = await setUp(storage);
  const { org, otherOrg, ask, clock } = setting;
  const make = async (as: Person, at: string): Promise<Who> => ({
    as,
    org: at,
    site: (await ask(as, `POST /v1/orgs/${at}/sites`, { title: "Docs" })).body.id,
  });
  const all = [await make("admin", org), await make("rival", otherOrg)];
  const direct: Store = createStore(storage, world(seed));
  const siteOf = async ({ org, site }: Who) => (await sites.get(await direct.read(partition(org)), site))!;
  let held = 0;
  const { storageFor, run } = interleave(storage, seed, killOneIn ? { killOneIn } : {});
  const tasks = all.map((who, i) => async () => {
    for (const hostname of [HOST, HOST, null, HOST]) await take(setting, storageFor(i), who, hostname);
  });
  await run(tasks, async () => {
    const holders = (await Promise.all(all.map(siteOf))).filter((it) => it.hostname === HOST && it.proven);
    const proven = holders.filter((it) => it.proven!.includes(HOST));
    held += proven.length;
    expect(proven.length).toBeLessThanOrEqual(1);
  });
  // Whatever a crash has left, somebody else can have the host once nobody uses it.
  clock.forward(2 * HOUR);
  for (const who of all) await ask(who.as, `PATCH /v1/orgs/${who.org}/sites/${who.site}`, { hostname: null });
  for (const who of all) await deleteExpiredReservations(direct, partition(who.org), new Date(clock.now));
  const third = (await ask("stranger", "POST /v1/orgs", { title: "Third" })).body.id;
  const { site } = await make("stranger", third);
  expect((await ask("stranger", `PATCH /v1/orgs/${third}/sites/${site}`, { hostname: HOST })).status).toBe(200);
  return held;
}

describe("the holder of a host", () => {
  test("a host has one organization at every moment when it is taken and released at once", async () => {
    for (let seed = 1; seed <= 15; seed++) await play(seed, byTheApi);
  });

  test("a host has one organization at every moment when a process dies while taking it", async () => {
    for (let seed = 1; seed <= 15; seed++) await play(seed, byTheApi, 12);
  });

  test("a host has one organization at every moment when proofs change and processes die", async () => {
    let held = 0;
    for (let seed = 1; seed <= 30; seed++) held += await play(seed, byChance(seed), seed % 2 ? 12 : undefined);
    expect(held).toBeGreaterThan(100);
  });

  test("control: checking before taking a host, without a claim, fails", async () => {
    const naive: Take = async (setting, storage, { org, site }, hostname) => {
      const store = createStore(storage, world(1));
      const other = partition(org === setting.org ? setting.otherOrg : setting.org);
      const theirs = await sites.list(await store.read(other), "byAge", { limit: 10 });
      if (hostname !== null && theirs.some(({ record }) => record.hostname === hostname)) return;
      await store.write(partition(org), async (tx) => {
        await sites.put(tx, { ...(await sites.get(tx, site))!, hostname, proven: [HOST] });
      });
    };
    expect(await firstFailure(15, async (seed) => void (await play(seed, naive)))).toBeDefined();
  });
});
