// Counts of events: nothing is lost when many report at once, nothing grows without bound, nothing names a person, and
// what is over goes.

import fc from "fast-check";
import { type DocsEvent, observeStorage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { splitRange } from "../../../src/resources/sites/insights/aggregate-events";
import { MAX_REPORTED_VIEWS, OTHER, subtractMonths } from "../../../src/resources/sites/insights/counts";
import { anonymizeQuery, getVisitorTraits } from "../../../src/resources/sites/insights/visitor-traits";
import { encodeKey } from "../../../src/storage/key";
import { onFreshStorage } from "../../support/fresh-storage";
import { DAY, dump, open, type Setting, setUp } from "../../support/setting";
import { type Opened, storages } from "../../support/storages";
import { runs } from "../../support/test-length";
import { page } from "../scenario";

/** A public site with a space of three pages on it. */
async function stage({ ask, org }: Setting) {
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id as string;
  const changes = ["One", "Two", "Three"].map((title) => page(title));
  const { body } = await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  const pages = body.changes.map((it: { page: { id: string } }) => it.page.id) as string[];
  const site = (
    await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", visibility: "public", spaces: [space] })
  ).body.id as string;
  const at = `/v1/orgs/${org}/sites/${site}`;
  await ask("admin", `POST ${at}/publish`);
  return { at, site, space, pages };
}

const isView = ({ type }: DocsEvent) => /_view$/.test(type);

interface Row {
  readonly day: string;
  readonly month: string;
  readonly page: string;
  readonly counts: { readonly page_view: number };
}

let setting: Setting;
let staged: Awaited<ReturnType<typeof stage>>;
const report = async (events: readonly object[]) =>
  expect((await setting.ask(null, `POST ${staged.at}/insights/events`, { events })).status).toBe(204);
const asked = async (question: object) => {
  const answer = await setting.ask("create", `POST ${staged.at}/insights/events/aggregate`, question);
  expect(answer.status).toBe(200);
  return answer.body;
};

const types = ["page_view", "search_open", "page_post_feedback"] as const;
const event = fc.record({ type: fc.constantFrom(...types), page: fc.constantFrom(0, 1, 2, undefined) });

const sentOf = ({ type, page }: { readonly type: string; readonly page: number | undefined }) => ({
  type,
  location: page === undefined ? {} : { space: staged.space, page: staged.pages[page] },
});

describe.each(storages)("on %s", (_, openStorage) => {
  let opened: Opened;
  onFreshStorage(openStorage, async (fresh) => {
    opened = fresh;
    setting = await setUp(opened.storage);
    staged = await stage(setting);
  });

  test("simultaneous batches of several processes lose no count", async () => {
    const expected = new Map<string, number>();
    const batches = fc.array(fc.array(event, { minLength: 1, maxLength: 20 }), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(batches, async (planned) => {
        const answers = await Promise.all(
          planned.map((events) => {
            const { askWith, clock } = open(opened.storage);
            clock.now = setting.clock.now;
            return askWith(null, `POST ${staged.at}/insights/events`, { events: events.map(sentOf) });
          }),
        );
        expect(answers.map(({ status }) => status)).toEqual(planned.map(() => 204));
        for (const { type, page } of planned.flat()) {
          const name = JSON.stringify([type, page === undefined ? undefined : staged.pages[page]]);
          expected.set(name, (expected.get(name) ?? 0) + 1);
        }
        const { rows } = await asked({ select: types, groupBy: ["page"] });
        for (const { page, counts } of rows)
          for (const type of types) expect(counts[type]).toBe(expected.get(JSON.stringify([type, page])) ?? 0);
        const { total } = await asked({ select: types, groupBy: ["device"] });
        expect(types.map((type) => total[type]).reduce((a, b) => a + b)).toBe(
          [...expected.values()].reduce((a, b) => a + b),
        );
      }),
      { numRuns: runs(5) },
    );
  });
});

describe("in memory", () => {
  beforeEach(async () => {
    setting = await setUp(memoryStorage());
    staged = await stage(setting);
  });

  test("rows by day and month are what was reported, across the ends of months", async () => {
    const first = Date.parse("2026-03-01T12:00:00Z");
    const plan: { readonly day: string; readonly page: number }[] = [];
    for (let day = 0; day < 70; day += 3) {
      setting.clock.now = new Date(first + day * DAY);
      await report([{ ...sentOf({ type: "page_view", page: day % 2 }) }]);
      plan.push({ day: setting.clock.now.toISOString().slice(0, 10), page: day % 2 });
    }
    const days = fc.integer({ min: -5, max: 80 }).map((day) => new Date(first + day * DAY).toISOString().slice(0, 10));
    await fc.assert(
      fc.asyncProperty(days, days, async (a, b) => {
        const [from, to] = a <= b ? [a, b] : [b, a];
        const meant = plan.filter(({ day }) => from <= day && day <= to);
        const countBy = (name: (it: (typeof plan)[number]) => string) => {
          const counts = new Map<string, number>();
          for (const it of meant) counts.set(name(it), (counts.get(name(it)) ?? 0) + 1);
          return counts;
        };
        const range = { from, to };
        const total = await asked({ range });
        expect(total.total.page_view).toBe(meant.length);
        expect(total.rows).toEqual([{ counts: { page_view: meant.length } }]);
        const byDay = await asked({ range, groupBy: ["day"] });
        expect(new Map(byDay.rows.map((it: Row) => [it.day, it.counts.page_view]))).toEqual(countBy(({ day }) => day));
        const byMonth = await asked({ range, groupBy: ["month", "page"] });
        expect(new Map(byMonth.rows.map((it: Row) => [`${it.month} ${it.page}`, it.counts.page_view]))).toEqual(
          countBy(({ day, page }) => `${day.slice(0, 7)} ${staged.pages[page]}`),
        );
      }),
      { numRuns: runs(40) },
    );
  });

  test("a long range is read by month, and only its ends by day", () => {
    const of = (from: string, to: string, time?: "day" | "month") => splitRange({ from, to }, time);
    expect(of("2026-01-15", "2026-04-02")).toEqual([
      { unit: "day", from: "2026-01-15", to: "2026-01-31" },
      { unit: "month", from: "2026-02", to: "2026-03" },
      { unit: "day", from: "2026-04-01", to: "2026-04-02" },
    ]);
    expect(of("2025-12-01", "2026-02-28")).toEqual([{ unit: "month", from: "2025-12", to: "2026-02" }]);
    expect(of("2026-03-02", "2026-04-30")).toEqual([
      { unit: "day", from: "2026-03-02", to: "2026-03-31" },
      { unit: "month", from: "2026-04", to: "2026-04" },
    ]);
    expect(of("2026-03-02", "2026-03-31")).toEqual([{ unit: "day", from: "2026-03-02", to: "2026-03-31" }]);
    expect(of("2026-01-01", "2026-03-31", "day")).toEqual([{ unit: "day", from: "2026-01-01", to: "2026-03-31" }]);
  });

  test("nothing that identifies a person is stored, whatever is sent", async () => {
    const secrets = ["Vis-4711", "Ses-4711", "Kookie-4711", "192.0.2.47", "Agent-4711", "Path-4711", "Word-4711"];
    const [visitorId, sessionId, cookie, ip, agent, path, word] = secrets as [string, ...string[]] & string[];
    await report([
      {
        type: "page_post_feedback",
        location: { url: `https://docs.example/${path}`, space: staged.space, page: staged.pages[0] },
        session: {
          ...{ visitorId, sessionId, ip, userAgent: `Mozilla/5.0 ${agent}`, cookies: { a: cookie } },
          ...{ referrer: `https://from.example/${path}?q=${word}`, language: `de-${"x".repeat(8)}` },
          visitorAuthToken: word,
        },
        feedback: { rating: "bad", comment: `${word} of Ann` },
        result: { spaceId: word },
        link: { target: word },
        timestamp: word,
      },
      { type: "page_view", location: { url: `https://docs.example/${path}` }, session: { visitorId, ip } },
    ]);
    const stored = JSON.stringify([...(await dump(setting.storage))]);
    expect(stored).toContain("from.example");
    for (const secret of [...secrets, "Ann"]) expect(stored).not.toContain(secret);
    for (const secret of secrets) expect(stored.toLowerCase()).not.toContain(secret!.toLowerCase());
  });

  test("an unlimited number of texts is counted in one row beyond the daily maximum", async () => {
    for (let batch = 0; batch < 11; batch++)
      await report(
        Array.from({ length: 100 }, (_, i) => ({
          type: "search_type_query",
          query: `word ${String.fromCharCode(97 + batch)} ${i}`,
          session: { referrer: `https://h${batch}-${i}.example/`, language: `${"abc"[batch % 3]}${"xyz"[i % 3]}` },
        })),
      );
    const rows = [...(await dump(setting.storage)).keys()].filter((it) => it.includes("u0003insight"));
    const of = (dimension: string, unit: string) =>
      rows.filter((it) => it.includes(`u0003${dimension}\\u0000\\u0003${unit}\\u0000`)).length;
    // The number of rows and the row of the others come to the most that is kept.
    expect(of("query", "day")).toBe(1002);
    expect(of("referrer", "day")).toBe(1002);
    expect(of("query", "month")).toBe(1101);
    const { total, rows: found } = await asked({
      ...{ select: ["search_type_query"], groupBy: ["day", "query"], filters: { query: OTHER } },
    });
    expect(total).toEqual({ search_type_query: 100 });
    expect(found).toEqual([{ day: "2026-03-01", query: OTHER, counts: { search_type_query: 100 } }]);
  });

  test("a batch is one read and one commit of the counters, and leaves the organization's partition alone", async () => {
    const organization = setting.storage.partition(`org-${setting.org.slice(4)}`);
    const before = (await organization.snapshot()).version;
    const calls: string[] = [];
    const watchedPartition = (name: string) =>
      observeStorage(setting.storage, (call, run) => {
        calls.push(`${call} ${name.split("-")[0]}`);
        return run();
      }).partition(name);
    const { askWith, clock } = open({ ...setting.storage, partition: watchedPartition });
    clock.now = setting.clock.now;
    const send = { events: Array.from({ length: 50 }, (_, i) => sentOf({ type: "page_view", page: i % 3 })) };
    await askWith(null, `POST ${staged.at}/insights/events`, send);
    calls.length = 0;
    await askWith(null, `POST ${staged.at}/insights/events`, send);
    expect(calls.filter((it) => it === "commit insights")).toHaveLength(1);
    expect(calls.filter((it) => it === "get insights")).toHaveLength(1);
    expect(calls.filter((it) => it.startsWith("commit"))).toHaveLength(1);
    expect((await organization.snapshot()).version).toBe(before);
  });

  test("counts are kept for thirteen months, and maintain() removes older ones in steps", async () => {
    const many = () => Array.from({ length: 100 }, (_, i) => ({ type: "search_type_query", query: `q ${i}` }));
    for (let batch = 0; batch < 3; batch++) await report(many());
    setting.clock.now = new Date("2026-04-10T09:00:00Z");
    await report(many());
    const range = { from: "2026-01-01", to: "2027-12-31" };
    const total = async () =>
      (await asked({ range, select: ["search_type_query"], groupBy: ["month"] })).rows.map(
        (it: { month: string }) => it.month,
      );
    setting.clock.now = new Date("2027-04-01T09:00:00Z");
    expect((await setting.api.maintain()).counts).toBe(0);
    expect(await total()).toEqual(["2026-03", "2026-04"]);
    setting.clock.now = new Date("2027-05-01T09:00:00Z");
    expect((await setting.api.maintain()).counts).toBeGreaterThan(100);
    expect((await setting.api.maintain()).counts).toBe(0);
    expect(await total()).toEqual(["2026-04"]);
    setting.clock.now = new Date("2028-01-01T09:00:00Z");
    await setting.api.maintain();
    const left = [...(await dump(setting.storage))].filter(([at]) => at.startsWith("insights-"));
    expect(left).toEqual([[expect.stringContaining("insights-forgotten"), '"2028-01-01"']]);
  });

  test("a range that ends within a month is read while its first days are already removed", () => {
    expect(subtractMonths("2027-05-31", 13)).toBe("2026-05-01");
    expect(subtractMonths("2027-05-01", 13)).toBe("2026-04-01");
    expect(subtractMonths("2028-02-29", 12)).toBe("2027-03-01");
  });

  test("the counts of a site are deleted with it, and those of others stay", async () => {
    const other = await stage(setting);
    await report([{ type: "page_view" }]);
    await setting.ask("create", `POST ${other.at}/insights/events`, { events: [{ type: "page_view" }] });
    await setting.ask("admin", `DELETE ${staged.at}`);
    const left = [...(await dump(setting.storage)).keys()].filter((it) => it.startsWith("insights-"));
    expect(left.length).toBeGreaterThan(0);
    expect(left.every((it) => it.includes(other.site))).toBe(true);
  });

  test("a view is published once, however it is reported, and counted once", async () => {
    const heard: DocsEvent[] = [];
    const { askWith, clock } = open(setting.storage, { onEvent: (it) => void heard.push(it) });
    clock.now = setting.clock.now;
    const url = "https://docs.example/one";
    const [page] = staged.pages;
    const visitor = { anonymousId: "v", userAgent: "Browser", cookies: { a: "1" }, ip: "192.0.2.1", language: "de" };
    const { anonymousId: visitorId, ...said } = visitor;
    await askWith(setting.tokens.create, `POST ${staged.at}/views`, {
      ...{ url, referrer: "https://a.example/", visitor, spaceId: staged.space, pageId: page },
    });
    await askWith(null, `POST ${staged.at}/insights/events`, {
      events: [
        {
          type: "page_view",
          location: { url, space: staged.space, page },
          session: { visitorId, ...said, referrer: "https://a.example/" },
        },
        { type: "search_open", location: { url } },
      ],
    });
    const views = heard.filter(isView);
    const told = views.map(({ eventId: _, createdAt: __, ...it }) => it);
    expect(told).toHaveLength(4);
    // Nobody but an editor says which address a visitor came from.
    const unaddressed = (it: object) => ({ ...it, visitor: { ...visitor, ip: "" } });
    expect(told[2]).toEqual(unaddressed(told[0]!));
    expect(told[3]).toEqual(unaddressed(told[1]!));
    expect(told[0]).toMatchObject({ type: "site_view", siteId: staged.site, url, pageId: page, visitor });
    expect((await asked({ groupBy: ["page"] })).rows).toMatchObject([{ page, counts: { page_view: 2 } }]);
    const notes = async () => [...(await dump(setting.storage)).keys()].filter((it) => it.includes("told-views"));
    expect(await notes()).toHaveLength(2);
    clock.forward(DAY + 1);
    const events = [{ type: "page_view", location: { url } }];
    await askWith(null, `POST ${staged.at}/insights/events`, { events });
    expect(await notes()).toHaveLength(1);
  });

  test("visitors can publish a limited number of views a day, and editors are not limited", async () => {
    const heard: DocsEvent[] = [];
    const { askWith, clock } = open(setting.storage, { onEvent: (it) => void (isView(it) && heard.push(it)) });
    clock.now = setting.clock.now;
    const told = encodeKey("insight", staged.site, "told", "day", "2026-03-01");
    const partition = setting.storage.partition(`insights-${setting.org.slice(4)}`);
    await partition.commit({ checks: [], puts: [{ key: told, value: MAX_REPORTED_VIEWS - 1 }], deletes: [], adds: [] });
    const views = Array.from({ length: 3 }, () => ({ type: "page_view", location: { url: "https://docs.example/" } }));
    const send = (token: string | null) => askWith(token, `POST ${staged.at}/insights/events`, { events: views });
    await send(null);
    expect(heard).toHaveLength(1);
    await send(null);
    expect(heard).toHaveLength(1);
    await send(setting.tokens.create);
    expect(heard).toHaveLength(4);
    clock.forward(DAY);
    await send(null);
    expect(heard).toHaveLength(7);
    expect((await asked({ range: { from: "2026-03-01", to: "2026-03-02" } })).total.page_view).toBe(12);
  });

  test("a batch whose events have too little in common is rejected as a whole", async () => {
    const events = Array.from({ length: 100 }, (_, i) => ({
      type: "page_view",
      query: `q ${i}`,
      session: {
        referrer: `https://h${i}.example`,
        language: `${"abcdefghij"[i % 10]}${"abcdefghij"[Math.floor(i / 10)]}`,
      },
    }));
    const before = await dump(setting.storage);
    const answer = await setting.ask(null, `POST ${staged.at}/insights/events`, { events });
    expect([answer.status, answer.body.error.reason]).toEqual([422, "too_much_at_once"]);
    expect(await dump(setting.storage)).toEqual(before);
  });
});

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0",
    "desktop",
    "edge",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/17.0 Safari/605.1", "desktop", "safari"],
  ["Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36", "mobile", "chrome"],
  [
    "Mozilla/5.0 (Linux; Android 14; SM-X700) AppleWebKit/537.36 SamsungBrowser/25 Chrome/121 Safari/537",
    "tablet",
    "samsung",
  ],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot", "other"],
  ["curl/8.5.0", "other", "other"],
])("the user agent is classified: %s", (userAgent, device, browser) => {
  expect(getVisitorTraits({ userAgent })).toMatchObject({ device, browser });
});

test("of a referrer, only the host of another site is stored", () => {
  const referrer = (from: string) => getVisitorTraits({ referrer: from, url: "https://docs.example/a" }).referrer;
  expect(referrer("https://user:pass@From.example:8080/path?q=1#x")).toBe("from.example");
  for (const from of ["https://docs.example/b", "javascript:alert(1)", "android-app://x", "not an address", ""])
    expect(referrer(from)).toBeNull();
});

test("a text that may identify a person is not counted", () => {
  expect(anonymizeQuery("  How\tTO  do ")).toBe("how to do");
  expect(anonymizeQuery("error 404 in 2026")).toBe("error 404 in 2026");
  for (const text of ["ann@example.com", "0660 1234567", "AT61-1904-3002", "x".repeat(81), " ", undefined])
    expect(anonymizeQuery(text)).toBeNull();
});
