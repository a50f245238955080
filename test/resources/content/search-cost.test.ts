// What a question costs in every place where one can be asked: what is read of the storage and of the index, and how long the answer
// is. Asked again, it costs nothing but a look at the versions. Counted, not timed: `docs/internals/search.md` has times.

import type { Snapshot } from "octavo";
import { memoryStorage } from "octavo/memory";
import { createSite } from "octavo/site";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { Vocabulary } from "../../../src/content/search/vocabulary";
import { loadInstalledPages } from "../../bench/relevance/packages";
import { questions } from "../../bench/relevance/questions";
import { open, type Setting, setUp } from "../../support/setting";
import { through } from "../../support/through";

const pages = loadInstalledPages();
const ids = new Set(pages.map(({ id }) => id));
const asked = questions.filter(({ pages }) => pages.every((id) => ids.has(id))).map(({ query }) => query);
/** As many as make the test quick. */
const some = asked.filter((_, i) => i % 4 === 0);

let setting: Setting;
let space: string;
let at: string;
let siteUrl: string;
let read = { snapshots: 0, records: 0 };
let ways: Record<string, (query: string, limit?: number) => Promise<string>>;

beforeAll(async () => {
  const storage = memoryStorage();
  setting = await setUp(storage);
  const send = async (route: string, body?: unknown) => {
    const answer = await setting.ask("admin", route, body);
    expect(answer.status, `${route} ${JSON.stringify(answer.body).slice(0, 300)}`).toBeLessThan(300);
    return answer.body;
  };
  space = (await send(`POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" })).id;
  // Three times as many pages as there are, so that lists are long.
  const changes = [1, 2, 3].flatMap((part) =>
    pages.map(({ title, markdown }) => ({
      ...{ operation: "insert_page", title: `${title} ${part}` },
      document: { markdown: markdown.replaceAll("{%", "{ %") },
    })),
  );
  for (let from = 0; from < changes.length; from += 50)
    await send(`POST /v1/spaces/${space}/content`, { changes: changes.slice(from, from + 50) });
  const made = await send(`POST /v1/orgs/${setting.org}/sites`, {
    ...{ title: "Docs", visibility: "public", spaces: [space] },
  });
  at = `/v1/orgs/${setting.org}/sites/${made.id}`;
  siteUrl = (await send(`POST ${at}/publish`)).urls.published;
  const counting = through(storage, {
    snapshot: (go) => {
      read.snapshots++;
      return go() as Promise<Snapshot>;
    },
    get: (keys, go) => {
      read.records += keys.length;
      return go();
    },
    list: async (_, go) => {
      const found = await go();
      read.records += found.length;
      return found;
    },
  });
  const { api, askWith } = open(counting, { now: () => setting.clock.now });
  const site = createSite(api);
  const { admin } = setting.tokens;
  const text = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBe(200);
    return typeof body === "string" ? body : JSON.stringify(body);
  };
  const visit = async (path: string) => text(site.fetch(new Request(siteUrl + path)).then(asAnswer));
  const asAnswer = async (response: Response) => ({ status: response.status, body: await response.text() });
  ways = {
    space: (query, limit = 50) =>
      text(askWith(admin, `GET /v1/spaces/${space}/search?query=${encodeURIComponent(query)}&limit=${limit}`)),
    organization: (query, limit = 50) =>
      text(askWith(admin, `GET /v1/orgs/${setting.org}/search?query=${encodeURIComponent(query)}&limit=${limit}`)),
    site: (query, limit = 50) => text(askWith(null, `POST ${at}/search?limit=${limit}`, { query })),
    "the reader's page": (query) => visit(`/~octavo/search?q=${encodeURIComponent(query)}`),
    "the reader's dialog": (query) => visit(`/~octavo/search.json?q=${encodeURIComponent(query)}`),
  };
  for (const ask of Object.values(ways)) await ask("builds the index");
});

afterEach(() => vi.restoreAllMocks());

/** What is read while something is done: entries of the index, snapshots and records of the storage. */
async function count(run: () => Promise<unknown>) {
  const get = vi.spyOn(Vocabulary.prototype, "get");
  read = { snapshots: 0, records: 0 };
  await run();
  const entries = get.mock.results.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  get.mockRestore();
  return { entries, ...read };
}

/** What a question reads at most: half as much again as today. Asked again, it still checks that it may be asked. */
const bounds = [
  { way: "space", entries: 1100, records: 9, recordsAgain: 6 },
  { way: "organization", entries: 900, records: 14, recordsAgain: 3 },
  { way: "site", entries: 900, records: 8, recordsAgain: 5 },
  { way: "the reader's page", entries: 2050, records: 24, recordsAgain: 0 },
  { way: "the reader's dialog", entries: 2050, records: 24, recordsAgain: 0 },
];

describe.each(bounds)("$way", ({ way, ...most }) => {
  test("a new question reads few records and only the entries of its words", async () => {
    let [entries, records] = [0, 0];
    for (const query of some) {
      const counted = await count(() => ways[way]!(`${query} ${way}`));
      entries += counted.entries;
      records += counted.records;
    }
    expect(entries / some.length).toBeGreaterThan(100);
    expect(entries / some.length).toBeLessThanOrEqual(most.entries);
    expect(records / some.length).toBeLessThanOrEqual(most.records);
  });

  test("a repeated question is answered from the cache", async () => {
    for (const query of some) {
      const first = await ways[way]!(query);
      const again = await count(async () => expect(await ways[way]!(query)).toBe(first));
      expect(again, query).toEqual({ entries: 0, snapshots: 2, records: most.recordsAgain });
    }
  });

  test("a response has at most 20 KB, whatever its limit", async () => {
    for (const query of [...some, "a", "the rule"])
      for (const limit of [1, 50, 1000])
        expect((await ways[way]!(query, limit)).length, `${query} ${limit}`).toBeLessThanOrEqual(20_000);
  });
});

test("a full page of results leads to the next one, and no result is lost", async () => {
  const found: string[] = [];
  let answers = 0;
  let page = "";
  let count = 0;
  do {
    const path = `/v1/spaces/${space}/search?query=rule&limit=1000${page}`;
    const { status, body } = await setting.ask("admin", `GET ${path}`);
    expect(status).toBe(200);
    count = body.count;
    found.push(...body.items.map(({ id }: { id: string }) => id));
    page = body.next ? `&page=${encodeURIComponent(body.next.page)}` : "";
    answers++;
  } while (page !== "" && answers < 50);
  expect(answers).toBeGreaterThan(2);
  expect(found.length).toBe(count);
  expect(new Set(found).size).toBe(count);
});

test("a response is computed again after a change and for another reader", async () => {
  const query = "a numbat of its own";
  const before = await Promise.all(Object.values(ways).map((ask) => ask(query)));
  const change = { operation: "insert_page", title: "Numbat", document: { markdown: "A numbat of its own." } };
  const written = await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes: [change] });
  expect(written.status).toBe(200);
  const after = await Promise.all(Object.values(ways).map((ask) => ask(query)));
  for (const [i, answer] of after.entries()) {
    expect(before[i]).not.toContain("Numbat");
    expect(answer).toContain("Numbat");
  }
  const hidden = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Mine" })).body.id;
  await setting.ask("admin", `PATCH /v1/spaces/${hidden}`, { defaultLevel: null });
  await setting.ask("admin", `POST /v1/spaces/${hidden}/content`, { changes: [change] });
  const asks = async (person: "admin" | "read") =>
    (await setting.ask(person, `GET /v1/orgs/${setting.org}/search?query=numbat`)).body.items.map(
      ({ id }: { id: string }) => id,
    );
  expect(await asks("admin")).toContain(hidden);
  expect(await asks("read")).not.toContain(hidden);
});
